#include "reflector/watch_error.h"

#include <gtest/gtest.h>

namespace relist {
namespace watch_error_test {

Error TooLarge() {
  Error error = Error::Api(504, "Timeout", "Timeout: Too large resource version: 9, current: 5");
  error.status.details = StatusDetails{};
  error.status.details->causes.push_back(
      {"ResourceVersionTooLarge", "Too large resource version", ""});
  return error;
}

// One row of the table: what follows in each of the five places, in the order of WatchPlace.
void ExpectRow(const Error& error, std::vector<WatchAction> actions) {
  const WatchPlace places[] = {WatchPlace::kList, WatchPlace::kOpenStreamingList,
                               WatchPlace::kInStreamingList, WatchPlace::kOpenWatch,
                               WatchPlace::kInWatch};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(Name(AfterError(error, places[i])), Name(actions[i]))
        << error.message() << " in place " << i;
  }
}

using A = WatchAction;

TEST(WatchError, AnExpiredPositionIsGivenUpWhereAListFollowsAtOnce) {
  for (const Error& error : {Error::Api(410, "Expired", "e"), Error::Api(410, "Gone", "g"),
                             Error::Api(410, "", "a proxy's"), TooLarge()}) {
    ExpectRow(error, {A::kListFromScratch, A::kReopenFromScratch, A::kReopenFromScratch,
                      A::kReportAndRelist, A::kBackOffAndRelist});
  }
}

TEST(WatchError, ABusyServerIsWaitedForWithoutARelist) {
  ExpectRow(Error::Api(429, "TooManyRequests", "busy"),
            {A::kReportAndRelist, A::kBackOffAndReopen, A::kBackOffAndReopen, A::kBackOffAndReopen,
             A::kBackOffAndReopen});
}

TEST(WatchError, ARefusedConnectionIsWaitedForWithoutARelist) {
  const Error refused = Error::Net(Transport::kRefused, "connection refused");
  EXPECT_EQ(AfterError(refused, WatchPlace::kList), A::kReportAndRelist);
  EXPECT_EQ(AfterError(refused, WatchPlace::kOpenStreamingList), A::kBackOffAndReopen);
  EXPECT_EQ(AfterError(refused, WatchPlace::kOpenWatch), A::kBackOffAndReopen);
}

TEST(WatchError, AnythingElseFallsBackOrRelists) {
  for (const Error& error :
       {Error::Api(500, "InternalError", "x"), Error::Api(401, "Unauthorized", "x"),
        Error::Api(403, "Forbidden", "x"), Error::Api(404, "NotFound", "x"),
        Error::Api(405, "MethodNotAllowed", "x"), Error::Api(422, "Invalid", "x"),
        Error::Api(503, "ServiceUnavailable", "x"), Error::Api(504, "Timeout", "x"),
        Error::Net(Transport::kTls, "x"), Error::Net(Transport::kProtocol, "x")}) {
    ExpectRow(error, {A::kReportAndRelist, A::kFallBackToList, A::kFallBackToList,
                      A::kReportAndRelist, A::kBackOffAndRelist});
  }
}

TEST(WatchError, AnEndIsReopenedUnlessItWasVeryShort) {
  EXPECT_EQ(AfterEnd(Seconds(1), 0, WatchPlace::kInWatch), A::kReopen);
  EXPECT_EQ(AfterEnd(Millis(1), 1, WatchPlace::kInWatch), A::kReopen);
  EXPECT_EQ(AfterEnd(Millis(999), 0, WatchPlace::kInWatch), A::kBackOffAndRelist);
  EXPECT_EQ(AfterEnd(Millis(999), 0, WatchPlace::kInStreamingList), A::kFallBackToList);
  EXPECT_EQ(AfterEnd(Seconds(1), 0, WatchPlace::kInStreamingList), A::kReopen);
}

TEST(WatchError, AnErrorEventIsItsStatusOrAnUnexpectedObject) {
  const auto object = [](const std::string& bytes) { return *Object::Parse(bytes); };
  const Error status = ErrorOfEvent(object(
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410})"));
  EXPECT_TRUE(IsExpired(status));
  const Error other = ErrorOfEvent(object(R"({"kind":"ConfigMap","apiVersion":"v1"})"));
  EXPECT_EQ(other.transport, Transport::kOther);
  const Error stranger =
      ErrorOfEvent(object(R"({"kind":"Status","apiVersion":"example.com/v1","code":410})"));
  EXPECT_FALSE(IsExpired(stranger));
  EXPECT_EQ(ErrorOfEvent(nullptr).transport, Transport::kOther);
}

TEST(WatchError, InternalErrorsAreRetriedWithinTheirWindow) {
  const Error internal = Error::Api(500, "InternalError", "x");
  const TimePoint start = kSimulationEpoch;
  RetryWithDeadline off(Seconds(0), Seconds(60));
  off.After(&internal, start);
  EXPECT_FALSE(off.ShouldRetry(start));

  RetryWithDeadline retry(Seconds(30), Seconds(60));
  EXPECT_FALSE(retry.ShouldRetry(start));
  retry.After(&internal, start);
  EXPECT_TRUE(retry.ShouldRetry(start + Seconds(30)));
  retry.After(&internal, start + Seconds(31));
  EXPECT_FALSE(retry.ShouldRetry(start + Seconds(31)));
  // Closed: the next one opens a window of its own.
  retry.After(&internal, start + Seconds(40));
  EXPECT_TRUE(retry.ShouldRetry(start + Seconds(60)));
  // A minute without any: the window starts anew.
  retry.After(&internal, start + Seconds(100));
  EXPECT_TRUE(retry.ShouldRetry(start + Seconds(125)));
  // Other outcomes say nothing.
  retry.After(nullptr, start + Seconds(126));
  EXPECT_TRUE(retry.ShouldRetry(start + Seconds(130)));
}

}  // namespace watch_error_test
}  // namespace relist
