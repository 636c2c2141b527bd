#include "scenarios/report/html.h"

#include <gtest/gtest.h>

namespace relist::report {
namespace {

TEST(Html, WhatMeansSomethingInAPageIsText) {
  EXPECT_EQ(EscapeHtml("<script>alert('x')</script> & \"y\""),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot;");
}

TEST(Html, WhatCannotBeSeenIsMadeVisible) {
  EXPECT_EQ(EscapeHtml(std::string_view("a\0b\x1b[31m\r\x7f", 10)), "a␀b␛[31m␍␡");
  EXPECT_EQ(EscapeHtml("\xc2\x9b|\u202e|\u2066|"), "\ufffd|\ufffd|\ufffd|");
  EXPECT_EQ(EscapeHtml("a\n\tb"), "a\n\tb");
}

TEST(Html, OtherLettersStayAndBytesThatAreNoneDoNot) {
  EXPECT_EQ(EscapeHtml("größer 日本 🙂 \u200b\u2028"), "größer 日本 🙂 \u200b\u2028");
  EXPECT_EQ(EscapeHtml("a\xff\xc3"), "a\ufffd\ufffd");
  EXPECT_EQ(EscapeHtml(""), "");
}

}  // namespace
}  // namespace relist::report
