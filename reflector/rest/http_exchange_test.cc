// Connections that are used again.
#include "reflector/rest/http_exchange.h"

#include <gmock/gmock.h>

#include "reflector/testing/rest_bench.h"

namespace relist {
namespace http_exchange_test {

using testing::Answer;
using ::testing::ElementsAre;
using testing::Eof;
using testing::GetInto;
using ::testing::HasSubstr;
using testing::Step;
using testing::WatchOf;
using Bench = testing::RestBench;

TEST(HttpExchange, UsesAConnectionAgainAfterAnAnswerThatWasReadWhole) {
  Bench bench;
  bench.server.Then(Answer(200, "{}")).Then(Answer(404, "{}")).Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_EQ(bench.rest.idle_connections(), 1u);
  EXPECT_FALSE(bench.Get().ok());
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_EQ(bench.server.connections(), 1u);
}

TEST(HttpExchange, UsesNoConnectionAgainWhereItIsToldTo) {
  Bench bench({.keep_alive = false});
  bench.server.Then(Answer(200, "{}")).Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_EQ(bench.server.connections(), 2u);
  EXPECT_THAT(bench.server.requests()[0].head, HasSubstr("Connection: close\r\n"));
}

TEST(HttpExchange, OpensAnotherConnectionAtOnceWhereAKeptOneTurnsOutDead) {
  Bench bench;
  // The server closes when the second request comes, as if its own time-out had struck.
  bench.server.Then(Answer(200, "{}")).Then(Eof()).Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_THAT(bench.Times(), ElementsAre(0, 0, 0));
  EXPECT_EQ(bench.server.connections(), 2u);
}

TEST(HttpExchange, DropsKeptConnectionsThatWereClosedOrLieIdleTooLong) {
  Bench bench;
  bench.server.Then(Answer(200, "{}").FinishAfter(Seconds(1))).Then(Answer(200, "{}"));
  bench.server.Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  bench.RunFor(Seconds(2));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_EQ(bench.server.connections(), 2u);
  bench.RunFor(Seconds(90));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_EQ(bench.server.connections(), 3u);
}

TEST(HttpExchange, ReusesTheConnectionOfAWatchThatEndedWithALastChunk) {
  Bench bench;
  bench.server.Then(WatchOf({}).EndAfter(Seconds(1))).Then(Answer(200, "{}"));
  auto stream = bench.Watch();
  ASSERT_TRUE(stream.ok());
  bench.RunFor(Seconds(2));
  EXPECT_EQ((*stream)->TryNext(), std::nullopt);
  EXPECT_TRUE((*stream)->ended());
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_EQ(bench.server.connections(), 1u);
}

TEST(HttpExchange, ClosesTheConnectionOfAWatchThatIsStoppedOrDropped) {
  Bench bench;
  bench.server.Then(WatchOf({})).Then(WatchOf({}));
  auto stopped = bench.Watch();
  (*stopped)->Stop();
  EXPECT_TRUE((*stopped)->ended());
  EXPECT_EQ(bench.server.open(), 0u);
  {
    auto dropped = bench.Watch();
  }
  EXPECT_EQ(bench.server.open(), 0u);
}

TEST(HttpExchange, WaitsBeforeARetryWhereAKeptConnectionDiesInsideAnAnswer) {
  Bench bench;
  Step half;
  half.Send("HTTP/1.1 200").FinishAfter({});
  bench.server.Then(Answer(200, "{}")).Then(half).Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_THAT(bench.Times(), ElementsAre(0, 0, 1000));
}

TEST(HttpExchange, DropsAConnectionOnWhichMoreCameThanTheAnswer) {
  Bench bench;
  Step more;
  more.Send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n");
  bench.server.Then(more).Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_EQ(bench.rest.idle_connections(), 0u);
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_EQ(bench.server.connections(), 2u);
}

TEST(HttpExchange, KeepsTwentyFiveConnectionsAtMost) {
  Bench bench({.qps = 0});
  std::vector<std::optional<Result<HttpAnswer>>> results(30);
  for (auto& result : results) {
    Step later;
    later.Send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", Seconds(1));
    bench.server.Then(later);
    bench.scope.Spawn(GetInto(bench.rest, "/x", nullptr, bench.stop, &result));
  }
  bench.RunFor(Seconds(2));
  EXPECT_EQ(bench.server.connections(), 30u);
  EXPECT_EQ(bench.rest.idle_connections(), 25u);
  EXPECT_EQ(bench.server.open(), 25u);
}

}  // namespace http_exchange_test
}  // namespace relist
