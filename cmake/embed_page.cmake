# Makes SOURCE, a C++ file that holds the bytes of PAGE.
file(READ ${PAGE} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${hex}")
file(WRITE ${SOURCE} "#include <string_view>

#include \"capstan/serve/viewer_page.hpp\"

namespace capstan::serve {

// One literal, which a compiler reads at once; of a list it makes a number a byte.
static const char bytes[] = \"${bytes}\";

std::string_view viewer_page() { return {bytes, sizeof bytes - 1}; }

}  // namespace capstan::serve
")
