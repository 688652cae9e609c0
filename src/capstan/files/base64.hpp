#pragma once
#include <string>
#include <string_view>

namespace capstan::files {

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);
/// The bytes back; InputError unless the text is what base64() writes.
std::string from_base64(std::string_view text);

}  // namespace capstan::files
