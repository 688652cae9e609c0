#include "capstan/serve/view_server.hpp"

#include <nlohmann/json.hpp>

#include "capstan/serve/viewer_page.hpp"

namespace capstan::serve {

void serve_runs(LoopbackServer& server, std::vector<RunFiles> given) {
  const auto runs = std::make_shared<std::vector<RunFiles>>(std::move(given));
  serve_page(server);
  server.get("/api/live", [](const std::string&) { return nothing(); });
  server.get("/api/runs", [runs](const std::string&) {
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t k = 0; k < runs->size(); ++k)
      list.push_back({{"name", (*runs)[k].name()}, {"base", "runs/" + std::to_string(k) + "/"}});
    return Reply{200, "application/json", list.dump()};
  });
  server.get_bytes(R"(/runs/\d{1,4}/[^/]+)", [runs](const std::string& path) -> std::unique_ptr<Readable> {
    const std::size_t number = std::stoul(path.substr(6)), slash = path.rfind('/');
    return number < runs->size() ? (*runs)[number].open(path.substr(slash + 1)) : nullptr;
  });
}

}  // namespace capstan::serve
