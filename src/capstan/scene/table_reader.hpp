#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capstan/scene/keys.hpp"
#include "capstan/scene/toml_value.hpp"

namespace capstan::scene_text {

/// What is wrong with a scene, all of it, so that one look repairs it.
class Errors {
 public:
  explicit Errors(std::string file_name) : file_name_(std::move(file_name)) {}
  void add(Position at, const std::string& message) { found_.push_back({at, message}); }
  bool empty() const { return found_.empty(); }
  /// file:line:column
  std::string text_of(Position at) const;
  /// InputError with one line "file:line:column: message" an error, in the order of the text.
  void throw_if_any() const;

 private:
  struct Found {
    Position at;
    std::string message;
  };
  std::string file_name_;
  std::vector<Found> found_;
};

/// One table of a scene while it is read. Type and range of a key come from scene_keys(); a wrong value is
/// noted and the fallback returned, so that reading goes on. finish() notes every key that nobody asked for.
/// After a choice that does not exist (a misspelt shape) nothing is noted that depends on other keys: missing
/// keys, keys without meaning, wrong().
class TableReader {
 public:
  /// `path` is how messages call the table: strand.root.
  TableReader(const Value& table, std::string section, std::string path, Errors& errors)
      : table_(&table), section_(std::move(section)), path_(std::move(path)), errors_(&errors) {}

  bool has(const std::string& key) const { return table_->find(key) != nullptr; }
  Position position() const { return table_->at; }
  std::string place() const;  ///< file:line:column
  const std::string& path() const { return path_; }

  std::optional<double> number(const std::string& key);
  std::optional<int> integer(const std::string& key);
  std::optional<long long> wide_integer(const std::string& key);
  std::optional<bool> boolean(const std::string& key);
  std::optional<std::string> text(const std::string& key);
  /// Path of a file, which must be there; relative ones begin at `folder`.
  std::optional<std::filesystem::path> file(const std::string& key, const std::filesystem::path& folder);
  std::optional<Eigen::Vector3d> vector(const std::string& key);
  /// Not zero, made a unit vector.
  std::optional<Eigen::Vector3d> direction(const std::string& key);
  std::optional<Eigen::Vector2d> pair(const std::string& key);
  /// A single number stands for two equal ones.
  std::optional<Eigen::Vector2d> number_or_pair(const std::string& key);
  std::optional<std::vector<Eigen::Vector3d>> points(const std::string& key);
  std::optional<std::vector<std::string>> two_texts(const std::string& key);
  std::optional<TableReader> table(const std::string& key, const std::string& section);
  std::vector<TableReader> tables(const std::string& key, const std::string& section);

  /// Notes that the key is missing and gives the fallback, if there is no value.
  template <class T>
  T required(const std::string& key, std::optional<T> value, T fallback = T()) {
    if (!value && !has(key)) missing(key);
    return value.value_or(fallback);
  }
  void missing(const std::string& key);
  /// "path.key: is X, expected ...", at the value; or "is missing", at the table, if there is no such key.
  void wrong(const std::string& key, const std::string& expected);
  /// The same at an item of a list.
  void wrong_item(const std::string& key, std::size_t item, const std::string& message);
  /// "path.key: is X, expected one of the words; did you mean ..."
  void wrong_word(const std::string& key, const std::vector<std::string>& words);
  void wrong_obstacle(const std::string& key, const std::vector<std::string>& names);
  /// In messages about keys that are of no use beside this choice.
  void decided_by(const std::string& key, const std::string& value) { decided_ = key + " = '" + value + "'"; }
  void finish();

 private:
  const KeyInfo& info(const std::string& key) const;
  const Value* take(const std::string& key);
  TableReader below(const Value& table, const std::string& section, const std::string& key) const;
  bool check_range(const std::string& key, const Value& value);
  std::optional<std::vector<double>> numbers(const std::string& key, const Value& list, std::size_t count);
  std::string name(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
  void note(const std::string& key, const std::string& expected);
  void note_wrong(const Value& value, const std::string& key, const std::string& expected);

  const Value* table_;
  std::string section_, path_, decided_;
  // Whether a choice (a shape, a model) is unknown: what other keys should be cannot be said then.
  bool undecided_ = false;
  Errors* errors_;
  std::set<std::string> asked_;
};

}  // namespace capstan::scene_text
