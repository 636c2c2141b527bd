#include "reflector/rest/media_type.h"

#include <gtest/gtest.h>

namespace relist {
namespace media_type_test {

TEST(MediaType, IsInLowerCaseWithoutItsParameters) {
  for (const char* text :
       {"application/json", "Application/JSON;charset=utf-8", " application/json ; stream=watch;",
        "application/json; a=\"x;\\\"y\"; b = c", "application/json; a=b; a=b"}) {
    EXPECT_EQ(ParseMediaType(text).type, "application/json") << text;
    EXPECT_EQ(ParseMediaType(text).why, "") << text;
  }
  EXPECT_EQ(ParseMediaType("text").type, "text");
}

TEST(MediaType, SaysWhatIsWrongInGosWords) {
  const auto why = [](const char* text) { return ParseMediaType(text).why; };
  EXPECT_EQ(why(""), "mime: no media type");
  EXPECT_EQ(why("application json"), "mime: expected slash after first token");
  EXPECT_EQ(why("application/"), "mime: expected token after slash");
  EXPECT_EQ(why("application/json x"), "mime: unexpected content after media subtype");
  for (const char* text : {"a/b; charset", "a/b; =c", "a/b; x=", "a/b; x=\"y"}) {
    EXPECT_EQ(why(text), "mime: invalid media parameter") << text;
    EXPECT_EQ(ParseMediaType(text).type, "a/b") << text;
  }
  EXPECT_EQ(why("a/b; x=1; x=2"), "mime: duplicate parameter name");
  EXPECT_EQ(ParseMediaType("a/b; x=1; x=2").type, "");
}

}  // namespace media_type_test
}  // namespace relist
