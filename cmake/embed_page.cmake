# Makes SOURCE, a C++ file that holds the bytes of PAGE.
file(READ ${PAGE} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${SOURCE} "#include <string_view>

#include \"capstan/serve/viewer_page.hpp\"

namespace capstan::serve {

static const unsigned char bytes[] = {${bytes}};

std::string_view viewer_page() { return {reinterpret_cast<const char*>(bytes), sizeof bytes}; }

}  // namespace capstan::serve
")
