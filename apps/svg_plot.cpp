#include "apps/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace capstan::app {
namespace {

constexpr double kLeft = 78, kTop = 46, kWidth = 560, kHeight = 340, kBottom = 58;
// Distinct for colour-blind readers too [Okabe, Ito 2008]; dashes tell further series apart.
constexpr std::array<const char*, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#56b4e9", "#b8860b", "#222222"};
constexpr std::array<const char*, 3> kDashes = {"", "7 4", "2 3"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

double transformed(const Axis& axis, double value) { return axis.logarithmic ? std::log10(value) : value; }

bool showable(const Axis& axis, double value) {
  return std::isfinite(value) && (!axis.logarithmic || value >= std::numeric_limits<double>::min());
}

/// Widens an interval in which neighbouring ticks would be the same number.
void widen(Axis& axis) {
  const double least = 1e-9 * std::max(std::abs(axis.low), std::abs(axis.high));
  if (axis.high - axis.low < least) axis.high = axis.low + least;
}

bool showable(const Plot& plot, const std::pair<double, double>& point) {
  return showable(plot.x, point.first) && showable(plot.y, point.second);
}

/// 1, 2 or 5 times a power of ten, so that about six ticks fit.
double tick_step(double span) {
  const double rough = span / 6, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

/// Sets the bounds of the axis from the values, if they are not given, and rounds them.
Axis fitted(Axis axis, const std::vector<double>& values) {
  if (axis.low != axis.high) {
    widen(axis);
    return axis;
  }
  axis.low = axis.logarithmic ? 0.1 : 0;
  axis.high = 1;
  if (!values.empty()) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    axis.low = *low;
    axis.high = *high;
  }
  if (axis.logarithmic) {
    axis.low = std::pow(10, std::floor(std::log10(axis.low) + 1e-9));
    axis.high = std::pow(10, std::ceil(std::log10(axis.high) - 1e-9));
    if (axis.high <= axis.low) axis.high = 10 * axis.low;
  } else {
    axis.low = std::min(axis.low, 0.0);
    if (axis.high <= axis.low) axis.high = axis.low + 1;
    widen(axis);
    const double step = tick_step(axis.high - axis.low);
    axis.high = step * std::ceil(axis.high / step - 1e-9);
  }
  return axis;
}

Plot fitted(Plot plot) {
  std::vector<double> xs, ys;
  for (const Series& series : plot.series)
    for (const auto& point : series.points)
      if (showable(plot, point)) {
        xs.push_back(point.first);
        ys.push_back(point.second);
      }
  plot.x = fitted(plot.x, xs);
  plot.y = fitted(plot.y, ys);
  return plot;
}

/// 0 at the low end of the axis, 1 at the high end.
double fraction(const Axis& axis, double value) {
  const double low = transformed(axis, axis.low), high = transformed(axis, axis.high);
  return std::clamp((transformed(axis, value) - low) / (high - low), 0.0, 1.0);
}

double x_of(const Plot& plot, double value) { return kLeft + kWidth * fraction(plot.x, value); }
double y_of(const Plot& plot, double value) { return kTop + kHeight * (1 - fraction(plot.y, value)); }

struct Tick {
  double value;
  std::string label;  // empty: a minor one
};

std::vector<Tick> logarithmic_ticks(const Axis& axis) {
  std::vector<Tick> ticks;
  const int first = int(std::floor(std::log10(axis.low) + 1e-9)),
            last = int(std::ceil(std::log10(axis.high) - 1e-9));
  const int every = std::max(1, (last - first + 7) / 8);  // labels that do not run into each other
  for (int power = first; power <= last; ++power)
    for (int factor = 1; factor <= (every == 1 ? 9 : 1); ++factor) {
      const double value = factor * std::pow(10, power);
      if (value < axis.low * (1 - 1e-9) || value > axis.high * (1 + 1e-9)) continue;
      const bool labelled = factor == 1 && (power - first) % every == 0;
      const bool plain = power >= -2 && power <= 3;
      ticks.push_back({value, !labelled ? ""
                              : plain   ? fmt::format("{:g}", value)
                                      : fmt::format("10<tspan dy=\"-5\" font-size=\"9\">{}</tspan>", power)});
    }
  return ticks;
}

std::vector<Tick> ticks_of(const Axis& axis) {
  if (axis.logarithmic) return logarithmic_ticks(axis);
  std::vector<Tick> ticks;
  const double step = tick_step(axis.high - axis.low);
  for (double value = step * std::ceil(axis.low / step - 1e-9); value <= axis.high + 1e-9 * step;
       value += step) {
    const double shown = std::abs(value) < 1e-9 * step ? 0 : value;
    ticks.push_back({value, axis.percent ? fmt::format("{:g} %", 100 * shown) : fmt::format("{:g}", shown)});
  }
  return ticks;
}

std::string grid(const Plot& plot) {
  std::string text;
  for (const Tick& tick : ticks_of(plot.x)) {
    const double x = x_of(plot, tick.value);
    text += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"{3}\"/>\n", x,
                        kTop, kTop + kHeight, tick.label.empty() ? "#f0f0f0" : "#d8d8d8");
    if (!tick.label.empty())
      text += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x,
                          kTop + kHeight + 18, tick.label);
  }
  for (const Tick& tick : ticks_of(plot.y)) {
    const double y = y_of(plot, tick.value);
    text += fmt::format("<line y1=\"{0:.1f}\" y2=\"{0:.1f}\" x1=\"{1}\" x2=\"{2}\" stroke=\"{3}\"/>\n", y,
                        kLeft, kLeft + kWidth, tick.label.empty() ? "#f0f0f0" : "#d8d8d8");
    if (!tick.label.empty())
      text += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 8, y + 4,
                          tick.label);
  }
  return text;
}

