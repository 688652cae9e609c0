#pragma once
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "capstan/errors.hpp"

/// Reading of foreign bytes with a library that may not survive them: it happens in a child process, which
/// hands plain numbers over.
namespace capstan::files {

/// Numbers and texts as bytes, in the order in which they were put.
class ParcelWriter {
 public:
  template <typename Number>
  ParcelWriter& put(const Number& value) {
    static_assert(std::is_trivially_copyable_v<Number>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  template <typename Number>
  ParcelWriter& put_list(const Number* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Number>);
    put(count);
    if (count > 0) bytes_.append(reinterpret_cast<const char*>(values), count * sizeof(Number));
    return *this;
  }
  ParcelWriter& put_text(std::string_view text) { return put_list(text.data(), text.size()); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// The same back. Throws InputError at the end of the bytes: the child did not finish.
class ParcelReader {
 public:
  ParcelReader(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
  template <typename Number>
  Number get() {
    Number value;
    std::memcpy(&value, take(1, sizeof value), sizeof value);
    return value;
  }
  template <typename Number>
  std::vector<Number> get_list() {
    const std::size_t count = get<std::size_t>();
    const char* first = take(count, sizeof(Number));
    std::vector<Number> values(count);
    if (count > 0) std::memcpy(values.data(), first, count * sizeof(Number));
    return values;
  }
  std::string get_text() {
    const std::size_t count = get<std::size_t>();
    return std::string(take(count, 1), count);
  }

 private:
  const char* take(std::size_t count, std::size_t size) {
    if (count > bytes_.size() / size) throw InputError(name_ + ": is damaged: it cannot be read whole");
    const char* first = bytes_.data();
    bytes_.remove_prefix(count * size);
    return first;
  }

  std::string_view bytes_;
  std::string name_;
};

/// Returns what `work` returns in a child process, or throws its InputError. Throws InputError too if the
/// child ends by a signal, takes more memory than 256 bytes for each of `file_bytes` and 256 MB, or more than
/// 30 s of processor time and one for each MB of the file: the file `name` is damaged then, and this process
/// has not been touched. `work` must not need threads other than its own.
std::string in_child_process(const std::string& name, std::size_t file_bytes,
                             const std::function<std::string()>& work);

}  // namespace capstan::files
