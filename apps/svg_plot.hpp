#pragma once
#include <string>
#include <utility>
#include <vector>

namespace capstan::app {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
  bool steps = false;    ///< a staircase: the value holds until the next point
  bool markers = false;  ///< a dot at each point, with a hover title
  bool line = true;      ///< false: only the dots
  bool area = false;     ///< filled down to the axis; give the highest of a stack first
};

struct Axis {
  std::string label;
  bool logarithmic = false;
  double low = 0, high = 0;  ///< equal: from the data
  bool percent = false;      ///< 0.5 is shown as 50 %
};

struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Series> series;
};

/// A picture that needs nothing else: opens in a browser, dark on light, names under the pointer. Points that
/// a logarithmic axis cannot show are left out.
std::string svg(const Plot& plot);

}  // namespace capstan::app
