#include "fuzz/mutation.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "capstan/random.hpp"

namespace capstan::fuzz {
namespace {

constexpr std::size_t kLargestInput = 1 << 16;

constexpr std::array<std::string_view, 28> kNastyWords{
    "nan", "-inf",  "1e999",  "-1",    "0",  "2147483647", "-2147483648", "4294967296",
    "0.5", "1e308", "1e-400", ":",     "-",  "+",          "3",           "99999999999999999999",
    "[",   "]",     "{",      "}",     "\"", "<",          "1e16",        "-0",
    ",",   "\n",    "(",      "1e-320"};
constexpr std::array<std::uint64_t, 12> kNastyNumbers{0,
                                                      1,
                                                      0xff,
                                                      0x7fff,
                                                      0xffff,
                                                      0x7fffffff,
                                                      0x80000000,
                                                      0xffffffff,
                                                      0x7fffffffffffffff,
                                                      0x8000000000000000,
                                                      0xffffffffffffffff,
                                                      0x7ff0000000000000};

/// Numbers from a seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::uint64_t next() { return random_.bits(); }
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : next() % bound; }

 private:
  Random random_;
};

struct Piece {
  std::size_t begin, size;
};

Piece piece_of(const std::string& bytes, Dice& dice) {
  const std::size_t begin = dice.below(bytes.size() + 1);
  const std::size_t most = std::min<std::size_t>(bytes.size() - begin, dice.below(4) ? 16 : bytes.size());
  return {begin, dice.below(most + 1)};
}

void flip_bit(std::string& bytes, Dice& dice) {
  if (!bytes.empty()) bytes[dice.below(bytes.size())] ^= static_cast<char>(1 << dice.below(8));
}

void set_byte(std::string& bytes, Dice& dice) {
  if (!bytes.empty()) bytes[dice.below(bytes.size())] = static_cast<char>(dice.next());
}

void set_number(std::string& bytes, Dice& dice) {
  const std::size_t width = std::size_t(1) << dice.below(4);
  if (bytes.size() < width) return;
  const std::size_t at = dice.below(bytes.size() - width + 1);
  std::uint64_t value = kNastyNumbers[dice.below(kNastyNumbers.size())];
  if (dice.below(2) == 0) {  // near to what was there
    std::memcpy(&value, bytes.data() + at, width);
    value += dice.below(33) - 16;
  }
  std::memcpy(bytes.data() + at, &value, width);
}

bool is_word(char c) { return c > ' ' && c != ',' && c != '[' && c != ']' && c != '(' && c != ')'; }

/// Replaces the word at a random place.
void set_word(std::string& bytes, Dice& dice) {
  std::size_t begin = dice.below(bytes.size() + 1), end = begin;
  while (begin > 0 && is_word(bytes[begin - 1])) --begin;
  while (end < bytes.size() && is_word(bytes[end])) ++end;
  bytes.replace(begin, end - begin, kNastyWords[dice.below(kNastyWords.size())]);
}

void change_digit(std::string& bytes, Dice& dice) {
  const std::size_t from = dice.below(bytes.size() + 1);
  const std::size_t at = bytes.find_first_of("0123456789.e-", from);
  if (at != std::string::npos) bytes[at] = "0123456789.e-"[dice.below(13)];
}

void cut(std::string& bytes, Dice& dice) {
  const Piece piece = piece_of(bytes, dice);
  bytes.erase(piece.begin, piece.size);
}

void shorten(std::string& bytes, Dice& dice) { bytes.resize(dice.below(bytes.size() + 1)); }

void repeat(std::string& bytes, Dice& dice) {
  const Piece piece = piece_of(bytes, dice);
  const std::string copy = bytes.substr(piece.begin, piece.size);
  std::string copies;
  for (std::size_t left = 1 + (dice.below(8) ? 0 : dice.below(200)); left > 0; --left) copies += copy;
  bytes.insert(dice.below(2) ? piece.begin : dice.below(bytes.size() + 1), copies);
}

void insert_word(std::string& bytes, Dice& dice) {
  bytes.insert(dice.below(bytes.size() + 1), kNastyWords[dice.below(kNastyWords.size())]);
}

void splice(std::string& bytes, const std::string& other, Dice& dice) {
  const Piece from = piece_of(other, dice), to = piece_of(bytes, dice);
  bytes.replace(to.begin, to.size, other, from.begin, from.size);
}

void change(std::string& bytes, const std::vector<std::string>& seeds, Dice& dice) {
  switch (dice.below(10)) {
    case 0:
      return flip_bit(bytes, dice);
    case 1:
      return set_byte(bytes, dice);
    case 2:
      return set_number(bytes, dice);
    case 3:
      return set_word(bytes, dice);
    case 4:
      return change_digit(bytes, dice);
    case 5:
      return cut(bytes, dice);
    case 6:
      return dice.below(4) ? cut(bytes, dice) : shorten(bytes, dice);
    case 7:
      return repeat(bytes, dice);
    case 8:
      return insert_word(bytes, dice);
    default:
      return splice(bytes, seeds[dice.below(seeds.size())], dice);
  }
}

}  // namespace

std::string mutated(const std::vector<std::string>& seeds, std::uint64_t seed) {
  Dice dice(seed);
  std::string bytes = seeds[dice.below(seeds.size())];
  const std::size_t changes = 1 + (dice.below(3) ? dice.below(2) : dice.below(8));
  for (std::size_t k = 0; k < changes; ++k) change(bytes, seeds, dice);
  if (bytes.size() > kLargestInput) bytes.resize(kLargestInput);
  return bytes;
}

}  // namespace capstan::fuzz
