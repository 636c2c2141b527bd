#include "reflector/rest/rest_retry.h"

#include <gmock/gmock.h>

namespace relist {
namespace rest_retry_test {

using ::testing::HasSubstr;

TEST(RestRetry, AnIntegerRetryAfterOfABusyOrBrokenServerIsObeyed) {  // NET-03
  EXPECT_EQ(RetryDelayOfAnswer(429, "1"), Seconds(1));
  EXPECT_EQ(RetryDelayOfAnswer(500, "0"), Seconds(0));
  EXPECT_EQ(RetryDelayOfAnswer(504, "30"), Seconds(30));
  EXPECT_EQ(RetryDelayOfAnswer(503, "+2"), Seconds(2));
  EXPECT_EQ(RetryDelayOfAnswer(503, "-2"), Seconds(0));
  EXPECT_GT(RetryDelayOfAnswer(503, "9223372036854775807"), Seconds(1000000000));
  EXPECT_EQ(RetryDelayOfAnswer(429, ""), std::nullopt);
  EXPECT_EQ(RetryDelayOfAnswer(429, "+"), std::nullopt);
  EXPECT_EQ(RetryDelayOfAnswer(429, "+-1"), std::nullopt);
  EXPECT_EQ(RetryDelayOfAnswer(429, "Wed, 21 Oct 2015 07:28:00 GMT"), std::nullopt);
  EXPECT_EQ(RetryDelayOfAnswer(429, "1.5"), std::nullopt);
  EXPECT_EQ(RetryDelayOfAnswer(404, "1"), std::nullopt);
  EXPECT_EQ(RetryDelayOfAnswer(200, "1"), std::nullopt);
}

TEST(RestRetry, ReadsAreRepeatedAfterEofAndResetWatchesAfterTimeoutsToo) {  // NET-04, NET-05
  for (Transport t : {Transport::kReset, Transport::kEof}) {
    EXPECT_TRUE(RetriesTransport(Error::Net(t, "x"), false));
    EXPECT_TRUE(RetriesTransport(Error::Net(t, "x"), true));
  }
  EXPECT_FALSE(RetriesTransport(Error::Net(Transport::kTimeout, "x"), false));
  EXPECT_TRUE(RetriesTransport(Error::Net(Transport::kTimeout, "x"), true));
  for (Transport t : {Transport::kRefused, Transport::kTls, Transport::kStopped, Transport::kNone,
                      Transport::kUnexpectedEof, Transport::kProtocol}) {
    EXPECT_FALSE(RetriesTransport(Error::Net(t, "x"), false));
    EXPECT_FALSE(RetriesTransport(Error::Net(t, "x"), true));
    EXPECT_FALSE(IsEmptyWatch(Error::Net(t, "x")));
  }
}

std::string FailureBody(const std::string& more = R"(,"apiVersion":"v1","code":404)") {
  return R"({"kind":"Status","status":"Failure","reason":"Odd")" + more + "}";
}

TEST(RestRetry, AFailureInTheBodyIsTheErrorAsItStands) {  // NET-07
  const Error error = ErrorOfAnswer({404, "application/json"}, FailureBody());
  EXPECT_EQ(error.status.reason, "Odd");
  EXPECT_EQ(error.status.code, 404);
  EXPECT_FALSE(SaysNoStatus(error));
  EXPECT_EQ(ErrorOfAnswer({429}, FailureBody("")).status.reason, "Odd") << "no apiVersion will do";
  EXPECT_EQ(ErrorOfAnswer({429}, FailureBody("")).status.code, 0) << "nobody fills it in";
}

TEST(RestRetry, ABodyThatIsNoFailureOrNoJsonMakesAnErrorOfItsCode) {
  const std::string success = R"({"kind":"Status","apiVersion":"v1","status":"Success"})";
  const std::string neither = R"({"kind":"Status","apiVersion":"v1","reason":"Odd"})";
  for (const std::string& body : {success, neither, std::string("{}"), std::string("<html>")}) {
    const Error error = ErrorOfAnswer({404, "application/json"}, body);
    EXPECT_EQ(error.status.reason, "NotFound") << body;
    EXPECT_EQ(error.status.details->causes.at(0).message, "unknown");
    EXPECT_TRUE(SaysNoStatus(error));
  }
  const Error text = ErrorOfAnswer({404, "text/plain; charset=utf-8"}, FailureBody());
  EXPECT_EQ(text.status.reason, "NotFound") << "a Status that says it is text is none";
  EXPECT_EQ(text.status.details->causes.at(0).message, FailureBody());
  EXPECT_EQ(ErrorOfAnswer({503, "text/html"}, " <html>\n").status.details->causes[0].message,
            "<html>");
  EXPECT_EQ(ErrorOfAnswer({503, "image/png"}, "PNG").status.details->causes[0].message, "unknown");
}

TEST(RestRetry, AContentTypeThatIsMalformedIsAnInternalError) {
  const Error error = ErrorOfAnswer({404, "application json"}, FailureBody());
  EXPECT_EQ(error.status.code, 500);
  EXPECT_EQ(error.status.reason, "InternalError");
  EXPECT_EQ(error.message(), "Internal error occurred: mime: expected slash after first token");
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
    const Error error = ErrorOfAnswer({code, "", "7"}, "text");
    EXPECT_EQ(error.status.reason, reason) << code;
    EXPECT_EQ(error.status.code, code);
    ASSERT_TRUE(error.status.details);
    EXPECT_EQ(error.status.details->retry_after_seconds, 7);
    EXPECT_EQ(error.status.details->causes.at(0).reason, "UnexpectedServerResponse");
    EXPECT_EQ(error.status.details->causes.at(0).message, "text");
  }
  EXPECT_TRUE(IsExpired(ErrorOfAnswer({410}, "gone")));
  EXPECT_EQ(ErrorOfAnswer({500}, std::string(5000, 'x')).status.details->causes[0].message.size(),
            2048u);
}

TEST(RestRetry, AnErrorOfACodeHasClientGosWords) {
  const auto message = [](int code, const std::string& body, const char* type = "") {
    return ErrorOfAnswer({code, type}, body).message();
  };
  EXPECT_EQ(message(403, "not you"), "not you");
  EXPECT_EQ(message(403, "", "application/json"), "unknown");
  EXPECT_EQ(message(406, "no"), "no");
  EXPECT_EQ(message(406, ""),
            "the server was unable to respond with a content type that the client supports");
  EXPECT_EQ(message(500, "say \"x\""),
            "an error on the server (\"say \\\"x\\\"\") has prevented the request from succeeding");
  EXPECT_EQ(message(418, "x"),
            "the server responded with the status code 418 but did not return more information");
}

TEST(RestRetry, AGoodAnswerIsReadAsJsonOrNotAtAll) {  // NET-02
  for (const char* good : {"", "application/json", "Application/JSON;charset=utf-8"}) {
    EXPECT_FALSE(WhyUnreadable(good)) << good;
    EXPECT_FALSE(WhyUnreadableWatch(good)) << good;
  }
  const std::optional<Error> html = WhyUnreadable("text/html; x=y");
  ASSERT_TRUE(html);
  EXPECT_EQ(html->message(), "serializer for text/html; x=y doesn't exist");
  const std::optional<Error> no_slash = WhyUnreadable("json"),
                             no_value = WhyUnreadable("application/json; x");
  ASSERT_TRUE(no_slash && no_value);
  EXPECT_EQ(no_slash->transport, Transport::kProtocol);
  EXPECT_EQ(no_value->status.code, 500);
  const std::optional<Error> html_watch = WhyUnreadableWatch("text/html; x=y");
  ASSERT_TRUE(html_watch);
  EXPECT_EQ(html_watch->message(), "no stream serializers registered for text/html");
  EXPECT_FALSE(WhyUnreadableWatch("application json")) << "what is malformed is taken for JSON";
}

TEST(RestRetry, AFailureMayComeWith200) {
  EXPECT_TRUE(FailureIn200("Status", R"({"kind":"Status","apiVersion":"v1","status":"Failure"})"));
  EXPECT_FALSE(FailureIn200("Status", R"({"kind":"Status","apiVersion":"v1","status":"Success"})"));
  EXPECT_FALSE(FailureIn200("ConfigMapList", R"({"kind":"ConfigMapList"})"));
}

}  // namespace rest_retry_test
}  // namespace relist
