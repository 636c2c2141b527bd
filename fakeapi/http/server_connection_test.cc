#include "fakeapi/http/server_connection.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fakeapi/encoding/gzip_test_support.h"
#include "fakeapi/http/server_connection_fixture.h"

namespace relist::fakeapi {
namespace server_connection_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(ServerConnectionTest, AnswersAndKeepsTheConnection) {
  Open();
  EXPECT_EQ(Ask("/text?5"), kText5);
  EXPECT_EQ(Ask("/text?5"), kText5);
  EXPECT_THAT(Ask("/chunked?300"), EndsWith("Transfer-Encoding: chunked\r\n\r\n12c\r\n" +
                                            std::string(300, 'x') + "\r\n0\r\n\r\n"));
  EXPECT_THAT(Ask("/chunked?0"), EndsWith("chunked\r\n\r\n0\r\n\r\n"));
  EXPECT_EQ(connection->fate(), Fate::kOpen);
}

TEST_F(ServerConnectionTest, AnswersPipelinedRequestsInTurn) {
  Open();
  Send("GET /text?5 HTTP/1.1\r\nHost: a\r\n\r\nGET /text?5 HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(handler.requests.size(), 1u);  // the second one waits until the first answer has left
  EXPECT_EQ(Take(), std::string(kText5) + kText5);
}

TEST_F(ServerConnectionTest, ClosesWhereTheClientOrTheAnswerSaysSo) {
  Open();
  Send("GET /text?5 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(Take(), HasSubstr("Connection: close\r\n"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  Open();
  hook.Set(FaultPoint::kRequestRead, Verdict::Answer(429, {{"Connection", "close"}}, "busy"));
  EXPECT_THAT(Ask("/"), HasSubstr("Content-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

// What a compressed watch says, by member.
std::vector<std::string> MembersOf(std::string_view wire) {
  std::string bytes;
  while (!wire.empty()) {
    const size_t size_end = wire.find("\r\n");
    const size_t size = std::stoul(std::string(wire.substr(0, size_end)), nullptr, 16);
    bytes += wire.substr(size_end + 2, size);
    wire.remove_prefix(size_end + 2 + size + 2);
  }
  return GzipMembers(bytes);
}

// Faults may strike at a byte of a line, or at a line: a hook that may strike keeps them plain.
class GzippedWatch : public ServerConnectionTest {
 protected:
  GzippedWatch() {
    handler.gzips = true;
    hook.may_strike = false;
  }
  std::string Watch(const std::string& accepts) {
    Open();
    Send("GET /watch HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " + accepts + "\r\n\r\n");
    return Take();
  }
  // What comes next.
  std::vector<std::string> More() {
    connection->Pump(now);
    return MembersOf(Take());
  }
};

TEST_F(GzippedWatch, IsOneMemberForWhatIsReadyTogether) {
  handler.Commit();
  handler.Commit();
  const std::string first = Watch("gzip");
  const size_t head = first.find("\r\n\r\n") + 4;
  EXPECT_THAT(first.substr(0, head), HasSubstr("Content-Encoding: gzip\r\n"));
  EXPECT_THAT(first.substr(0, head), HasSubstr("Vary: Accept-Encoding\r\n"));
  EXPECT_THAT(MembersOf(first.substr(head)), testing::ElementsAre("{\"n\":0}\n{\"n\":1}\n"));
  handler.Commit();
  EXPECT_THAT(More(), testing::ElementsAre("{\"n\":2}\n"));
  handler.Commit();
  handler.End();
  EXPECT_THAT(More(), testing::ElementsAre("{\"n\":3}\n")) << "then the last chunk, plain";
}

TEST_F(GzippedWatch, IsPlainForWhoeverDoesNotAllowItAndWhereFaultsMayStrike) {
  handler.Commit();
  EXPECT_EQ(Watch("br"), std::string(kWatchHead) + kLine0);
  hook.may_strike = true;
  EXPECT_EQ(Watch("gzip"), std::string(kWatchHead) + kLine0);
  handler.gzips = false;
  hook.may_strike = false;
  EXPECT_EQ(Watch("gzip"), std::string(kWatchHead) + kLine0);
}

TEST_F(GzippedWatch, IsCutBehindWhatCameBeforeWhereAFaultIsInjectedLater) {
  Watch("gzip");
  handler.Commit();
  handler.Commit();
  hook.may_strike = true;
  hook.at = [](const FaultPlace& place) {
    const bool second = place.point == FaultPoint::kBeforeEvent && place.nth_event == 1;
    return second ? Verdict::Cut(CutHow::kReset) : Verdict::Pass();
  };
  EXPECT_THAT(More(), testing::ElementsAre("{\"n\":0}\n"));
  EXPECT_EQ(connection->fate(), Fate::kReset);
}

TEST_F(ServerConnectionTest, AHookThatMayNotStrikeIsNotAsked) {
  hook.may_strike = false;
  hook.Set(FaultPoint::kRequestRead, Verdict::Answer(429, {}, "busy"));
  Open();
  EXPECT_EQ(Ask("/text?5"), kText5);
  hook.may_strike = true;
  EXPECT_THAT(Ask("/text?5"), StartsWith("HTTP/1.1 429 "));
}

// "GET /text?5 200 141 sent": what the log is told.
class Told : public RequestLog {
 public:
  void OnOpen(const RequestRecord& watch) override {
    lines.push_back(fmt::format("{} opened", watch.target));
  }
  void OnEnd(const RequestRecord& request) override {
    lines.push_back(fmt::format("{} {} {} {} {} {}", request.method, request.target, request.agent,
                                request.status, request.bytes, request.how));
  }
  std::vector<std::string> lines;
};

TEST_F(ServerConnectionTest, TellsALogWhatWasAskedAndHowItEnded) {
  Told told;
  options.log = &told;
  Open();
  Send("GET /text?5 HTTP/1.1\r\nHost: a\r\nUser-Agent: me\r\n\r\n");
  EXPECT_TRUE(told.lines.empty()) << "it has not left yet";
  const size_t size = Take().size();
  Get("/watch");
  Take();
  EXPECT_THAT(told.lines, testing::ElementsAre(fmt::format("GET /text?5 me 200 {} sent", size),
                                               "/watch opened"));
  handler.Commit();
  connection->Pump(now);
  handler.End();
  connection->Pump(now);
  const size_t rest = Take().size();
  EXPECT_EQ(told.lines.back(),
            fmt::format("GET /watch  200 {} last chunk", std::string(kWatchHead).size() + rest));
}

TEST_F(ServerConnectionTest, TellsALogOfWhatWasCutAndOfClientsThatLeft) {
  Told told;
  options.log = &told;
  Open();
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Cut(CutHow::kReset, 10));
  Ask("/text?5");
  EXPECT_EQ(told.lines.back(), "GET /text?5  200 0 RST") << "none of the ten has left yet";
  hook.at = {};
  Open();
  Get("/watch");
  Take();
  connection->PeerClosed(now);
  EXPECT_EQ(told.lines.back(),
            fmt::format("GET /watch  200 {} client", std::string(kWatchHead).size()));
  Open();
  Send("nonsense\r\n\r\n");
  Take();
  EXPECT_THAT(told.lines.back(), HasSubstr(" 400 "));
}

TEST_F(ServerConnectionTest, SendsAHeadWithoutABodyForHead) {
  Open();
  Send("HEAD /text?5 HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_THAT(Take(), EndsWith("Content-Length: 5\r\n\r\n"));
}

TEST_F(ServerConnectionTest, InHttp10WhatWouldBeChunkedEndsWithTheConnection) {
  Open();
  Send("GET /chunked?5 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const std::string list = Take();
  EXPECT_THAT(list, StartsWith("HTTP/1.0 200 OK\r\n"));
  EXPECT_THAT(list, EndsWith("GMT\r\n\r\nxxxxx"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  Open();
  Send("GET /watch HTTP/1.0\r\n\r\n");
  handler.Commit();
  handler.End();
  EXPECT_THAT(Take(), EndsWith("GMT\r\n\r\n{\"n\":0}\n"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

TEST_F(ServerConnectionTest, InHttp10AConnectionStaysOnlyWhereThatIsAsked) {
  Open();
  Send("GET /text?1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_THAT(Take(), EndsWith("Content-Length: 1\r\nConnection: keep-alive\r\n\r\nx"));
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  Send("GET /text?1 HTTP/1.0\r\n\r\n");
  EXPECT_THAT(Take(), EndsWith("Content-Length: 1\r\n\r\nx"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

TEST_F(ServerConnectionTest, SaysContinueOnce) {
  Open();
  Send("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(Take(), "HTTP/1.1 100 Continue\r\n\r\n");
  Send("ok");
  EXPECT_THAT(Take(), EndsWith("\r\n\r\nPOST /a ok"));
}

TEST_F(ServerConnectionTest, ATooLongBodyIsAStatusAndTheEnd) {
  Open();
  Send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3145729\r\n\r\n");
  const std::string answer = Take();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(answer, HasSubstr("\"message\":\"Request entity too large: limit is 3145728\""));
  EXPECT_THAT(answer, HasSubstr("\"reason\":\"RequestEntityTooLarge\""));
  EXPECT_THAT(answer, HasSubstr("\"code\":413"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  EXPECT_EQ(Story(), "request, answer 413");
}

TEST_F(ServerConnectionTest, NonsenseIsRefusedAndTheEnd) {
  Open();
  Send("nonsense\r\n\r\n");
  EXPECT_THAT(Take(), EndsWith("\r\n\r\n400 Bad Request: malformed request line"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

TEST_F(ServerConnectionTest, OfABrokenBodySaysWhatTheHandlerWouldOfIt) {
  Open();
  Send("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
  const std::string answer = Take();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 500 "));
  EXPECT_THAT(answer, HasSubstr("\"message\":\"invalid byte in chunk length\",\"code\":500}"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

TEST_F(ServerConnectionTest, PassesOverALineEndAfterAPost) {
  Open();
  Send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nb");
  Take();
  Send("\r\nGET /text?1 HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_THAT(Take(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(ServerConnectionTest, CutsASilentClientAndTellsASlowOne) {
  Open();
  EXPECT_EQ(connection->NextDeadline(), now + options.head_time);
  Pass(options.head_time);
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  EXPECT_FALSE(connection->HasOutput());

  Open();
  for (int i = 0; i < 40 && connection->fate() == Fate::kOpen; ++i) {
    Send("G");
    Pass(Seconds(1));
    if (connection->HasOutput()) break;
  }
  EXPECT_EQ(now - kSimulationEpoch, options.head_time * 2);
  EXPECT_THAT(Take(), StartsWith("HTTP/1.1 408 "));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

TEST_F(ServerConnectionTest, ASlowBodyHasADeadlineAsAWhole) {
  Open();
  Send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n");
  const TimePoint start = now;
  while (!connection->HasOutput()) {
    Pass(Seconds(1));
    Send("x");
  }
  EXPECT_EQ(now - start, options.body_time);
  EXPECT_THAT(Take(), StartsWith("HTTP/1.1 408 "));
}

TEST_F(ServerConnectionTest, ClosesAnIdleConnection) {
  Open();
  Ask("/text?5");
  EXPECT_EQ(connection->NextDeadline(), now + options.idle_time);
  Pass(options.idle_time - Seconds(1));
  Send("GET /te");
  EXPECT_EQ(connection->NextDeadline(), now + options.head_time);
  Send("xt?5 HTTP/1.1\r\nHost: a\r\n\r\n");
  Take();
  Pass(options.idle_time);
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

TEST_F(ServerConnectionTest, AWaitingRequestIsAskedAgainAfterAChangeOrAtItsEnd) {
  Open();
  EXPECT_EQ(Ask("/wait"), "");
  EXPECT_TRUE(connection->is_waiting());
  EXPECT_EQ(connection->NextDeadline(), now + Seconds(3));
  Pass(Seconds(1));
  EXPECT_FALSE(connection->HasOutput());
  handler.Commit();
  Pass(Seconds(0));
  EXPECT_THAT(Take(), EndsWith("changed"));

  TestHandler fresh;
  ServerConnection late(fresh, nullptr, nullptr, counters, now);
  late.Receive(now, "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  late.Pump(now + Seconds(3));
  EXPECT_TRUE(late.HasOutput());
}

TEST_F(ServerConnectionTest, AWatchSendsItsHeadAtOnceAndLinesAsTheyCome) {
  Open();
  int wakes = 0;
  connection->OnReady([&] { ++wakes; });
  EXPECT_EQ(Ask("/watch"), kWatchHead);
  EXPECT_TRUE(connection->is_watching());
  EXPECT_FALSE(connection->WantsPump());
  handler.Commit();
  EXPECT_EQ(wakes, 1);
  EXPECT_TRUE(connection->WantsPump());
  EXPECT_FALSE(connection->HasOutput());  // only a pump asks the watch
  connection->Pump(now);
  EXPECT_EQ(Take(), kLine0);
  handler.End();
  connection->Pump(now);
  EXPECT_EQ(Take(), "0\r\n\r\n");
  EXPECT_EQ(Ask("/text?5"), kText5);  // the connection is good for more
  EXPECT_EQ(Story(),
            "request, open 200, event ADDED default/0, end last chunk, request, answer 200");
}

TEST_F(ServerConnectionTest, AWatchEndsAtItsDeadline) {
  Open();
  const TimePoint end = now + Seconds(10);
  handler.session_deadline = [=] { return end; };
  Ask("/watch");
  EXPECT_EQ(connection->NextDeadline(), end);
  Pass(Seconds(10));
  EXPECT_EQ(Take(), "0\r\n\r\n");
}

TEST_F(ServerConnectionTest, ASlowReaderIsNotPulledFor) {
  options.output_max = 100;
  Open();
  Ask("/watch");
  for (int i = 0; i < 50; ++i) handler.Commit();
  connection->Pump(now);
  EXPECT_LE(connection->queued(), 100u + 14);
  EXPECT_FALSE(connection->WantsPump());
  const std::string all = Take();  // as room comes, so do lines
  EXPECT_THAT(all, HasSubstr("{\"n\":49}"));
}

TEST_F(ServerConnectionTest, AClientThatLeavesEndsItsWatch) {
  Open();
  Ask("/watch");
  EXPECT_EQ(handler.open_watches(), 1u);
  connection->PeerClosed(now);
  EXPECT_EQ(handler.open_watches(), 0u);
  EXPECT_EQ(Story(), "request, open 200, end client");
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

TEST_F(ServerConnectionTest, ShutdownEndsWatchesAndIdleConnectionsAndAnswersTheRest) {
  Open();
  Ask("/watch");
  connection->Shutdown(now);
  EXPECT_EQ(Take(), "0\r\n\r\n");
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  Open();
  connection->Shutdown(now);
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  Open();
  Ask("/wait");
  connection->Shutdown(now);
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  handler.Commit();
  connection->Pump(now);
  EXPECT_THAT(Take(), HasSubstr("Connection: close"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

}  // namespace server_connection_test
}  // namespace relist::fakeapi
