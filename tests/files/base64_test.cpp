#include "capstan/files/base64.hpp"

#include <gtest/gtest.h>

#include "capstan/errors.hpp"

namespace capstan::files {
namespace {

TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("a"), "YQ==");
  EXPECT_EQ(base64("abc"), "YWJj");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

TEST(Base64, ComesBack) {
  std::string bytes;
  for (int k = 0; k < 300; ++k) {
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
    bytes += static_cast<char>(37 * k);
  }
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text : {"YQ", "YQ=", "Y===", "YW!j", "YR==", "YQ==YWJj"})
    EXPECT_THROW(from_base64(text), InputError) << text;
}

}  // namespace
}  // namespace capstan::files
