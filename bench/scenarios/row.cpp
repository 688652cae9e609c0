#include "bench/scenarios/row.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "capstan/errors.hpp"

namespace capstan::scenarios {
namespace {

using Json = nlohmann::ordered_json;

/// Calls use(key, value) for all that a row stores, so that reading and writing cannot differ.
template <class AnyRow, class Use>
void for_each_field(AnyRow& row, const Use& use) {
  use("name", row.name);
  use("end", row.end);
  use("bodies", row.bodies);
  use("simulated", row.simulated);
  use("wanted", row.wanted);
  use("steps", row.steps);
  use("max_contacts", row.max_contacts);
  use("mean_contacts", row.mean_contacts);
  use("start_seconds", row.start_seconds);
  use("total_seconds", row.total_seconds);
  use("median_step", row.median_step);
  use("worst_step", row.worst_step);
  use("worst_step_t", row.worst_step_t);
  use("worst_step_contacts", row.worst_step_contacts);
  use("worst_step_sweeps", row.worst_step_sweeps);
  use("worst_step_attempts", row.worst_step_attempts);
  use("sweeps", row.sweeps);
  use("contact_sweeps", row.contact_sweeps);
  use("attempts", row.attempts);
  use("above_tolerance", row.above_tolerance);
  use("worst_error", row.worst_error);
  use("start_overlap", row.start_overlap);
  use("deepest_ratio", row.deepest_ratio);
  use("deepest", row.deepest);
  use("deepest_t", row.deepest_t);
  use("deepest_between", row.deepest_between);
  use("crossings", row.crossings);
  use("first_crossing", row.first_crossing);
  use("start_crossings", row.start_crossings);
  use("reported_crossings", row.reported_crossings);
  use("repaired_crossings", row.repaired_crossings);
  use("energy_gained", row.energy_gained);
}

template <class Value>
void set(Json& json, const char* key, const Value& value) {
  json[key] = value;
}
void set(Json& json, const char* key, const std::optional<double>& value) {
  json[key] = value ? Json(*value) : Json(nullptr);
}

template <class Value>
void get(const Json& json, const char* key, Value& value) {
  value = json.at(key).get<Value>();
}
void get(const Json& json, const char* key, std::optional<double>& value) {
  value = json.at(key).is_null() ? std::nullopt : std::optional(json.at(key).get<double>());
}

std::string field_text(const Json& value) {
  if (!value.is_string()) return value.is_null() ? "" : value.dump();
  std::string text = "\"";
  for (const char letter : value.get<std::string>()) {
    if (letter == '"') text += '"';
    text += letter;
  }
  return text + "\"";
}

Json json_of(const Row& row) {
  Json json;
  for_each_field(row, [&](const char* key, const auto& value) { set(json, key, value); });
  return json;
}

}  // namespace

std::string row_json(const Row& row) { return json_of(row).dump(2) + "\n"; }

Row read_row(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw InputError(path.string() + ": cannot be read");
  try {
    const Json json = Json::parse(file);
    Row row;
    for_each_field(row, [&](const char* key, auto& value) { get(json, key, value); });
    return row;
  } catch (const Json::exception& error) {
    throw InputError(path.string() + ": " + error.what());
  }
}

void write_row(const Row& row, const std::filesystem::path& path) {
  const std::filesystem::path next = path.string() + ".next";
  {
    std::ofstream file(next);
    file << row_json(row);
    if (!file.flush()) throw InputError(next.string() + ": cannot be written");
  }
  std::filesystem::rename(next, path);
}

std::string csv_header() {
  std::string line;
  const Json json = json_of(Row{});
  for (const auto& [key, value] : json.items()) line += (line.empty() ? "" : ",") + key;
  return line + "\n";
}

std::string csv_line(const Row& row) {
  std::string line;
  const Json json = json_of(row);
  for (const auto& [key, value] : json.items()) line += (line.empty() ? "" : ",") + field_text(value);
  return line + "\n";
}

}  // namespace capstan::scenarios
