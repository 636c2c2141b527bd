#include "core/wire/quote.h"

#include <gtest/gtest.h>

namespace relist {
namespace quote_test {

TEST(Quote, WhatCannotBeSeenIsEscaped) {
  EXPECT_EQ(QuoteText("a\"b\\c\n\t\r", HexCase::kLower), R"("a\"b\\c\n\t\r")");
  EXPECT_EQ(QuoteText("\x1f\x7f", HexCase::kLower), R"("\x1f\x7f")");
  EXPECT_EQ(QuoteText("\x1f", HexCase::kUpper), R"("\x1F")");
}

TEST(Quote, AByteThatIsNoPartOfUtf8IsEscapedAndACharacterIsNot) {
  EXPECT_EQ(QuoteText("\xff", HexCase::kLower), R"("\xff")");
  EXPECT_EQ(QuoteText("\xff\xe2\x82x", HexCase::kLower), R"("\xff\xe2\x82x")");
  EXPECT_EQ(QuoteText("\xe2\x82\xac \xd9\xa1", HexCase::kLower), "\"\xe2\x82\xac \xd9\xa1\"");
}

TEST(Quote, AShellReadsOneWord) {
  EXPECT_EQ(ShellWord("a/b-1.yaml"), "a/b-1.yaml");
  EXPECT_EQ(ShellWord("a b;c"), "'a b;c'");
  EXPECT_EQ(ShellWord("it's"), R"('it'\''s')");
  EXPECT_EQ(ShellWord(""), "''");
}

}  // namespace quote_test
}  // namespace relist
