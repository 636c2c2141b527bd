#include "core/wire/status.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/result.h"

namespace relist::status_test {

TEST(Status, IsWrittenInTheRealServersKeyOrder) {
  Status status;
  status.code = 410;
  status.reason = "Expired";
  status.message = "too old resource version: 1 (5)";
  const std::string expected =
      R"-({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)-"
      R"-("message":"too old resource version: 1 (5)","reason":"Expired","code":410})-";
  EXPECT_EQ(status.ToJson(), expected);
}

TEST(Status, SurvivesTheRoundTripWithAllItsParts) {
  Status status;
  status.code = 504;
  status.reason = "Timeout";
  status.message = "Too large resource version: 9, current: 7";
  status.continue_token = "token";
  status.details = StatusDetails{"web",
                                 "apps",
                                 "deployments",
                                 "uid-1",
                                 {{"ResourceVersionTooLarge", "Too large resource version", ""}},
                                 1};
  EXPECT_EQ(Status::Parse(status.ToJson()), status);
  const std::string json = status.ToJson();
  EXPECT_NE(json.find(R"("metadata":{"continue":"token"})"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("retryAfterSeconds":1)"), std::string::npos) << json;
  EXPECT_EQ(json.find("\"field\""), std::string::npos) << "an empty field is left out";
}

TEST(Status, IsOnlyReadFromAnObjectOfThatKind) {
  EXPECT_TRUE(Status::Parse(R"({"kind":"Status","apiVersion":"v1"})"));
  EXPECT_TRUE(Status::Parse(R"({"kind":"Status","apiVersion":"meta.k8s.io/v1"})"));
  for (const char* bytes : {"", "gone", "[]", "7", R"({"kind":"Pod","apiVersion":"v1"})",
                            R"({"kind":"Status"})", R"({"kind":"Status","apiVersion":"v2"})",
                            R"({"kind":7,"apiVersion":"v1"})", "{\"kind\":\"Status\""}) {
    EXPECT_FALSE(Status::Parse(bytes)) << bytes;
  }
}

TEST(Status, ToleratesFieldsOfTheWrongType) {
  const auto status = Status::Parse(
      R"({"kind":"Status","apiVersion":"v1","metadata":[],"code":"410","reason":7,"message":null,)"
      R"("details":{"name":1,"causes":[7,{"reason":"R"}],"retryAfterSeconds":99999999999}})");
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 0);
  EXPECT_EQ(status->reason, "");
  ASSERT_TRUE(status->details);
  EXPECT_EQ(status->details->causes, (std::vector<StatusCause>{{"R", "", ""}}));
  EXPECT_EQ(status->details->retry_after_seconds, 0);
}

TEST(Status, InvalidUtf8InAMessageDoesNotHideIt) {
  const auto status = Status::Parse(
      "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"message\":\"\xFF\",\"code\":410}");
  ASSERT_TRUE(status);
  EXPECT_EQ(status->message, "\xEF\xBF\xBD");
  Status bad;
  bad.message = "\xFF";
  EXPECT_TRUE(Status::Parse(bad.ToJson()));
}

TEST(Status, ThatNestsDeepIsNotOne) {
  const std::string deep = R"({"kind":"Status","apiVersion":"v1","details":)" +
                           std::string(200, '[') + std::string(200, ']') + "}";
  EXPECT_FALSE(Status::Parse(deep));
}

TEST(ErrorClasses, ExpiredIsA410InAnyOfItsClothes) {
  EXPECT_TRUE(IsExpired(Error::Api(410, "Expired", "")));
  EXPECT_TRUE(IsExpired(Error::Api(410, "Gone", "")));
  EXPECT_TRUE(IsExpired(Error::Api(0, "Expired", ""))) << "the reason alone will do";
  EXPECT_TRUE(IsExpired(Error::Api(410, "", "")));
  EXPECT_TRUE(IsExpired(Error::Api(410, "Unknown", "")));
  EXPECT_TRUE(IsExpired(Error::Api(410, "SomethingOfAProxy", "")));
  EXPECT_FALSE(IsExpired(Error::Api(410, "InternalError", "")))
      << "a known reason outweighs the code";
  EXPECT_FALSE(IsExpired(Error::Api(500, "", "")));
  EXPECT_FALSE(IsExpired(Error::Net(Transport::kReset, "")));
}

TEST(ErrorClasses, TooLargeIsToldByCauseOrByOldMessages) {
  Error cause = Error::Api(504, "Timeout", "");
  cause.status.details = StatusDetails{};
  cause.status.details->causes = {{"ResourceVersionTooLarge", "", ""}};
  EXPECT_TRUE(IsTooLargeResourceVersion(cause));
  cause.status.reason = "Invalid";
  EXPECT_TRUE(IsTooLargeResourceVersion(cause)) << "the cause says it whatever the reason";

  Error message = Error::Api(504, "", "Too large resource version: 9, current: 7");
  EXPECT_FALSE(IsTooLargeResourceVersion(message)) << "old servers are believed only with details";
  message.status.details = StatusDetails{};
  EXPECT_TRUE(IsTooLargeResourceVersion(message));
  message.status.code = 500;
  EXPECT_FALSE(IsTooLargeResourceVersion(message));

  Error old = Error::Api(0, "Timeout", "");
  old.status.details = StatusDetails{};
  old.status.details->causes = {{"", "Too large resource version", ""}};
  EXPECT_TRUE(IsTooLargeResourceVersion(old));
  old.status.details->causes[0].message += "!";
  EXPECT_FALSE(IsTooLargeResourceVersion(old)) << "the cause's message must be equal";
}

TEST(ErrorClasses, OfTheOthersFollowReasonThenCode) {
  EXPECT_TRUE(IsTooManyRequests(Error::Api(429, "Anything", "")));
  EXPECT_TRUE(IsTooManyRequests(Error::Api(0, "TooManyRequests", "")));
  EXPECT_FALSE(IsTooManyRequests(Error::Api(503, "", "")));
  EXPECT_TRUE(IsInternalError(Error::Api(0, "InternalError", "")));
  EXPECT_TRUE(IsInternalError(Error::Api(500, "", "")));
  EXPECT_FALSE(IsInternalError(Error::Api(500, "ServerTimeout", "")));
  EXPECT_TRUE(IsNotFound(Error::Api(404, "", "")));
  EXPECT_TRUE(IsNotFound(Error::Api(0, "NotFound", "")));
  EXPECT_FALSE(IsNotFound(Error::Api(404, "Forbidden", "")));
  EXPECT_TRUE(IsConflict(Error::Api(409, "", "")));
  EXPECT_TRUE(IsConflict(Error::Api(0, "Conflict", "")));
  EXPECT_FALSE(IsConflict(Error::Api(409, "AlreadyExists", "")));
  EXPECT_TRUE(IsUnauthorized(Error::Api(401, "", "")));
  EXPECT_FALSE(IsUnauthorized(Error::Api(401, "Forbidden", "")));
  EXPECT_TRUE(IsForbidden(Error::Api(403, "", "")));
  EXPECT_TRUE(IsForbidden(Error::Api(0, "Forbidden", "")));
  EXPECT_FALSE(IsForbidden(Error::Api(403, "NotFound", "")));
  EXPECT_TRUE(IsConnectionRefused(Error::Net(Transport::kRefused, "")));
  EXPECT_FALSE(IsConnectionRefused(Error::Net(Transport::kReset, "")));
}

TEST(ErrorClasses, EveryTransportHasAName) {
  for (int i = 0; i <= static_cast<int>(Transport::kOther); ++i) {
    EXPECT_NE(Name(static_cast<Transport>(i)), "?") << i;
  }
}

TEST(Result, ReadingTheWrongSideIsABug) {
  const Result<int> good = 7;
  EXPECT_TRUE(good.ok());
  EXPECT_EQ(*good, 7);
  EXPECT_THROW((void)good.error(), CheckFailed);
  Result<int> bad = Error::Net(Transport::kEof, "EOF");
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().transport, Transport::kEof);
  EXPECT_THROW(*bad, CheckFailed);
  const Result<void> fine;
  EXPECT_TRUE(fine.ok());
  EXPECT_THROW((void)fine.error(), CheckFailed);
}

TEST(Check, SaysWhereAndWhy) {
  try {
    const int page_size = -1;
    CHECK(page_size >= 0, "page_size is {}", page_size);
    FAIL();
  } catch (const CheckFailed& e) {
    EXPECT_NE(std::string(e.what()).find("status_test.cc"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("CHECK(page_size >= 0) failed: page_size is -1"),
              std::string::npos);
  }
}

}  // namespace relist::status_test
