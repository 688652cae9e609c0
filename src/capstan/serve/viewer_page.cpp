#include "capstan/serve/viewer_page.hpp"

#include <nlohmann/json.hpp>

#include "capstan/errors.hpp"
#include "capstan/files/base64.hpp"

namespace capstan::serve {

void serve_page(LoopbackServer& server) {
  server.get("/", [](const std::string&) {
    return Reply{200, "text/html; charset=utf-8", std::string(viewer_page())};
  });
}

std::string page_with(const std::vector<RunFiles>& runs) {
  nlohmann::json embedded = {{"runs", nlohmann::json::array()}};
  for (const RunFiles& run : runs) {
    nlohmann::json contents = nlohmann::json::object();
    for (const std::string& name : run.known())
      if (const auto file = run.open(name)) contents[name] = files::base64(file->read(0, file->size));
    embedded["runs"].push_back({{"name", run.name()}, {"files", contents}});
  }
  static constexpr std::string_view marker = "<!--capstan-embedded-->";
  std::string page(viewer_page());
  const std::size_t at = page.find(marker);
  if (at == std::string::npos) throw InputError("the viewer's page has no place for runs");
  std::string json = embedded.dump();
  for (std::size_t k = 0; (k = json.find("</", k)) != std::string::npos; k += 3) json.replace(k, 2, "<\\/");
  return page.replace(at, marker.size(),
                      "<script type=\"application/json\" id=\"capstan-embedded\">" + json + "</script>");
}

}  // namespace capstan::serve
