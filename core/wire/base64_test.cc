#include "core/wire/base64.h"

#include <gtest/gtest.h>

#include <vector>

namespace relist {
namespace base64_test {

std::string Base64ErrorOf(std::string_view text) {
  Result<std::string> bytes = DecodeBase64(text);
  return bytes.ok() ? "" : bytes.error().message();
}

TEST(Base64, ComesBackAsItWent) {
  for (const std::string& text :
       std::vector<std::string>{"", "1", "12", "123", "1234", std::string("\0\xff\x80", 3)}) {
    EXPECT_EQ(*DecodeBase64(EncodeBase64(text)), text);
  }
  EXPECT_EQ(EncodeBase64("1"), "MQ==");
  EXPECT_EQ(*DecodeBase64("MT\nIz\r\n"), "123");
}

TEST(Base64, TheByteThatIsWrongIsNamed) {
  EXPECT_EQ(Base64ErrorOf("%%%"), "illegal base64 data at input byte 0");
  EXPECT_EQ(Base64ErrorOf("MT%z"), "illegal base64 data at input byte 2");
  EXPECT_EQ(Base64ErrorOf("MTI"), "illegal base64 data at input byte 3");
  EXPECT_EQ(Base64ErrorOf("M==="), "illegal base64 data at input byte 1");
  EXPECT_EQ(Base64ErrorOf("MQ=="
                          "MQ=="),
            "illegal base64 data at input byte 4");
}

TEST(Base64, OfUrlsHasNoPaddingAndItsOwnLetters) {
  EXPECT_EQ(EncodeBase64Url("\xfb\xef\xff"), "--__");
  for (const char* text : {"", "1", "12", "123", "1234"}) {
    const std::string encoded = EncodeBase64Url(text);
    EXPECT_EQ(encoded.find('='), std::string::npos);
    EXPECT_EQ(*DecodeBase64Url(encoded), text);
  }
  EXPECT_EQ(*DecodeBase64Url("MT\nIz"), "123");
  EXPECT_EQ(DecodeBase64Url("MTIzM").error().message(), "illegal base64 data at input byte 4");
  EXPECT_EQ(DecodeBase64Url("MQ==").error().message(), "illegal base64 data at input byte 2");
}

}  // namespace base64_test
}  // namespace relist
