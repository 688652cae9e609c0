#include "capstan/files/text_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "capstan/errors.hpp"

namespace capstan::files {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// For an error message: at most 32 printable characters.
std::string quoted(std::string_view token) {
  std::string result = "\"";
  for (const char c : token.substr(0, 32)) result += c > ' ' && c < 127 ? c : '?';
  return result + (token.size() > 32 ? "...\"" : "\"");
}

/// printf may write "+1", which from_chars does not take.
std::string_view without_plus(std::string_view token) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
  return token;
}

}  // namespace

void TextScanner::skip_space() {
  while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  token_ = position_;
}

std::string_view TextScanner::token_at(std::size_t position) const {
  std::size_t end = position;
  while (end < text_.size() && !is_space(text_[end])) ++end;
  return text_.substr(position, end - position);
}

std::optional<int> TextScanner::try_integer(std::string_view stops) {
  skip_space();
  std::string_view token = token_at(position_);
  token = token.substr(0, std::min(token.size(), token.find_first_of(stops, 1)));
  position_ += token.size();
  token = without_plus(token);
  int value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (token.empty() || error != std::errc() || end != token.data() + token.size()) return std::nullopt;
  return value;
}

int TextScanner::integer(std::string_view what, int low, int high, std::string_view stops) {
  const std::optional<int> value = try_integer(stops);
  if (value && *value >= low && *value <= high) return *value;
  const bool bounded = high != std::numeric_limits<int>::max();
  refuse(std::string(what) + (low == high ? ", " + std::to_string(low)
                                          : ", an integer " + (bounded ? "from " + std::to_string(low) +
                                                                             " to " + std::to_string(high)
                                                                       : ">= " + std::to_string(low))));
}

double TextScanner::number(std::string_view what) {
  skip_space();
  const std::string_view whole = token_at(position_), token = without_plus(whole);
  position_ += whole.size();
  double value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc::result_out_of_range) value = std::strtod(std::string(token).c_str(), nullptr);
  if (token.empty() || error == std::errc::invalid_argument || end != token.data() + token.size() ||
      !std::isfinite(value))
    refuse(std::string(what) + ", a finite number");
  return value;
}

void TextScanner::literal(std::string_view expected) {
  skip_space();
  if (text_.substr(position_, expected.size()) != expected) refuse(quoted(expected));
  position_ += expected.size();
}

bool TextScanner::ahead(std::string_view text) {
  skip_space();
  return text_.substr(position_, text.size()) == text;
}

void TextScanner::skip_line() {
  const std::size_t end = text_.find('\n', position_);
  position_ = end == std::string_view::npos ? text_.size() : end + 1;
}

bool TextScanner::at_end() {
  skip_space();
  return position_ == text_.size();
}

void TextScanner::require_room(long long count, const std::string& what) {
  const long long most = static_cast<long long>(text_.size() - position_ + 1) / 2;
  if (count <= most) return;
  refuse_with("the file ends too early: " + what + " needs " + std::to_string(count) +
              " numbers, but there is room for " + std::to_string(most) + " at most");
}

long long TextScanner::count_tokens(long long limit) const {
  long long count = 0;
  for (std::size_t k = position_; k < text_.size() && count < limit; ++count) {
    while (k < text_.size() && is_space(text_[k])) ++k;
    if (k == text_.size()) break;
    k += token_at(k).size();
  }
  return count;
}

void TextScanner::refuse(const std::string& expected) const {
  const std::string_view token = token_at(token_);
  refuse_with("found " + (token.empty() ? "the end of the file" : quoted(token)) + ", expected " + expected);
}

void TextScanner::refuse_with(const std::string& message) const {
  const std::string_view before = text_.substr(0, token_);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 = 0
  throw InputError(name_ + ":" + std::to_string(line) + ":" + std::to_string(token_ - line_start + 1) + ": " +
                   message);
}

}  // namespace capstan::files
