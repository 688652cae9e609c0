#include "capstan/solve/sweep/colouring.hpp"

#include <algorithm>
#include <cstdint>

namespace capstan {
namespace {

/// Colours in use at each body, as rows of bits.
class ColourTable {
 public:
  explicit ColourTable(int bodies) : bodies_(bodies), words_(1), bits_(bodies, 0) {}
  int words() const { return words_; }
  std::uint64_t used(int body, int word) const { return bits_[std::size_t(word) * bodies_ + body]; }
  void mark(int body, int colour) {
    while (colour / 64 >= words_) {
      bits_.resize(bits_.size() + bodies_, 0);
      ++words_;
    }
    bits_[std::size_t(colour / 64) * bodies_ + body] |= std::uint64_t(1) << (colour % 64);
  }

 private:
  std::size_t bodies_;
  int words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

std::vector<std::vector<int>> colour_contacts(const ContactJacobian& H) {
  ColourTable table(H.bodies());
  std::vector<std::vector<int>> colours;
  for (int i = 0; i < H.contacts(); ++i) {
    int chosen = -1;
    for (int word = 0; word < table.words(); ++word) {
      std::uint64_t used = 0;
      for (int k = H.begin(i); k < H.end(i); ++k) used |= table.used(H.body(k), word);
      for (int c = word * 64; c < std::min<int>(word * 64 + 64, static_cast<int>(colours.size())); ++c)
        if (!(used >> (c % 64) & 1) && (chosen < 0 || colours[c].size() < colours[chosen].size())) chosen = c;
    }
    if (chosen < 0) {
      chosen = static_cast<int>(colours.size());
      colours.emplace_back();
    }
    colours[chosen].push_back(i);
    for (int k = H.begin(i); k < H.end(i); ++k) table.mark(H.body(k), chosen);
  }
  return colours;
}

}  // namespace capstan
