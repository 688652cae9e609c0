#pragma once
#include <string>
#include <vector>

namespace capstan {

/// Letters to insert, delete, change or swap with their neighbour to turn one word into the other.
int edit_distance(const std::string& from, const std::string& to);

/// "; did you mean 'word'?" with the nearest word, or nothing if none is near.
std::string did_you_mean(const std::string& wrong, const std::vector<std::string>& words);

}  // namespace capstan
