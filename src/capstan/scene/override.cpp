#include "capstan/scene/override.hpp"

#include <algorithm>
#include <charconv>

#include "capstan/errors.hpp"
#include "capstan/scene/suggest.hpp"

namespace capstan {
namespace scene_text {
namespace {

constexpr std::size_t kNamesShown = 8;  // in a message

[[noreturn]] void refuse(const Override& change, const std::string& why) {
  throw InputError("override " + change.path + "=" + change.value + ": " + why);
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char letter : path) {
    if (letter == '.')
      parts.emplace_back();
    else
      parts.back() += letter;
  }
  return parts;
}

std::vector<std::string> keys_in(const Value& table) {
  std::vector<std::string> keys;
  for (const Entry& entry : table.entries) keys.push_back(entry.key);
  return keys;
}

/// Returns the names of the items of a list of tables; those without a name have the one that reading gives
/// them, from the key of the list and their number.
std::vector<std::string> names_in(const Value& list, const std::string& key) {
  std::vector<std::string> names;
  for (const Value& item : list.items) {
    const Entry* const name = item.find("name");
    names.push_back(name && name->value.kind == Value::Kind::text
                        ? name->value.text
                        : key + "_" + std::to_string(names.size() + 1));
  }
  return names;
}

std::string numbers_in(const Value& list) {
  if (list.items.empty()) return "an item, but the list is empty";
  return "a number from 0 to " + std::to_string(list.items.size() - 1);
}

/// The item with that number (from 0) or name.
Value& item_of(Value& list, const std::string& key, const std::string& part, const Override& change) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  const bool is_number = error == std::errc() && end == part.data() + part.size();
  if (is_number && index < list.items.size()) return list.items[index];
  const std::vector<std::string> names = !list.items.empty() && list.items[0].kind == Value::Kind::table
                                             ? names_in(list, key)
                                             : std::vector<std::string>();
  const auto found = std::find(names.begin(), names.end(), part);
  if (found != names.end()) return list.items[std::size_t(found - names.begin())];
  std::string expected = numbers_in(list);
  for (std::size_t k = 0; k < std::min(names.size(), kNamesShown); ++k)
    expected += (k == 0 ? " or a name: '" : ", '") + names[k] + "'";
  refuse(change, "'" + part + "' is not in " + key + ", expected " + expected + did_you_mean(part, names));
}

Value* child_of(Value& parent, const std::string& key, const std::string& part, const Override& change) {
  if (parent.kind == Value::Kind::list) return &item_of(parent, key, part, change);
  if (parent.kind != Value::Kind::table) refuse(change, "there is nothing below " + shown(parent));
  for (Entry& entry : parent.entries)
    if (entry.key == part) return &entry.value;
  return nullptr;
}

Value parsed_value(const Override& change) {
  try {
    return parse_toml("value = " + change.value, "").entries.at(0).value;
  } catch (const InputError&) {
    refuse(change, "the value is not TOML (texts need quotes)");
  }
}

}  // namespace

void apply_override(Value& tree, const Override& change) {
  const std::vector<std::string> parts = split(change.path);
  Value* place = &tree;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Value* child = child_of(*place, i > 0 ? parts[i - 1] : "", parts[i], change);
    if (!child && i + 1 < parts.size())
      refuse(change, "the scene has no '" + parts[i] + "'" + did_you_mean(parts[i], keys_in(*place)));
    if (!child) {
      place->entries.push_back({parts[i], place->at, Value()});
      child = &place->entries.back().value;
      child->at = place->at;
    }
    place = child;
  }
  const Position at = place->at;  // errors point to what was replaced
  *place = parsed_value(change);
  place->at = at;
}

}  // namespace scene_text

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto trimmed = [](std::string part) {
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    part.erase(part.find_last_not_of(' ') + 1);
    return part;
  };
  const std::string path = trimmed(text.substr(0, equals));
  if (equals == std::string::npos || path.empty())
    throw InputError("override '" + text + "': expected PATH=VALUE, such as groom.0.count=250");
  return {path, trimmed(text.substr(equals + 1))};
}

}  // namespace capstan
