#include "capstan/scene/table_reader.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "capstan/errors.hpp"
#include "capstan/scene/suggest.hpp"

namespace capstan::scene_text {
namespace {

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

/// "a number > 0", "3 numbers"
std::string with_article(const KeyInfo& key) {
  const bool several = key.type.front() >= '0' && key.type.front() <= '9';
  const char* article = several ? "" : key.type == "integer" ? "an " : "a ";
  return article + key.type + key.range.text();
}

}  // namespace

void Errors::throw_if_any() const {
  if (found_.empty()) return;
  std::vector<Found> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Found& a, const Found& b) { return a.at < b.at; });
  std::string text;
  for (const Found& found : sorted) {
    if (!text.empty()) text += "\n";
    text += text_of(found.at) + ": " + found.message;
  }
  throw InputError(text);
}

std::string Errors::text_of(Position at) const {
  return file_name_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string TableReader::place() const { return errors_->text_of(table_->at); }

const KeyInfo& TableReader::info(const std::string& key) const {
  if (const KeyInfo* found = find_key(section_, key)) return *found;
  throw std::logic_error("scene key " + section_ + "." + key + " is read but not declared");
}

const Value* TableReader::take(const std::string& key) {
  info(key);
  asked_.insert(key);
  const Entry* entry = table_->find(key);
  return entry ? &entry->value : nullptr;
}

void TableReader::note_wrong(const Value& value, const std::string& key, const std::string& expected) {
  errors_->add(value.at, name(key) + ": is " + shown(value) + ", expected " + expected);
}

void TableReader::missing(const std::string& key) {
  if (undecided_) return;
  const std::vector<std::string>& choices = info(key).choices;
  undecided_ = !choices.empty();
  errors_->add(table_->at, name(key) + ": is missing, expected " +
                               (choices.empty() ? with_article(info(key)) : listed(choices)));
}

void TableReader::wrong(const std::string& key, const std::string& expected) {
  if (!undecided_) note(key, expected);
}

void TableReader::note(const std::string& key, const std::string& expected) {
  if (const Entry* entry = table_->find(key))
    note_wrong(entry->value, key, expected);
  else  // its value is the default, or follows from others
    errors_->add(table_->at, name(key) + ": is missing, expected " + expected);
}

void TableReader::wrong_item(const std::string& key, std::size_t item, const std::string& message) {
  errors_->add(table_->find(key)->value.items[item].at, name(key) + ": " + message);
}

void TableReader::wrong_word(const std::string& key, const std::vector<std::string>& words) {
  const Entry* entry = table_->find(key);
  note(key, listed(words) + did_you_mean(entry ? entry->value.text : "", words));
}

void TableReader::wrong_obstacle(const std::string& key, const std::vector<std::string>& names) {
  if (names.empty())
    wrong(key, "the name of an obstacle, but there is none above");
  else
    wrong_word(key, names);
}

bool TableReader::check_range(const std::string& key, const Value& value) {
  if (info(key).range.contains(value.number)) return true;
  note_wrong(value, key,
             (std::isfinite(value.number) ? "a number" : "a finite number") + info(key).range.text());
  return false;
}

std::optional<double> TableReader::number(const std::string& key) {
  const Value* value = take(key);
  if (!value) return {};
  if (!value->is_number()) {
    note_wrong(*value, key, "a number" + info(key).range.text());
    return {};
  }
  return check_range(key, *value) ? std::optional(value->number) : std::nullopt;
}

std::optional<long long> TableReader::wide_integer(const std::string& key) {
  const Value* value = take(key);
  if (!value) return {};
  if (value->kind != Value::Kind::integer || !info(key).range.contains(value->number)) {
    note_wrong(*value, key, "an integer" + info(key).range.text());
    return {};
  }
  return value->integer;
}

std::optional<int> TableReader::integer(const std::string& key) {
  const std::optional<long long> value = wide_integer(key);
  return value ? std::optional(int(*value)) : std::nullopt;
}

std::optional<bool> TableReader::boolean(const std::string& key) {
  const Value* value = take(key);
  if (!value) return {};
  if (value->kind == Value::Kind::boolean) return value->flag;
  note_wrong(*value, key, "true or false");
  return {};
}

std::optional<std::string> TableReader::text(const std::string& key) {
  const Value* value = take(key);
  if (!value) return {};
  const std::vector<std::string>& choices = info(key).choices;
  if (value->kind != Value::Kind::text) {
    undecided_ = !choices.empty();
    note_wrong(*value, key, choices.empty() ? "a text" : listed(choices));
    return {};
  }
  if (value->text.empty() && key != "title" && choices.empty()) {
    note_wrong(*value, key, "a text with letters");
    return {};
  }
  if (choices.empty() || std::find(choices.begin(), choices.end(), value->text) != choices.end())
    return value->text;
  undecided_ = true;
  wrong_word(key, choices);
  return {};
}

std::optional<std::filesystem::path> TableReader::file(const std::string& key,
                                                       const std::filesystem::path& folder) {
  const std::optional<std::string> name = text(key);
  if (!name) return {};
  const std::filesystem::path path = folder / *name;
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type == std::filesystem::file_type::directory)
    wrong(key, "a file, but this is a folder");
  else if (!std::filesystem::exists(path, error))
    wrong(key, "a file, but there is none at " + path.string());
  return path;
}

