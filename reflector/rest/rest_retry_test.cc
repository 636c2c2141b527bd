#include "reflector/rest/rest_retry.h"

#include <gmock/gmock.h>

namespace relist {
namespace rest_retry_test {

using ::testing::HasSubstr;

TEST(RestRetry, AnIntegerRetryAfterOfABusyOrBrokenServerIsObeyed) {  // NET-03
  EXPECT_EQ(RetryDelayOfAnswer(429, "1"), Seconds(1));
  EXPECT_EQ(RetryDelayOfAnswer(500, "0"), Seconds(0));
  EXPECT_EQ(RetryDelayOfAnswer(504, "30"), Seconds(30));
  EXPECT_EQ(RetryDelayOfAnswer(429, ""), std::nullopt);
  EXPECT_EQ(RetryDelayOfAnswer(429, "Wed, 21 Oct 2015 07:28:00 GMT"), std::nullopt);
  EXPECT_EQ(RetryDelayOfAnswer(429, "1.5"), std::nullopt);
  EXPECT_EQ(RetryDelayOfAnswer(404, "1"), std::nullopt);
  EXPECT_EQ(RetryDelayOfAnswer(200, "1"), std::nullopt);
}

TEST(RestRetry, ReadsAreRepeatedAfterEofAndResetWatchesAfterTimeoutsToo) {  // NET-04, NET-05
  for (Transport t : {Transport::kReset, Transport::kEof, Transport::kUnexpectedEof}) {
    EXPECT_TRUE(RetriesTransport(Error::Net(t, "x"), false));
    EXPECT_TRUE(RetriesTransport(Error::Net(t, "x"), true));
  }
  EXPECT_FALSE(RetriesTransport(Error::Net(Transport::kTimeout, "x"), false));
  EXPECT_TRUE(RetriesTransport(Error::Net(Transport::kTimeout, "x"), true));
  for (Transport t :
       {Transport::kRefused, Transport::kTls, Transport::kStopped, Transport::kNone}) {
    EXPECT_FALSE(RetriesTransport(Error::Net(t, "x"), true));
    EXPECT_FALSE(IsEmptyWatch(Error::Net(t, "x")));
  }
}

TEST(RestRetry, AStatusInTheBodyIsTheError) {  // NET-07
  const Error error = ErrorOfAnswer(
      404, R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Odd","code":404})",
      "");
  EXPECT_EQ(error.status.reason, "Odd");
}

TEST(RestRetry, AnyOtherBodyMakesAnErrorOfItsCode) {
  const std::pair<int, const char*> reasons[] = {{400, "BadRequest"},
                                                 {401, "Unauthorized"},
                                                 {403, "Forbidden"},
                                                 {404, "NotFound"},
                                                 {405, "MethodNotAllowed"},
                                                 {406, "NotAcceptable"},
                                                 {409, "Conflict"},
                                                 {415, "UnsupportedMediaType"},
                                                 {422, "Invalid"},
                                                 {429, "TooManyRequests"},
                                                 {503, "ServiceUnavailable"},
                                                 {504, "Timeout"},
                                                 {500, "InternalError"},
                                                 {599, "InternalError"},
                                                 {410, ""},
                                                 {418, ""}};
  for (const auto& [code, reason] : reasons) {
    const Error error = ErrorOfAnswer(code, "text", "7");
    EXPECT_EQ(error.status.reason, reason) << code;
    EXPECT_EQ(error.status.code, code);
    ASSERT_TRUE(error.status.details);
    EXPECT_EQ(error.status.details->retry_after_seconds, 7);
    EXPECT_EQ(error.status.details->causes.at(0).reason, "UnexpectedServerResponse");
    EXPECT_EQ(error.status.details->causes.at(0).message, "text");
  }
  EXPECT_TRUE(IsExpired(ErrorOfAnswer(410, "gone", "")));
  EXPECT_EQ(ErrorOfAnswer(403, "not you", "").message(), "not you");
  EXPECT_EQ(ErrorOfAnswer(500, std::string(5000, 'x'), "").status.details->causes[0].message.size(),
            2048u);
}

TEST(RestRetry, AFailureMayComeWith200) {
  EXPECT_TRUE(FailureIn200("Status", R"({"kind":"Status","apiVersion":"v1","status":"Failure"})"));
  EXPECT_FALSE(FailureIn200("Status", R"({"kind":"Status","apiVersion":"v1","status":"Success"})"));
  EXPECT_FALSE(FailureIn200("ConfigMapList", R"({"kind":"ConfigMapList"})"));
}

}  // namespace rest_retry_test
}  // namespace relist