std::string path_data(const Plot& plot, const Series& series) {
  std::string path;
  double last_y = 0;
  for (const auto& point : series.points) {
    if (!showable(plot, point)) continue;
    const double x = x_of(plot, point.first), y = y_of(plot, point.second);
    if (path.empty())
      path = fmt::format("M{:.1f},{:.1f}", x, y);
    else if (series.steps)
      path += fmt::format(" L{:.1f},{:.1f} L{:.1f},{:.1f}", x, last_y, x, y);
    else
      path += fmt::format(" L{:.1f},{:.1f}", x, y);
    last_y = y;
  }
  return path;
}

/// Closed along the axis below it.
std::string area_data(const Plot& plot, const Series& series) {
  const std::string path = path_data(plot, series);
  if (path.empty()) return path;
  double first = 0, last = 0;
  bool started = false;
  for (const auto& point : series.points) {
    if (!showable(plot, point)) continue;
    last = x_of(plot, point.first);
    if (!started) first = last;
    started = true;
  }
  const double y = y_of(plot, plot.y.logarithmic ? plot.y.low : std::max(plot.y.low, 0.0));
  return path + fmt::format(" L{0:.1f},{1:.1f} L{2:.1f},{1:.1f} Z", last, y, first);
}

std::string curve(const Plot& plot, const Series& series, std::size_t index) {
  const char* colour = kColours[index % kColours.size()];
  const char* dash = kDashes[index / kColours.size() % kDashes.size()];
  const std::string name = escaped(series.name);
  if (series.area)
    return fmt::format("<path d=\"{}\" fill=\"{}\"><title>{}</title></path>\n", area_data(plot, series),
                       colour, name);
  std::string text;
  if (series.line)
    text = fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" "
        "stroke-dasharray=\"{}\"><title>{}</title></path>\n",
        path_data(plot, series), colour, dash, name);
  if (!series.markers) return text;
  for (const auto& point : series.points)
    if (showable(plot, point))
      text += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"{}><title>{}: {:.4g}, "
          "{:.4g}</title></circle>\n",
          x_of(plot, point.first), y_of(plot, point.second), series.line ? "3" : "2", colour,
          series.line ? "" : " fill-opacity=\"0.5\"", name, point.first, point.second);
  return text;
}

std::string legend(const Plot& plot) {
  std::string text;
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    const double y = kTop + 12 + 20 * double(k), x = kLeft + kWidth + 16;
    text += fmt::format(
        "<line x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\" "
        "stroke-dasharray=\"{}\"/>"
        "<text x=\"{}\" y=\"{}\">{}</text>\n",
        x, x + 26, y, y, kColours[k % kColours.size()], plot.series[k].area ? 10 : 2,
        kDashes[k / kColours.size() % kDashes.size()], x + 32, y + 4, escaped(plot.series[k].name));
  }
  return text;
}

std::string labels(const Plot& plot) {
  return fmt::format(
      "<text x=\"{}\" y=\"26\" font-size=\"15\" font-weight=\"600\">{}</text>\n"
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
      "<text transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      kLeft, escaped(plot.title), kLeft + kWidth / 2, kTop + kHeight + 42, escaped(plot.x.label),
      kTop + kHeight / 2, escaped(plot.y.label));
}

}  // namespace

std::string svg(const Plot& given) {
  const Plot plot = fitted(given);
  std::size_t longest = 0;
  for (const Series& series : plot.series) longest = std::max(longest, series.name.size());
  const double width = kLeft + kWidth + 62 + 7.2 * double(longest);
  const double height = kTop + std::max(kHeight, 20.0 * double(plot.series.size())) + kBottom;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#222\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  text += labels(plot) + grid(plot);
  text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#555\"/>\n",
                      kLeft, kTop, kWidth, kHeight);
  for (std::size_t k = 0; k < plot.series.size(); ++k) text += curve(plot, plot.series[k], k);
  return text + legend(plot) + "</svg>\n";
}

}  // namespace capstan::app