std::optional<std::vector<double>> TableReader::numbers(const std::string& key, const Value& list,
                                                        std::size_t count) {
  if (list.kind != Value::Kind::list || list.items.size() != count) {
    note_wrong(list, key, "a list of " + std::to_string(count) + " numbers");
    return {};
  }
  std::vector<double> result;
  for (const Value& item : list.items) {
    if (!item.is_number()) {
      note_wrong(item, key, "a number" + info(key).range.text());
      return {};
    }
    if (!check_range(key, item)) return {};
    result.push_back(item.number);
  }
  return result;
}

std::optional<Eigen::Vector3d> TableReader::vector(const std::string& key) {
  const Value* value = take(key);
  const auto found = value ? numbers(key, *value, 3) : std::nullopt;
  return found ? std::optional(Eigen::Vector3d((*found)[0], (*found)[1], (*found)[2])) : std::nullopt;
}

std::optional<Eigen::Vector3d> TableReader::direction(const std::string& key) {
  const std::optional<Eigen::Vector3d> found = vector(key);
  if (!found) return {};
  if (found->norm() > 0) return found->normalized();
  errors_->add(table_->find(key)->value.at, name(key) + ": is [0, 0, 0], expected a direction");
  return {};
}

std::optional<Eigen::Vector2d> TableReader::pair(const std::string& key) {
  const Value* value = take(key);
  const auto found = value ? numbers(key, *value, 2) : std::nullopt;
  return found ? std::optional(Eigen::Vector2d((*found)[0], (*found)[1])) : std::nullopt;
}

std::optional<Eigen::Vector2d> TableReader::number_or_pair(const std::string& key) {
  const Value* value = take(key);
  if (!value || !value->is_number()) return pair(key);
  return check_range(key, *value) ? std::optional(Eigen::Vector2d(value->number, value->number))
                                  : std::nullopt;
}

std::optional<std::vector<Eigen::Vector3d>> TableReader::points(const std::string& key) {
  const Value* value = take(key);
  if (!value) return {};
  if (value->kind != Value::Kind::list) {
    note_wrong(*value, key, "a list of points [x, y, z]");
    return {};
  }
  std::vector<Eigen::Vector3d> result;
  for (const Value& item : value->items) {
    const auto found = numbers(key, item, 3);
    if (!found) return {};
    result.emplace_back((*found)[0], (*found)[1], (*found)[2]);
  }
  return result;
}

std::optional<std::vector<std::string>> TableReader::two_texts(const std::string& key) {
  const Value* value = take(key);
  if (!value) return {};
  if (value->kind != Value::Kind::list || value->items.size() != 2) {
    note_wrong(*value, key, "a list of 2 names");
    return {};
  }
  std::vector<std::string> result;
  for (const Value& item : value->items) {
    if (item.kind != Value::Kind::text) {
      note_wrong(item, key, "a name");
      return {};
    }
    result.push_back(item.text);
  }
  return result;
}

TableReader TableReader::below(const Value& table, const std::string& section, const std::string& key) const {
  TableReader reader(table, section, name(key), *errors_);
  reader.undecided_ = undecided_;
  return reader;
}

std::optional<TableReader> TableReader::table(const std::string& key, const std::string& section) {
  const Value* value = take(key);
  if (!value) return {};
  if (value->kind == Value::Kind::table) return below(*value, section, key);
  note_wrong(*value, key, "a table: [" + name(key) + "]");
  return {};
}

std::vector<TableReader> TableReader::tables(const std::string& key, const std::string& section) {
  const Value* value = take(key);
  std::vector<TableReader> result;
  if (!value) return result;
  const std::string expected = "a list of tables: [[" + name(key) + "]]";
  if (value->kind != Value::Kind::list) {
    note_wrong(*value, key, expected);
    return result;
  }
  for (const Value& item : value->items) {
    if (item.kind == Value::Kind::table)
      result.push_back(below(item, section, key));
    else
      note_wrong(item, key, expected);
  }
  return result;
}

void TableReader::finish() {
  for (const Entry& entry : table_->entries) {
    if (asked_.count(entry.key)) continue;
    if (find_key(section_, entry.key) && undecided_) continue;
    if (find_key(section_, entry.key))
      errors_->add(entry.at, name(entry.key) + ": has no meaning here" +
                                 (decided_.empty() ? "" : " with " + decided_) + ", expected no such key");
    else
      errors_->add(entry.at, name(entry.key) + ": unknown key" + did_you_mean(entry.key, keys_of(section_)));
  }
}

}  // namespace capstan::scene_text
