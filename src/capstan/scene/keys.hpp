#pragma once
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// The one list of what a scene may say. The reader checks types and ranges against it, docs/scene.md is
/// made from it.
namespace capstan {

struct KeyRange {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_included = true, high_included = true;

  bool contains(double value) const;
  std::string text() const;  ///< " > 0", " from 0 to 1", or nothing
};

struct KeyInfo {
  std::string section;  ///< a name from scene_sections()
  std::string key;
  std::string type;      ///< number, integer, boolean, text, 3 numbers, list of 3 numbers, table, tables ...
  std::string unit;      ///< SI; "" for none
  std::string fallback;  ///< as TOML; "required", or words where it depends
  std::string meaning;
  KeyRange range = {};                    ///< of a number, or of each number of a list
  std::vector<std::string> choices = {};  ///< the texts that are allowed; empty: any
};

struct SectionInfo {
  std::string name;
  std::string header;              ///< how it is written: [[strand]]
  std::vector<std::string> bases;  ///< sections whose keys it has too
  std::string meaning;
};

const std::vector<SectionInfo>& scene_sections();
const std::vector<KeyInfo>& scene_keys();
std::vector<KeyInfo> soft_keys();  ///< the part of them that is about cloth and soft solids
/// nullptr if the section (with what it is based on) has no such key.
const KeyInfo* find_key(std::string_view section, std::string_view key);
/// Of a section and of what it is based on.
std::vector<std::string> keys_of(std::string_view section);
/// One Markdown table a section, as docs/scene.md has them.
std::string key_tables();

}  // namespace capstan
