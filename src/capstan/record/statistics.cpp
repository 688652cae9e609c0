#include "capstan/record/statistics.hpp"

#include <algorithm>
#include <charconv>
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
  use("status", row.status);
}

std::string header_line() {
  std::string line;
  const StepStatistics row;
  for_each_column(
      row, [&](const char* name, const auto&) { line += (line.empty() ? "" : ",") + std::string(name); });
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
bool parse(std::string_view text, bool& value) {
  value = text == "1";
  return text == "1" || text == "0";
}
bool parse(std::string_view text, std::string& value) {
  value = text;
  return text.find(',') == std::string_view::npos;
}

StepStatistics parse_row(std::string_view line, const std::string& where) {
  StepStatistics row;
  bool more = true;
  for_each_column(row, [&](const char* name, auto& value) {
    const std::size_t end = std::string_view(name) == "status" ? line.size() : line.find(',');
    const std::string_view text = line.substr(0, end);
    if (!more || !parse(text, value))
      throw InputError(where + ": " + name + " is '" + std::string(text) + "', expected " +
                       (std::is_same_v<std::decay_t<decltype(value)>, std::string> ? "a word" : "a number"));
    more = end != std::string_view::npos;
    line.remove_prefix(more ? std::min(end + 1, line.size()) : line.size());
  });
  return row;
}

/// Calls use(line, offset of its end) for each row that ends with a newline. Whether the last one does not.
template <typename Use>
bool for_each_row(const std::string& text, const std::string& name, Use&& use) {
  const std::string header = header_line();
  if (text.compare(0, header.size(), header) != 0)
    throw InputError(name + ":1: is not the header of capstan's statistics, expected '" +
                     header.substr(0, header.size() - 1) + "'");
  int number = 2;
  std::size_t start = header.size();
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1, ++number)
    use(parse_row(std::string_view(text).substr(start, end - start), name + ":" + std::to_string(number)),
        end + 1);
  return start < text.size();
}

}  // namespace

std::filesystem::path stats_path(const std::filesystem::path& run) { return run / "stats.csv"; }

StatsWriter StatsWriter::create(const std::filesystem::path& run) {
  write_durably(stats_path(run), header_line());
  return StatsWriter(run);
}

StatsWriter StatsWriter::resume(const std::filesystem::path& run, double t) {
  const std::string text = files::read_whole_file(stats_path(run));
  std::size_t keep = header_line().size();
  for_each_row(text, stats_path(run).string(), [&](const StepStatistics& row, std::size_t end) {
    if (row.t <= t) keep = end;
  });
  write_durably(stats_path(run), std::string_view(text).substr(0, keep));
  return StatsWriter(run);
}

void StatsWriter::write(const StepStatistics& row) {
  if (row.status.find_first_of(",\n\r\"") != std::string::npos)
    throw InputError("statistics: status is '" + row.status +
                     "', expected words without comma, quote or newline");
  std::string line;
  for_each_column(row, [&](const char*, const auto& value) { line += text_of(value) + ","; });
  line.back() = '\n';
  file_.append(line);
}

Statistics read_statistics(const std::filesystem::path& run) {
  Statistics result;
  const std::string text = files::read_whole_file(stats_path(run));
  result.torn = for_each_row(text, stats_path(run).string(), [&](StepStatistics row, std::size_t) {
    result.steps.push_back(std::move(row));
  });
  return result;
}

}  // namespace capstan::record
