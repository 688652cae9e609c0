#include "capstan/scene/toml_value.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>

#include "capstan/errors.hpp"

namespace capstan::scene_text {
namespace {

Position position_of(const toml::source_region& source) {
  return {int(source.begin.line), int(source.begin.column)};
}

Value converted(const toml::node& node, Position fallback);

void convert_table(const toml::table& table, Value& value) {
  for (const auto& [key, child] : table) {
    const Position at = position_of(key.source());
    value.entries.push_back({std::string(key.str()), at, converted(child, at)});
  }
  std::stable_sort(value.entries.begin(), value.entries.end(),
                   [](const Entry& a, const Entry& b) { return a.at < b.at; });
}

/// The fallback is for tables that no bracket opens: a.b = 1 makes a table a.
Value converted(const toml::node& node, Position fallback) {
  Value value;
  value.at = node.source().begin ? position_of(node.source()) : fallback;
  if (const toml::table* table = node.as_table()) {
    value.kind = Value::Kind::table;
    convert_table(*table, value);
  } else if (const toml::array* list = node.as_array()) {
    value.kind = Value::Kind::list;
    value.items.reserve(list->size());
    for (const toml::node& item : *list) value.items.push_back(converted(item, value.at));
  } else if (const auto* integer = node.as_integer()) {
    value.kind = Value::Kind::integer;
    value.integer = integer->get();
    value.number = double(integer->get());
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = Value::Kind::number;
    value.number = number->get();
  } else if (const auto* flag = node.as_boolean()) {
    value.kind = Value::Kind::boolean;
    value.flag = flag->get();
  } else if (const auto* text = node.as_string()) {
    value.kind = Value::Kind::text;
    value.text = text->get();
  } else {
    value.kind = Value::Kind::date;
  }
  return value;
}

std::string shown_number(double number) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

}  // namespace

const Entry* Value::find(std::string_view key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

Value parse_toml(std::string_view text, const std::string& file_name) {
  try {
    return converted(toml::parse(text, file_name), {1, 1});
  } catch (const toml::parse_error& error) {
    const Position at = position_of(error.source());
    throw InputError(file_name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                     std::string(error.description()));
  }
}

std::string shown(const Value& value) {
  switch (value.kind) {
    case Value::Kind::number:
      return shown_number(value.number);
    case Value::Kind::integer:
      return std::to_string(value.integer);
    case Value::Kind::boolean:
      return value.flag ? "true" : "false";
    case Value::Kind::text:
      return "'" + value.text + "'";
    case Value::Kind::date:
      return "a date or time";
    case Value::Kind::list:
      return "a list of " + std::to_string(value.items.size());
    case Value::Kind::table:
      break;
  }
  return "a table";
}

}  // namespace capstan::scene_text
