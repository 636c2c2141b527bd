// What a client says of its requests, line by line.
#include "reflector/rest/rest_log.h"

#include <gmock/gmock.h>

#include "reflector/testing/rest_bench.h"

namespace relist {
namespace rest_log_test {

using testing::Answer;
using ::testing::ElementsAre;
using testing::Eof;
using testing::Failure;
using testing::GetInto;
using ::testing::IsEmpty;
using testing::Step;
using testing::WatchOf;
using Bench = testing::RestBench;

RestClientOptions Logged(const std::shared_ptr<Log>& log, RestClientOptions options = {}) {
  options.log = log;
  return options;
}

TEST(RestLog, TellsWhyARequestIsSentAgain) {
  auto log = std::make_shared<CollectedLog>();
  Bench bench(Logged(log));
  bench.server.Then(Eof());
  bench.server.Then(Failure(429, "x", "Retry-After: 2\r\nX-Kubernetes-PF-FlowSchema-UID: abc\r\n"));
  bench.server.Then(Failure(503, "x", "Retry-After: 1\r\n")).Then(Answer(200, "{}"));
  ASSERT_TRUE(bench.Get().ok());
  EXPECT_THAT(
      log->lines(),
      ElementsAre("I LIST http://server:8001/x: retries: 1, retry-after: 1s - retry-reason: due to "
                  "retryable error, error: EOF",
                  "I LIST http://server:8001/x: retries: 2, retry-after: 2s - retry-reason: due to "
                  "server-side throttling, FlowSchema UID: \"abc\"",
                  "I LIST http://server:8001/x: retries: 3, retry-after: 1s - retry-reason: 503"));
}

TEST(RestLog, TellsOfLongWaitsForTheRateLimiterOnceInTenSeconds) {
  auto log = std::make_shared<CollectedLog>();
  Bench bench(Logged(log, {.qps = 0.5, .burst = 1}));
  for (int i = 0; i < 8; ++i) bench.server.Then(Answer(200, "{}"));
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(bench.Get().ok());
  EXPECT_THAT(log->lines(),
              ElementsAre("I Waited 2.000 s before sending request: client-side throttling, not "
                          "priority and fairness: LIST http://server:8001/x",
                          "I Waited 2.000 s before sending request: client-side throttling, not "
                          "priority and fairness: LIST http://server:8001/x"));
  auto quiet = std::make_shared<CollectedLog>();
  Bench faster(Logged(quiet, {.qps = 1, .burst = 1}));
  for (int i = 0; i < 3; ++i) faster.server.Then(Answer(200, "{}"));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(faster.Get().ok());
  EXPECT_THAT(quiet->lines(), IsEmpty()) << "a second is not yet long";
}

TEST(RestLog, ShowsInOneLineWhatAnAnswerIsThatIsNotAnApiServers) {
  auto log = std::make_shared<CollectedLog>();
  Bench bench(Logged(log));
  const std::string page = "<html>\n" + std::string(200, 'x');
  const auto html = [&](int status, const std::string& body) {
    Step step;
    step.Send(
        fmt::format("HTTP/1.1 {} X\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{}",
                    status, body.size(), body));
    return step;
  };
  bench.server.Then(html(200, page)).Then(html(502, page)).Then(html(200, ""));
  EXPECT_FALSE(bench.Get().ok());
  EXPECT_FALSE(bench.Get().ok());
  EXPECT_FALSE(bench.Watch().ok());
  const std::string shown = "<html>\\n" + std::string(113, 'x') + " ...";
  EXPECT_THAT(
      log->lines(),
      ElementsAre(
          "W http://server:8001/x: 200 with text/html where JSON of an API server belongs: " +
              shown,
          "W http://server:8001/x: 502 with text/html where JSON of an API server belongs: " +
              shown,
          "W http://server:8001/w?watch=true: 200 with text/html where JSON of an API server "
          "belongs: (no text)"));
}

TEST(RestLog, TellsOfABodyThatWasCut) {
  auto log = std::make_shared<CollectedLog>();
  Bench bench(Logged(log));
  Step cut;
  cut.Send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{").FinishAfter({});
  bench.server.Then(cut);
  EXPECT_FALSE(bench.Get().ok());
  EXPECT_THAT(log->lines(),
              ElementsAre("E http://server:8001/x: unexpected error when reading response body. "
                          "Please retry. Original error: unexpected EOF"));
}

TEST(RestLog, SaysNothingOfWhatIsInOrder) {
  auto log = std::make_shared<CollectedLog>();
  Bench bench(Logged(log));
  bench.server.Then(Answer(200, "{}")).Then(Failure(404, "NotFound")).Then(WatchOf({}));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_FALSE(bench.Get().ok());
  EXPECT_TRUE(bench.Watch().ok());
  std::optional<Result<HttpAnswer>> result;
  bench.scope.Spawn(GetInto(bench.rest, "/x", nullptr, bench.stop, &result));
  bench.RunFor(Seconds(1));
  bench.stop.Set();
  bench.RunFor(Seconds(1));
  EXPECT_THAT(log->lines(), IsEmpty());
}

}  // namespace rest_log_test
}  // namespace relist
