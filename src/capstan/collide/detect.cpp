#include "capstan/collide/detect.hpp"

namespace capstan {

std::vector<Contact> detect(const CollisionScene& scene, const DetectOptions& options,
                            const Executor& executor) {
  std::vector<Contact> contacts = detect_between_strands(scene, options, executor);
  const std::vector<Contact> more = detect_with_obstacles(scene, options, executor);
  contacts.insert(contacts.end(), more.begin(), more.end());
  return contacts;
}

}  // namespace capstan
