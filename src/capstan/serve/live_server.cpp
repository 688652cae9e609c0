#include "capstan/serve/live_server.hpp"

#include <memory>
#include <nlohmann/json.hpp>

#include "capstan/errors.hpp"
#include "capstan/files/base64.hpp"
#include "capstan/serve/viewer_page.hpp"

namespace capstan::serve {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestCommand = 4096;
constexpr std::chrono::milliseconds kSilence{1000};

Json friction_json(const LiveRun& run) {
  Json list = Json::array();
  for (const auto& [name, mu] : run.friction()) list.push_back({{"name", name}, {"mu", mu}});
  return list;
}

Json parsed(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(Json::parse(text));
  return list;
}

Json description(const LiveRun& run) {
  return {{"strands", {{"points_per_strand", run.points_per_strand()}, {"radii", run.radii()}}},
          {"obstacles", parsed(run.obstacles())},
          {"meshes", parsed(run.meshes())},
          {"friction", friction_json(run)}};
}

std::string base64_floats(const std::vector<float>& numbers) {  // little-endian, as machines are
  return files::base64({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)});
}

std::string event_of(const LiveFrame& frame) {
  const Json json = {{"t", frame.t},
                     {"step", frame.step},
                     {"contacts", frame.contacts},
                     {"error", frame.error},
                     {"paused", frame.paused},
                     {"problem", frame.problem},
                     {"x", base64_floats(frame.points)},
                     {"poses", base64_floats(frame.poses)},
                     {"mesh_x", base64_floats(frame.mesh_points)},
                     {"mesh_values", base64_floats(frame.mesh_values)}};
  return "event: frame\ndata: " + json.dump() + "\n\n";
}

/// InputError or a Json exception for what is no command.
void obey(LiveRun& run, const Json& command) {
  const auto type = command.at("type").get<std::string>();
  if (type == "pause" || type == "resume") return run.pause(type == "pause");
  if (type == "restart") return run.restart();
  if (type == "friction")
    return run.set_friction(command.at("name").get<std::string>(), command.at("mu").get<double>());
  if (type == "release") return run.drag({});
  if (type != "drag")
    throw InputError("type: is '" + type + "', expected pause, resume, restart, friction, drag or release");
  const Json& target = command.at("target");
  if (!target.is_array() || target.size() != 3) throw InputError("target: expected three numbers");
  const Eigen::Vector3d place(target[0].get<double>(), target[1].get<double>(), target[2].get<double>());
  run.drag(Drag{command.at("strand").get<int>(), command.at("point").get<int>(), place});
}

}  // namespace

void serve_live(LoopbackServer& server, LiveRun& run) {
  serve_page(server);
  server.get("/api/live", [&run](const std::string&) {
    return Reply{200, "application/json", description(run).dump()};
  });
  server.get_events("/live/events", [&run] {
    const auto seen = std::make_shared<long long>(0);
    return [&run, seen]() -> std::string {
      const auto frame = run.wait_for_frame(*seen, kSilence);
      if (!frame) return "";
      *seen = frame->number;
      return event_of(*frame);
    };
  });
  server.post("/live/command", "application/json", kLongestCommand, [&run](const std::string& body) {
    try {
      obey(run, Json::parse(body));
      return Reply{200, "application/json", "{}"};
    } catch (const InputError& error) {
      return Reply{400, "application/json", Json{{"error", error.what()}}.dump()};
    } catch (const Json::exception& error) {
      return Reply{400, "application/json", Json{{"error", error.what()}}.dump()};
    }
  });
}

}  // namespace capstan::serve
