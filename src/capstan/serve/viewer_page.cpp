#include "capstan/serve/viewer_page.hpp"

#include <nlohmann/json.hpp>

#include "capstan/errors.hpp"

namespace capstan::serve {

std::string base64(std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u;
    };
    const unsigned group = at(0) << 16 | at(1) << 8 | at(2);
    for (unsigned k = 0; k < 4; ++k) text += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

void serve_page(LoopbackServer& server) {
  server.get("/", [](const std::string&) {
    return Reply{200, "text/html; charset=utf-8", std::string(viewer_page())};
  });
}

std::string page_with(const std::vector<RunFiles>& runs) {
  nlohmann::json embedded = {{"runs", nlohmann::json::array()}};
  for (const RunFiles& run : runs) {
    nlohmann::json files = nlohmann::json::object();
    for (const std::string& name : run.known())
      if (const auto file = run.open(name)) files[name] = base64(file->read(0, file->size));
    embedded["runs"].push_back({{"name", run.name()}, {"files", files}});
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
