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

// A gzip member that stores what it holds.
std::string GzipMember(const std::string& text) {
  const auto number = [](uint32_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
    return out;
  };
  uint32_t crc = 0xffffffff;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const auto size = static_cast<uint32_t>(text.size());
  return std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10) + '\1' + number(size, 2) +
         number(~size, 2) + text + number(~crc, 4) + number(size, 4);
}

TEST(HttpExchange, ReadsListsAndWatchesInGzipOfSeveralMembers) {
  Bench bench;
  bench.server.Then(
      Answer(200, GzipMember("{\"a\":") + GzipMember("1}"), "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(bench.Get()->body, "{\"a\":1}");
  EXPECT_THAT(bench.server.requests()[0].head, HasSubstr("Accept-Encoding: gzip\r\n"));
  Step watch;
  watch.Send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (const char* name : {"a", "b"})
    watch.Line(GzipMember(testing::EventLine("ADDED", name, "1")));
  bench.server.Then(watch);
  auto stream = bench.Watch();
  ASSERT_TRUE(stream.ok());
  bench.RunFor(Seconds(1));
  EXPECT_EQ((*stream)->TryNext()->object->key().name, "a");
  EXPECT_EQ((*stream)->TryNext()->object->key().name, "b");

  Bench plain({.accept_gzip = false});
  plain.server.Then(Answer(200, "{}"));
  EXPECT_TRUE(plain.Get().ok());
  EXPECT_THAT(plain.server.requests()[0].head, ::testing::Not(HasSubstr("Accept-Encoding")));
}

// All that was said came at once.
class SaidConnection : public Connection {
 public:
  explicit SaidConnection(std::string bytes) : bytes_(std::move(bytes)) {}
  State state() const override { return State::kOpen; }
  const Error& error() const override { return error_; }
  void Send(std::string) override {}
  size_t Receive(std::string* into, size_t max) override {
    const size_t size = std::min(max, bytes_.size());
    into->append(bytes_, 0, size);
    bytes_.erase(0, size);
    return size;
  }
  void Close() override {}
  void Abort(Error) override {}
  bool Ready() const override { return true; }

 private:
  std::string bytes_;
  Error error_;
};

TEST(HttpExchange, UndoesGzipALittleAtATime) {
  std::string text, gzip;
  for (int i = 0; i < 40; ++i) {
    const std::string part(50000, static_cast<char>('a' + i % 26));
    text += part;
    gzip += GzipMember(part);
  }
  HttpExchange exchange(
      std::make_unique<SaidConnection>(
          "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " +
          std::to_string(gzip.size()) + "\r\n\r\n" + gzip + "HTTP/1.1 200 unasked"),
      "GET / HTTP/1.1\r\n\r\n", false);
  std::string body, slice;
  while (exchange.Pump()) {
    exchange.TakeBody(&slice);
    EXPECT_LE(slice.size(), 128u << 10) << "two kilobytes may be a megabyte, not thirty";
    body += slice;
  }
  EXPECT_TRUE(body == text) << body.size();
  EXPECT_TRUE(exchange.done() && !exchange.failed());
  EXPECT_EQ(exchange.TakeReusable(), nullptr) << "what nobody asked for is seen";
}

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

// Neither Go's net/http nor client-go tries again what broke inside the head of an answer.
TEST(HttpExchange, DoesNotTryAgainWhereAConnectionDiesInsideAnAnswersHead) {
  Bench bench;
  Step half;
  half.Send("HTTP/1.1 200").FinishAfter({});
  bench.server.Then(Answer(200, "{}")).Then(half).Then(half).Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_EQ(bench.Get().error().transport, Transport::kUnexpectedEof);
  EXPECT_EQ(bench.Watch().error().transport, Transport::kUnexpectedEof);
  EXPECT_EQ(bench.server.requests().size(), 3u);
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
