#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace capstan::files {

/// Walks over a text token by token. Every refusal is an InputError of the form
/// `name:line:column: found "x", expected what`; lines and columns count from 1.
class TextScanner {
 public:
  TextScanner(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  /// A whole number from low to high. It ends at white space, at the end, or before a character of `stops`.
  int integer(std::string_view what, int low, int high, std::string_view stops = "");
  /// The next token if it is a whole number that fits; it is consumed either way.
  std::optional<int> try_integer(std::string_view stops = "");
  /// A finite number. Too small for a double counts as 0.
  double number(std::string_view what);
  /// Exactly this text, after any white space.
  void literal(std::string_view expected);
  /// Whether the text ahead, after any white space, begins so; nothing is consumed.
  bool ahead(std::string_view text);
  void skip_line();
  bool at_end();

  /// Whether `count` tokens can be left at all: a token takes one byte and its separator another.
  void require_room(long long count, const std::string& what);
  /// Tokens from here on, counted up to `limit`.
  long long count_tokens(long long limit) const;
  /// Refuses the last token read.
  [[noreturn]] void refuse(const std::string& expected) const;
  [[noreturn]] void refuse_with(const std::string& message) const;

 private:
  void skip_space();
  std::string_view token_at(std::size_t position) const;

  std::string_view text_;
  std::string name_;
  std::size_t position_ = 0, token_ = 0;  // where the next token is looked for, where the last one began
};

}  // namespace capstan::files
