#include "fakeapi/read/read_options.h"

#include <gtest/gtest.h>

#include "fakeapi/api/request_target.h"
#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace read_options_test {

Result<ReadOptions> Parse(const std::string& query, bool is_legacy = false) {
  return ParseReadOptions(*FindResource("", "v1", "configmaps"), ParseTarget("/?" + query).query,
                          is_legacy);
}

std::string ErrorOf(const std::string& query, bool is_legacy = false) {
  const Result<ReadOptions> options = Parse(query, is_legacy);
  if (options.ok()) return "good";
  const std::string prefix = "ListOptions.meta.k8s.io \"\" is invalid: ";
  const std::string& message = options.error().message();
  EXPECT_EQ(options.error().status.code, message.starts_with(prefix) ? 422 : 400);
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

TEST(ReadOptions, EverythingButZeroAndFalseIsTrue) {
  for (const char* text : {"watch=0", "watch=false", "watch=FALSE", ""}) {
    EXPECT_FALSE(WantsWatch(ParseTarget(std::string("/?") + text).query)) << text;
  }
  for (const char* text : {"watch", "watch=", "watch=1", "watch=true", "watch=no", "watch=00"}) {
    EXPECT_TRUE(WantsWatch(ParseTarget(std::string("/?") + text).query)) << text;
  }
  EXPECT_TRUE(Parse("watch=1&resourceVersion=5&allowWatchBookmarks=no")->allow_watch_bookmarks);
}

TEST(ReadOptions, OfARepeatedParameterTheFirstCounts) {
  EXPECT_EQ(Parse("limit=3&limit=x")->limit, 3);
  EXPECT_FALSE(Parse("watch=0&watch=1")->watch);
}

TEST(ReadOptions, NumbersAreGos) {
  EXPECT_EQ(Parse("limit=%2B3")->limit, 3);
  EXPECT_EQ(Parse("timeoutSeconds=-7")->timeout_seconds, -7);
  EXPECT_EQ(ErrorOf("limit=x"), "strconv.ParseInt: parsing \"x\": invalid syntax");
  EXPECT_EQ(ErrorOf("limit="), "strconv.ParseInt: parsing \"\": invalid syntax");
  EXPECT_EQ(ErrorOf("limit=1x"), "strconv.ParseInt: parsing \"1x\": invalid syntax");
  EXPECT_EQ(ErrorOf("timeoutSeconds=9223372036854775808"),
            "strconv.ParseInt: parsing \"9223372036854775808\": value out of range");
}

TEST(ReadOptions, AnUnknownFieldIsToldOfAfterTheRules) {
  const std::string unknown =
      "\"spec.x\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
  EXPECT_EQ(ErrorOf("fieldSelector=spec.x=1"), unknown);
  EXPECT_EQ(ErrorOf("fieldSelector=spec.x=1&sendInitialEvents=1"),
            "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list");
  EXPECT_EQ(ErrorOf("fieldSelector=spec.x=1,spec&sendInitialEvents=1"),
            "invalid selector: 'spec.x=1,spec'; can't understand 'spec'");
}

TEST(ReadOptions, AWatchThatDoesNotSayWhereToStartGetsTheInitialEvents) {
  EXPECT_EQ(Parse("watch=1")->send_initial_events, true);
  EXPECT_EQ(Parse("watch=1&resourceVersion=0")->send_initial_events, true);
  EXPECT_EQ(Parse("watch=1&resourceVersion=5")->send_initial_events, std::nullopt);
  EXPECT_EQ(Parse("watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan")
                ->send_initial_events,
            false);
  EXPECT_EQ(Parse("")->send_initial_events, std::nullopt);
}

TEST(ReadOptions, OfALegacyPathAreJudgedAsALists) {
  EXPECT_TRUE(Parse("resourceVersion=0", true)->watch);
  EXPECT_EQ(Parse("resourceVersion=0", true)->send_initial_events, std::nullopt);
  EXPECT_EQ(ErrorOf("sendInitialEvents=true", true),
            "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list");
}

TEST(ReadOptions, WhatIsForbiddenOnAListIsNamed) {
  EXPECT_EQ(ErrorOf("resourceVersion=1&resourceVersionMatch=Exact"), "good");
  EXPECT_EQ(ErrorOf("resourceVersion=0&resourceVersionMatch=NotOlderThan"), "good");
  EXPECT_EQ(ErrorOf("resourceVersionMatch=Nope&continue=x&sendInitialEvents=false"),
            "[resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless "
            "resourceVersion is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is "
            "forbidden when continue is provided, resourceVersionMatch: Unsupported value: "
            "\"Nope\": supported values: \"Exact\", \"NotOlderThan\", \"\", sendInitialEvents: "
            "Forbidden: sendInitialEvents is forbidden for list]");
}

TEST(ReadOptions, AWatchWithATokenIsForbiddenOnlyByTheMatchThatItIsGiven) {
  EXPECT_EQ(ErrorOf("watch=1&continue=x"),
            "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is "
            "provided");
  EXPECT_EQ(ErrorOf("watch=1&continue=x&resourceVersion=5"), "good");
}

TEST(ReadOptions, RevisionsAreUnsignedNumbers) {
  EXPECT_EQ(*ParseRevision(""), 0u);
  EXPECT_EQ(*ParseRevision("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"-1", "+1", "1.0", " 1", "0x1"})
    EXPECT_FALSE(ParseRevision(text).ok()) << text;
}

TEST(RequestTarget, IsTakenApartAsGoDoes) {
  const RequestTarget target = ParseTarget("/a%20b?x=1+2%2B&y&z=%zz&w;v=1&&x=3");
  EXPECT_EQ(target.path, "/a b");
  EXPECT_EQ(target.query, (HeaderList{{"x", "1 2+"}, {"y", ""}, {"x", "3"}}));
}

}  // namespace read_options_test
}  // namespace relist::fakeapi
