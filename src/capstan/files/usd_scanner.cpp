#include "capstan/files/usd_scanner.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "capstan/errors.hpp"

namespace capstan::files {
namespace {

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ';'; }
bool is_sign(char c) { return std::string_view("()[]{}=,:").find(c) != std::string_view::npos; }

std::optional<double> number_in(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

UsdScanner::UsdScanner(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {
  next();
}

void UsdScanner::skip_space() {
  while (at_ < text_.size() && (is_white(text_[at_]) || text_[at_] == '#')) {
    if (text_[at_] == '#')
      at_ = std::min(text_.find('\n', at_), text_.size());
    else
      ++at_;
  }
}

void UsdScanner::read_text(char quote) {
  const std::string triple(3, quote);
  const bool long_text = quote != '@' && text_.substr(at_, 3) == triple;
  const std::size_t width = long_text ? 3 : 1, begin = at_ + width;
  std::size_t end = begin;
  while (end < text_.size() && text_.substr(end, width) != (long_text ? triple : std::string(1, quote)))
    end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) refuse_at(start_, "a text begins here that does not end");
  token_ = text_.substr(begin, end - begin);
  at_ = end + width;
  kind_ = Kind::text;
}

void UsdScanner::next() {
  skip_space();
  start_ = at_;
  if (at_ == text_.size()) {
    kind_ = Kind::end;
    token_ = {};
    return;
  }
  const char c = text_[at_];
  if (c == '"' || c == '\'' || c == '@') return read_text(c);
  if (c == '<') {
    const std::size_t end = text_.find('>', at_);
    if (end == std::string_view::npos) refuse_at(start_, "a path begins here that does not end");
    token_ = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    kind_ = Kind::text;
    return;
  }
  std::size_t end = at_ + 1;
  kind_ = is_sign(c) ? Kind::sign : Kind::word;
  // Names such as xformOp:translate have colons, which are signs elsewhere (0: value).
  while (kind_ == Kind::word && end < text_.size() && !is_white(text_[end]) && text_[end] != '#' &&
         (!is_sign(text_[end]) || (text_[end] == ':' && std::isalpha(static_cast<unsigned char>(c)))))
    ++end;
  token_ = text_.substr(at_, end - at_);
  at_ = end;
}

bool UsdScanner::take(std::string_view sign_or_word) {
  if (!ahead(sign_or_word)) return false;
  next();
  return true;
}

void UsdScanner::expect(std::string_view sign_or_word) {
  if (!take(sign_or_word)) refuse("'" + std::string(sign_or_word) + "'");
}

std::string UsdScanner::word(const std::string& what) {
  if (kind_ != Kind::word) refuse(what);
  std::string result(token_);
  next();
  return result;
}

std::string UsdScanner::text(const std::string& what) {
  if (kind_ != Kind::text) refuse(what);
  std::string result(token_);
  next();
  return result;
}

void UsdScanner::add_to(UsdValue& value) {
  if (kind_ == Kind::end) refuse("the end of a value");
  if (kind_ == Kind::text) {
    value.words.emplace_back(token_);
  } else if (kind_ == Kind::word) {
    if (const std::optional<double> number = number_in(token_))
      value.numbers.push_back(*number);
    else
      value.words.emplace_back(token_);
  }
}

UsdValue UsdScanner::value() {
  UsdValue value;
  std::string open;  // brackets that are still to be closed
  do {
    const char sign = kind_ == Kind::sign ? token_[0] : ' ';
    if (sign == '(' || sign == '[' || sign == '{') {
      open += sign == '(' ? ')' : sign == '[' ? ']' : '}';
    } else if (sign == ')' || sign == ']' || sign == '}') {
      if (open.empty() || open.back() != sign)
        refuse(open.empty() ? "a value" : "'" + open.substr(open.size() - 1) + "'");
      open.pop_back();
    } else if (sign != ' ' && open.empty()) {
      refuse("a value");
    }
    add_to(value);
    next();
  } while (!open.empty());
  return value;
}

UsdValue UsdScanner::first_sample() {
  expect("{");
  if (take("}")) return {};
  const UsdValue time = value();
  if (time.numbers.size() != 1) refuse("a time before this");
  expect(":");
  const UsdValue result = value();
  while (take(",")) {
    if (ahead("}")) break;
    value();
    expect(":");
    value();
  }
  expect("}");
  return result;
}

std::string UsdScanner::where(std::size_t place) const {
  const std::string_view before = text_.substr(0, std::min(place, text_.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return name_ + ":" + std::to_string(lines + 1) + ":" + std::to_string(before.size() - line_start + 1) +
         ": ";
}

void UsdScanner::refuse(const std::string& expected) const {
  std::string found;
  for (const char c : token_.substr(0, 32)) found += c >= ' ' && c < 127 ? c : '?';
  throw InputError(where(start_) + "found " +
                   (kind_ == Kind::end ? "the end of the file" : "\"" + found + "\"") + ", expected " +
                   expected);
}

void UsdScanner::refuse_at(std::size_t place, const std::string& message) const {
  throw InputError(where(place) + message);
}

}  // namespace capstan::files
