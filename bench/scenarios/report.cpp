#include "bench/scenarios/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "bench/timing.hpp"

namespace capstan::scenarios {
namespace {

/// One thing that is measured of every scene; larger is worse.
struct Measure {
  std::string name;
  std::function<double(const Row&)> value;
  double limit;        ///< what it should not exceed
  std::string format;  ///< of one value
};

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all{
      {"crossings (judged)", [](const Row& row) { return row.crossings; }, 0, "{:.0f}"},
      {"deepest overlap over thickness, %", [](const Row& row) { return 100 * row.deepest_ratio; }, 10,
       "{:.2f}"},
      {"worst step, s", [](const Row& row) { return row.worst_step; }, 2, "{:.3f}"},
      {"worst over median step", [](const Row& row) { return row.worst_over_median(); }, 50, "{:.1f}"},
      {"mean step, ms", [](const Row& row) { return 1e3 * row.mean_step(); }, 1e300, "{:.2f}"},
      {"steps above tolerance", [](const Row& row) { return row.above_tolerance; }, 0, "{:.0f}"},
      {"energy gained, % of what was turned over",
       [](const Row& row) { return 100 * row.energy_gained.value_or(0); }, 1, "{:.2f}"},
      {"sweeps", [](const Row& row) { return double(row.sweeps); }, 1e300, "{:.0f}"},
      {"contacts at most", [](const Row& row) { return row.max_contacts; }, 1e300, "{:.0f}"},
      {"total, s", [](const Row& row) { return row.total_seconds; }, 1e300, "{:.2f}"}};
  return all;
}

std::vector<double> values_of(const Measure& measure, const std::vector<Row>& rows) {
  std::vector<double> values;
  for (const Row& row : rows) values.push_back(measure.value(row));
  return values;
}

/// Rows with the largest values, the largest first.
std::vector<Row> worst(const Measure& measure, std::vector<Row> rows, std::size_t count) {
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row& a, const Row& b) { return measure.value(a) > measure.value(b); });
  rows.resize(std::min(count, rows.size()));
  return rows;
}

std::string one(const Measure& measure, double value) {
  return fmt::format(fmt::runtime(measure.format), value);
}

std::string distribution_table(const std::vector<Row>& rows) {
  std::string text =
      "| measure | median | 90 % | 95 % | 99 % | worst | scenes beyond | limit "
      "|\n|---|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const Measure& measure : measures()) {
    const std::vector<double> values = values_of(measure, rows);
    const auto beyond =
        std::count_if(values.begin(), values.end(), [&](double x) { return x > measure.limit; });
    const bool limited = measure.limit < 1e300;
    text += fmt::format("| {} |", measure.name);
    for (const double part : {0.5, 0.9, 0.95, 0.99, 1.0})
      text += " " + one(measure, bench::quantile(values, part)) + " |";
    text += fmt::format(" {} | {} |\n", limited ? std::to_string(beyond) : "",
                        limited ? one(measure, measure.limit) : "");
  }
  return text;
}

std::string worst_lists(const std::vector<Row>& rows) {
  std::string text;
  for (const Measure& measure : measures()) {
    text += fmt::format("\n{}: ", measure.name);
    std::string list;
    for (const Row& row : worst(measure, rows, 8))
      if (measure.value(row) > 0)
        list += (list.empty() ? "" : ", ") + row.name + " " + one(measure, measure.value(row));
    text += list.empty() ? "none\n" : list + "\n";
  }
  return text;
}

std::string unfinished_table(const std::vector<Row>& rows) {
  std::string text =
      "| scene | end | simulated, s | of | contacts | what is in it |\n|---|---|---:|---:|---:|---|\n";
  for (const Row& row : rows)
    if (!row.finished())
      text += fmt::format("| {} | {} | {:.3f} | {:.2f} | {} | {} |\n", row.name, row.end, row.simulated,
                          row.wanted, row.max_contacts, row.bodies);
  return text;
}

std::string crossings_table(const std::vector<Row>& rows) {
  std::string text =
      "| scene | pairs | at the start | reported | the first one |\n|---|---:|---:|---:|---|\n";
  for (const Row& row : rows)
    if (row.crossings > 0 || row.start_crossings > 0 || row.reported_crossings > 0)
      text += fmt::format("| {} | {} | {} | {} | {} |\n", row.name, row.crossings, row.start_crossings,
                          row.reported_crossings, row.first_crossing);
  return text;
}

int count_finished(const std::vector<Row>& rows) {
  return static_cast<int>(
      std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.finished(); }));
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

std::string summary_text(const std::vector<Row>& rows) {
  if (rows.empty()) return "no scenes\n";
  std::string text =
      fmt::format("\n{} of {} scenes ended by themselves.\n\n", count_finished(rows), rows.size());
  return text + distribution_table(rows) + worst_lists(rows);
}

std::string summary_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Row& row : rows) json.push_back(nlohmann::ordered_json::parse(row_json(row)));
  return json.dump(2) + "\n";
}

void write_report(const std::vector<Row>& rows, const std::filesystem::path& folder) {
  if (rows.empty()) return;
  std::string csv = csv_header();
  for (const Row& row : rows) csv += csv_line(row);
  write(folder / "rows.csv", csv);
  write(folder / "rows.json", summary_json(rows));
  write(folder / "summary.md",
        summary_text(rows) + "\n" + unfinished_table(rows) + "\n" + crossings_table(rows));
}

}  // namespace capstan::scenarios
