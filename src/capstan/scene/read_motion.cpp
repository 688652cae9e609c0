#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {
namespace {

void read_keys(TableReader& table, MotionScript& script) {
  for (TableReader& key : table.tables("keys", "keys")) {
    Motion::Key next{key.required("t", key.number("t"))};
    if (key.has("t") && !script.keys.empty() && !(next.t > script.keys.back().t))
      key.wrong("t", "a time after the key before");
    next.x = key.vector("x").value_or(next.x);
    next.rotation = key.vector("rotation").value_or(next.rotation);
    key.finish();
    if (key.has("t")) script.keys.push_back(next);
  }
}

void read_oscillations(TableReader& table, MotionScript& script) {
  for (TableReader& swing : table.tables("oscillation", "oscillation")) {
    Motion::Oscillation next{swing.required("frequency", swing.number("frequency"), 1.0)};
    next.phase = swing.number("phase").value_or(next.phase);
    next.translation = swing.vector("translation").value_or(next.translation);
    next.rotation = swing.vector("rotation").value_or(next.rotation);
    next.start = swing.number("start").value_or(next.start);
    swing.finish();
    script.oscillations.push_back(next);
  }
}

}  // namespace

MotionScript read_motion(TableReader& table, const Scene& scene) {
  MotionScript script;
  if (const auto follow = table.text("follow")) {
    std::vector<std::string> names;
    for (const ObstacleSpec& obstacle : scene.obstacles) names.push_back(obstacle.name);
    if (scene.find_obstacle(*follow))
      script.follow = *follow;
    else
      table.wrong_obstacle("follow", names);
  }
  if (table.text("interpolation").value_or("smooth") == "linear")
    script.interpolation = Motion::Interpolation::linear;
  read_keys(table, script);
  read_oscillations(table, script);
  return script;
}

Motion placed(const MotionScript& script, const Frame& rest, const Scene& scene) {
  const ObstacleSpec* carrier = script.follow.empty() ? nullptr : scene.find_obstacle(script.follow);
  const Frame local = carrier ? inverse(carrier->motion.at(0)) * rest : rest;
  const Motion own(local, script.keys, script.interpolation, script.oscillations);
  return (carrier ? own.carried_by(carrier->motion) : own).steerable();
}

}  // namespace capstan::scene_text
