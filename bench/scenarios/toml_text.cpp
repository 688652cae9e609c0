#include "bench/scenarios/toml_text.hpp"

#include <cstdio>

namespace capstan::scenarios {

std::string value_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number == 0 ? 0.0 : number);  // no negative zero
  return text;
}

std::string value_text(const Eigen::Vector3d& vector) {
  return value_text({vector[0], vector[1], vector[2]});
}

std::string value_text(std::initializer_list<double> list) {
  std::string text;
  for (const double number : list) text += (text.empty() ? "[" : ", ") + value_text(number);
  return text + "]";
}

std::string value_text(const std::string& text) { return '"' + text + '"'; }

}  // namespace capstan::scenarios
