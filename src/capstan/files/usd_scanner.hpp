#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capstan::files {

/// A value of usda: the numbers in it in the order in which they stand, or its words and texts.
struct UsdValue {
  std::vector<double> numbers;
  std::vector<std::string> words;
};

/// Walks over usda token by token. A token is a bracket, a sign of punctuation, a text, a path, or a word: a
/// run of everything else. Refusals are InputErrors `name:line:column: found "x", expected what`.
class UsdScanner {
 public:
  UsdScanner(std::string_view text, std::string name);

  enum class Kind { end, sign, word, text };
  Kind kind() const { return kind_; }                ///< of the token ahead
  std::string_view token() const { return token_; }  ///< of a text what is between its quotes
  bool ahead(std::string_view sign_or_word) const { return kind_ != Kind::text && token_ == sign_or_word; }
  void next();
  /// Steps over it if it is ahead.
  bool take(std::string_view sign_or_word);
  void expect(std::string_view sign_or_word);
  std::string word(const std::string& what);
  std::string text(const std::string& what);
  /// A number, a text, or brackets with everything in them.
  UsdValue value();
  /// The value at the first time of `{ time: value, ... }`.
  UsdValue first_sample();
  [[noreturn]] void refuse(const std::string& expected) const;
  /// At a place that was passed.
  [[noreturn]] void refuse_at(std::size_t place, const std::string& message) const;
  std::size_t place() const { return start_; }

 private:
  void skip_space();
  void read_text(char quote);
  void add_to(UsdValue& value);
  std::string where(std::size_t place) const;

  std::string_view text_, token_;
  std::string name_;
  std::size_t at_ = 0, start_ = 0;
  Kind kind_ = Kind::end;
};

}  // namespace capstan::files
