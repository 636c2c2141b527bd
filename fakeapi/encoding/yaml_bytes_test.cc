#include "fakeapi/encoding/yaml_bytes.h"

#include <gtest/gtest.h>

namespace relist::fakeapi {
namespace yaml_bytes_test {

std::string Read(std::string_view bytes) {
  const Result<std::string> text = ReadYamlBytes(bytes);
  return text.ok() ? *text : text.error().message();
}

TEST(YamlBytes, AreUtf8AndNothingElse) {
  EXPECT_EQ(Read("a: \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
            "a: \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(Read("a: \xff"), "yaml: invalid leading UTF-8 octet");
  EXPECT_EQ(Read("# \x80"), "yaml: invalid leading UTF-8 octet");
  EXPECT_EQ(Read("\xe2\x28\xa1"), "yaml: invalid trailing UTF-8 octet");
  EXPECT_EQ(Read("\xe2\x82"), "yaml: incomplete UTF-8 octet sequence");
  EXPECT_EQ(Read("\xc0\x80"), "yaml: invalid length of a UTF-8 sequence");
  EXPECT_EQ(Read("\xed\xa0\x80"), "yaml: invalid Unicode character");
  EXPECT_EQ(Read("\xf4\x90\x80\x80"), "yaml: invalid Unicode character");
}

TEST(YamlBytes, HoldNoControlCharacters) {
  const std::string wrong = "yaml: control characters are not allowed";
  for (const std::string_view bad :
       {std::string_view("\0", 1), std::string_view("\x01"), std::string_view("\x1b"),
        std::string_view("\x0c"), std::string_view("\x7f"), std::string_view("\xc2\x80"),
        std::string_view("\xef\xbf\xbe"), std::string_view("\xef\xbf\xbf"),
        std::string_view("k\0i\0", 4)}) {
    EXPECT_EQ(Read(bad), wrong);
  }
  EXPECT_EQ(Read("\ta\xef\xbf\xbd\xc2\xa0"), "\ta\xef\xbf\xbd\xc2\xa0");
}

TEST(YamlBytes, MayBeUtf16WhereAMarkSaysSo) {
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(Read("\xff\xfe"
                 "a\0\xac\x20\x3d\xd8\x00\xde\r\0\n\0"sv),
            "a\xe2\x82\xac\xf0\x9f\x98\x80\r\n");
  EXPECT_EQ(Read("\xfe\xff\0a\0\r\0\n"sv), "a\r\n");
  EXPECT_EQ(Read("\xff\xfe"
                 "a"sv),
            "yaml: incomplete UTF-16 character");
  EXPECT_EQ(Read("\xff\xfe\x00\xdc"sv), "yaml: unexpected low surrogate area");
  EXPECT_EQ(Read("\xff\xfe\x00\xd8"sv), "yaml: incomplete UTF-16 surrogate pair");
  EXPECT_EQ(Read("\xff\xfe\x00\xd8\n\0"sv), "yaml: expected low surrogate area");
  EXPECT_EQ(Read("\xff\xfe\0\0k\0\0\0"sv), "yaml: control characters are not allowed") << "UTF-32";
  EXPECT_EQ(Read("\xef\xbb\xbf"
                 "a"),
            "a");
}

TEST(YamlBytes, HaveOneLineBreak) {
  EXPECT_EQ(Read("a\rb\r\nc\xc2\x85"
                 "d\r"),
            "a\nb\r\nc\nd\n");
}

}  // namespace yaml_bytes_test
}  // namespace relist::fakeapi
