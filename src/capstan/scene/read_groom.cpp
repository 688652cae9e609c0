#include "capstan/scene/names.hpp"
#include "capstan/scene/read_rods.hpp"
#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {
namespace {

void read_carrier(TableReader& table, const Scene& scene, Groom& groom) {
  const auto on = table.text("on");
  groom.on = groom.file.empty() ? table.required("on", on) : on.value_or("");
  if (groom.on.empty()) return;
  const ObstacleSpec* obstacle = scene.find_obstacle(groom.on);
  std::vector<std::string> names;
  for (const ObstacleSpec& known : scene.obstacles) names.push_back(known.name);
  if (!obstacle) table.wrong_obstacle("on", names);
  if (obstacle && groom.file.empty() && obstacle->shape == ObstacleSpec::Shape::plane)
    table.wrong("on", "an obstacle with an inside (on a plane, use a [[bundle]])");
}

void read_grown(TableReader& table, Groom& groom) {
  groom.count = table.required("count", table.integer("count"));
  groom.length = table.number("length").value_or(groom.length);
  groom.length_spread = table.number("length_spread").value_or(groom.length_spread);
  groom.hairline_front = table.number("hairline_front").value_or(groom.hairline_front);
  groom.hairline_back = table.number("hairline_back").value_or(groom.hairline_back);
  groom.lift = table.number("lift").value_or(groom.lift);
  groom.droop = table.number("droop").value_or(groom.droop);
  groom.flare = table.number("flare").value_or(groom.flare);
  groom.volume = table.number("volume").value_or(groom.volume);
  groom.curl = table.pair("curl");
  groom.curl_spread = table.number("curl_spread").value_or(groom.curl_spread);
  groom.jitter = table.number("jitter").value_or(groom.jitter);
  groom.seed = std::uint64_t(table.wide_integer("seed").value_or(1));
  if (table.has("curl") && table.has("natural_curvature"))
    table.wrong("curl", "no natural_curvature beside it");
  if (table.has("curl") && groom.rest != RodChoice::Rest::material)
    table.wrong("curl", "no other rest beside it");
}

void read_from_file(TableReader& table, const Scene& scene, Groom& groom) {
  const std::string ending = groom.file.extension().string();
  if (ending == ".usdc")
    table.wrong("file", "USD as text: 'usdcat x.usdc -o x.usda' converts it");
  else if (ending != ".hair" && ending != ".data" && ending != ".obj" && ending != ".usda" &&
           ending != ".usd")
    table.wrong("file", "a name that ends with .hair, .data, .obj, .usda or .usd");
  else
    groom.file = table.file("file", scene.folder).value_or(groom.file);
  groom.scale = table.number("scale").value_or(groom.scale);
  groom.up = table.text("up").value_or("z")[0];
  groom.position = table.vector("position").value_or(groom.position);
  groom.limit = table.integer("limit");
}

}  // namespace

void read_groom(TableReader table, Scene& scene) {
  Groom groom;
  groom.self_contact = false;
  groom.skip_root = 0.01;
  if (table.has("file")) groom.rest = RodChoice::Rest::as_given;
  groom.name = read_name(table, scene, "groom", scene.grooms.size());
  read_rods(table, scene, groom);
  groom.file = table.text("file").value_or("");
  read_carrier(table, scene, groom);
  if (groom.file.empty()) {
    read_grown(table, groom);
    check_skip(table, groom, groom.length * (1 - groom.length_spread));
  } else {
    table.decided_by("file", groom.file.string());
    read_from_file(table, scene, groom);
  }
  table.finish();
  scene.grooms.push_back(groom);
}

}  // namespace capstan::scene_text
