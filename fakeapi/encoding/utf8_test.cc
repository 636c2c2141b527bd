#include "fakeapi/encoding/utf8.h"

#include <gtest/gtest.h>

namespace relist::fakeapi {
namespace utf8_test {

TEST(Utf8, WhatIsGoodStaysAndEveryOtherByteIsReplaced) {
  const std::string good = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80";
  EXPECT_EQ(MendUtf8(good), good);
  EXPECT_EQ(MendUtf8("a\xff"), "a\xef\xbf\xbd");
  EXPECT_EQ(MendUtf8("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");  // cut short
  EXPECT_EQ(Utf8SequenceAt("\xc0\x80", 0), 0u);                 // overlong
  EXPECT_EQ(Utf8SequenceAt("\xed\xa0\x80", 0), 0u);             // half of a pair
  EXPECT_EQ(Utf8SequenceAt("\xf4\x90\x80\x80", 0), 0u);         // above U+10FFFF
}

}  // namespace utf8_test
}  // namespace relist::fakeapi
