#pragma once
#include <string>
#include <string_view>
#include <vector>

/// TOML as a tree of our own: what is read from a scene needs positions and nothing else of the TOML library.
namespace capstan::scene_text {

struct Position {
  int line = 0, column = 0;  ///< from 1; 0: not in the text
  auto operator<=>(const Position&) const = default;
};

struct Entry;

struct Value {
  enum class Kind { number, integer, boolean, text, date, list, table };
  Kind kind = Kind::table;
  double number = 0;  ///< also of an integer
  long long integer = 0;
  bool flag = false;
  std::string text;
  std::vector<Value> items;    ///< of a list
  std::vector<Entry> entries;  ///< of a table, in the order of the text
  Position at;

  bool is_number() const { return kind == Kind::number || kind == Kind::integer; }
  const Entry* find(std::string_view key) const;
};

struct Entry {
  std::string key;
  Position at;
  Value value;
};

/// Throws InputError "file:line:column: what is wrong" for text that is not TOML.
Value parse_toml(std::string_view text, const std::string& file_name);

/// As a person would write it: 'text', 2.5, a list of 3, a table.
std::string shown(const Value& value);

}  // namespace capstan::scene_text
