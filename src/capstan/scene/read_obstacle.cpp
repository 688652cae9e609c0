#include "capstan/scene/names.hpp"
#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {

void read_obstacle(TableReader table, Scene& scene) {
  ObstacleSpec obstacle;
  obstacle.name = read_name(table, scene, "obstacle", scene.obstacles.size());
  read_solid(table, scene, obstacle);
  const Frame rest = read_pose(table, obstacle);
  obstacle.friction = table.number("friction");
  obstacle.motion = placed(read_motion(table, scene), rest, scene);
  table.finish();
  scene.obstacles.push_back(obstacle);
}

}  // namespace capstan::scene_text
