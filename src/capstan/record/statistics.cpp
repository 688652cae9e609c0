#include "capstan/record/statistics.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"

namespace capstan::record {
namespace {

/// Calls use(name, value) for each column, in the order of the file.
template <typename Row, typename Use>
void for_each_column(Row& row, Use&& use) {
  use("step", row.step);
  use("t", row.t);
  use("dt", row.dt);
  use("contacts", row.contacts);
  use("nu", row.nu);
  use("sweeps", row.sweeps);
  use("error", row.error);
  use("converged", row.converged);
  use("seconds_detect", row.detect);
  use("seconds_assemble", row.assemble);
  use("seconds_solve", row.solve);
  use("seconds_advance", row.advance);
  use("seconds_record", row.record);
  use("energy_kinetic", row.kinetic);
  use("energy_elastic", row.elastic);
  use("energy_gravity", row.gravity);
  use("penetration", row.penetration);
  use("penetration_obstacle", row.obstacle_penetration);
  use("penetration_ratio", row.penetration_ratio);
  use("crossings", row.crossings);
  use("status", row.status);
}

/// The columns that the first version did not have.
constexpr std::array<std::string_view, 2> kLaterColumns = {"penetration_ratio", "crossings"};

bool is_later(std::string_view column) {
  return std::find(kLaterColumns.begin(), kLaterColumns.end(), column) != kLaterColumns.end();
}

std::string header_line(bool with_later_columns = true) {
  std::string line;
  const StepStatistics row;
  for_each_column(row, [&](const char* name, const auto&) {
    if (with_later_columns || !is_later(name)) line += (line.empty() ? "" : ",") + std::string(name);
  });
  return line + "\n";
}

/// Shortest text that reads back as the same bits.
template <typename Number>
std::string text_of(Number value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}
std::string text_of(bool value) { return value ? "1" : "0"; }
std::string text_of(const std::string& value) { return value; }

template <typename Number>
bool parse(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

constexpr double kLargestStatistic = 1e100;  // so that sums and means of any number of rows stay finite

/// Describes what a column accepts, for an error message; empty if it accepts the value.
template <typename Value>
std::string missing_property(std::string_view column, const Value& value) {
  if constexpr (std::is_same_v<Value, std::string> || std::is_same_v<Value, bool>) {
    return {};
  } else {
    if (column == "crossings") return value >= kNotRecorded ? "" : "a number >= -1";
    if (std::is_same_v<Value, int>) return value >= 0 ? "" : "a number >= 0";
    const double number = static_cast<double>(value);
    if (column == "penetration_ratio" && std::isnan(number)) return {};  // not recorded
    if (column == "dt" && !(number > 0)) return "a number > 0";
    if (column.starts_with("seconds_") && !(number >= 0)) return "a number >= 0";
    return std::abs(number) <= kLargestStatistic ? "" : "a finite number, at most 1e100";
  }
}
bool parse(std::string_view text, bool& value) {
  value = text == "1";
  return text == "1" || text == "0";
}
bool parse(std::string_view text, std::string& value) {
  value = text;
  return text.find(',') == std::string_view::npos;
}

/// A row in which the columns that the first version did not have are marked as not recorded.
StepStatistics row_without_later_columns() {
  StepStatistics row;
  row.penetration_ratio = std::numeric_limits<double>::quiet_NaN();
  row.crossings = kNotRecorded;
  return row;
}

StepStatistics parse_row(std::string_view line, bool with_later_columns, const std::string& where) {
  StepStatistics row = row_without_later_columns();
  bool more = true;
  for_each_column(row, [&](const char* name, auto& value) {
    if (!with_later_columns && is_later(name)) return;
    const std::size_t end = std::string_view(name) == "status" ? line.size() : line.find(',');
    const std::string_view text = line.substr(0, end);
    if (!more || !parse(text, value))
      throw InputError(where + ": " + name + " is '" + std::string(text) + "', expected " +
                       (std::is_same_v<std::decay_t<decltype(value)>, std::string> ? "a word" : "a number"));
    if (const std::string expected = missing_property(name, value); !expected.empty())
      throw InputError(where + ": " + name + " is " + std::string(text) + ", expected " + expected);
    more = end != std::string_view::npos;
    line.remove_prefix(more ? std::min(end + 1, line.size()) : line.size());
  });
  return row;
}

/// Calls use(row) for each row that ends with a newline. Returns whether the last one does not.
template <typename Use>
bool for_each_row(const std::string& text, const std::string& name, Use&& use) {
  const bool with_later_columns = text.starts_with(header_line());
  const std::string header = header_line(with_later_columns);
  if (!text.starts_with(header))
    throw InputError(name + ":1: is not the header of capstan's statistics, expected '" +
                     header_line().substr(0, header_line().size() - 1) + "'");
  int number = 2;
  std::size_t start = header.size();
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1, ++number) {
    const std::string where = name + ":" + std::to_string(number);
    const StepStatistics row =
        parse_row(std::string_view(text).substr(start, end - start), with_later_columns, where);
    if (!(row.t > last))
      throw InputError(where + ": t is " + text_of(row.t) + ", expected later than the row before, " +
                       text_of(last));
    last = row.t;
    use(row);
  }
  return start < text.size();
}

std::string line_of(const StepStatistics& row) {
  std::string line;
  for_each_column(row, [&](const char*, const auto& value) { line += text_of(value) + ","; });
  line.back() = '\n';
  return line;
}

}  // namespace

std::filesystem::path stats_path(const std::filesystem::path& run) { return run / "stats.csv"; }

StatsWriter StatsWriter::create(const std::filesystem::path& run) {
  write_durably(stats_path(run), header_line());
  return StatsWriter(run);
}

StatsWriter StatsWriter::resume(const std::filesystem::path& run, double t) {
  const std::string text = files::read_whole_file(stats_path(run));
  std::string kept = header_line();  // numbers are written so that they read back as the same bits
  for_each_row(text, stats_path(run).string(), [&](const StepStatistics& row) {
    if (row.t <= t) kept += line_of(row);
  });
  write_durably(stats_path(run), kept);
  return StatsWriter(run);
}

void StatsWriter::write(const StepStatistics& row) {
  if (row.status.find_first_of(",\n\r\"") != std::string::npos)
    throw InputError("statistics: status is '" + row.status +
                     "', expected words without comma, quote or newline");
  file_.append(line_of(row));
}

Statistics read_statistics(const std::filesystem::path& run) {
  return parse_statistics(files::read_whole_file(stats_path(run)), stats_path(run).string());
}

Statistics parse_statistics(const std::string& text, const std::string& name) {
  Statistics result;
  result.torn = for_each_row(text, name, [&](StepStatistics row) { result.steps.push_back(std::move(row)); });
  return result;
}

}  // namespace capstan::record
