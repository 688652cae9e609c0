#pragma once
#include <Eigen/Core>
#include <initializer_list>
#include <string>

namespace capstan::scenarios {

/// Values as TOML; numbers with four digits, as a user would write them.
std::string value_text(double number);
std::string value_text(const Eigen::Vector3d& vector);
std::string value_text(std::initializer_list<double> list);
std::string value_text(const std::string& text);

/// The text of a scene in the making.
class TomlText {
 public:
  void title(const std::string& text) { add("title", text); }
  /// Begins a table: `section("[simulation]")`, `section("[[rigid]]")`.
  void section(const std::string& header) { text_ += "\n" + header + "\n"; }
  template <class Value>
  void add(const std::string& key, const Value& value) {
    add_raw(key, value_text(value));
  }
  void add(const std::string& key, const char* value) { add_raw(key, value_text(std::string(value))); }
  void add(const std::string& key, int value) { add_raw(key, std::to_string(value)); }
  void add(const std::string& key, std::initializer_list<double> list) { add_raw(key, value_text(list)); }
  /// A value that is TOML already.
  void add_raw(const std::string& key, const std::string& value) { text_ += key + " = " + value + "\n"; }
  /// Whole lines.
  void add_lines(const std::string& lines) { text_ += lines; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace capstan::scenarios
