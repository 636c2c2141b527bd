#include "core/wire/list_options.h"

#include <gtest/gtest.h>

#include "core/wire/resource_version.h"

namespace relist::list_options_test {

TEST(ListOptions, LeaveOutZeroValues) {
  EXPECT_EQ(ListOptions{}.ToQuery(), "");
  ListOptions options;
  options.resource_version = "0";
  options.limit = 500;
  EXPECT_EQ(options.ToQuery(), "limit=500&resourceVersion=0");
}

TEST(ListOptions, AreSortedByName) {
  ListOptions options;
  options.watch = true;
  options.timeout_seconds = 300;
  options.send_initial_events = true;
  options.resource_version_match = "NotOlderThan";
  options.resource_version = "7";
  options.limit = 1;
  options.label_selector = "app=web";
  options.field_selector = "metadata.name=a";
  options.continue_token = "t";
  options.allow_watch_bookmarks = true;
  EXPECT_EQ(options.ToQuery(),
            "allowWatchBookmarks=true&continue=t&fieldSelector=metadata.name%3Da&labelSelector=app%"
            "3Dweb&limit=1&"
            "resourceVersion=7&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&"
            "timeoutSeconds=300&watch=true");
}

TEST(ListOptions, SendAnExplicitFalseAndAnExplicitZero) {
  ListOptions options;
  options.send_initial_events = false;
  options.timeout_seconds = 0;
  EXPECT_EQ(options.ToQuery(), "sendInitialEvents=false&timeoutSeconds=0");
}

TEST(ListOptions, EscapeAllButUnreservedCharacters) {
  EXPECT_EQ(EscapeQuery("aZ09-_.~"), "aZ09-_.~");
  EXPECT_EQ(EscapeQuery("a b&c=d/e+%\xC3\xA9"), "a%20b%26c%3Dd%2Fe%2B%25%C3%A9");
}

TEST(ResourceVersion, IsANumberOnlyInPlainDigits) {
  EXPECT_EQ(ParseResourceVersion("0"), 0u);
  EXPECT_EQ(ParseResourceVersion("42"), 42u);
  EXPECT_EQ(ParseResourceVersion("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", "00", "07", "-1", "+1", " 1", "1 ", "1a", "18446744073709551616"}) {
    EXPECT_EQ(ParseResourceVersion(text), std::nullopt) << text;
  }
}

TEST(ResourceVersion, ComparesDigitsOfAnyLengthAndNothingElse) {
  EXPECT_EQ(CompareResourceVersions("9", "10"), -1);
  EXPECT_EQ(CompareResourceVersions("10", "9"), 1);
  EXPECT_EQ(CompareResourceVersions("12", "13"), -1);
  EXPECT_EQ(CompareResourceVersions("13", "13"), 0);
  EXPECT_EQ(CompareResourceVersions("99999999999999999999999", "100000000000000000000000"), -1);
  for (const char* text : {"", "0", "01", "x", "1x"}) {
    EXPECT_EQ(CompareResourceVersions(text, "1"), std::nullopt) << text;
    EXPECT_EQ(CompareResourceVersions("1", text), std::nullopt) << text;
  }
}

}  // namespace relist::list_options_test
