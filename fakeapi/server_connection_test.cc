#include "fakeapi/server_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "fakeapi/test_handler.h"

namespace relist::fakeapi {
namespace server_connection_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Fate = ServerConnection::Fate;

// Answers every place from a function.
class Hook : public FaultHook {
 public:
  Verdict At(const FaultPlace& place) override { return at ? at(place) : Verdict::Pass(); }
  bool AcceptsConnections(TimePoint) override { return true; }
  // The verdict at a point; everything else passes.
  void Set(FaultPoint point, Verdict verdict) {
    at = [=](const FaultPlace& place) { return place.point == point ? verdict : Verdict::Pass(); };
  }
  std::function<Verdict(const FaultPlace&)> at;
};

class ServerConnectionTest : public testing::Test {
 protected:
  void Open() { connection = Make(); }
  std::unique_ptr<ServerConnection> Make() {
    return std::make_unique<ServerConnection>(handler, &hook, &history, counters, now, options);
  }
  // What may go out now, in one string; `pieces` gets each gather's share.
  std::string Take(std::vector<std::string>* pieces = nullptr) {
    std::string all;
    while (connection->HasOutput()) {
      iovec iov[16];
      const int n = connection->Gather(iov, 16);
      std::string piece;
      for (int i = 0; i < n; ++i) piece.append(static_cast<char*>(iov[i].iov_base), iov[i].iov_len);
      if (pieces != nullptr) pieces->push_back(piece);
      all += piece;
      connection->Sent(now, piece.size());
    }
    return all;
  }
  void Send(std::string_view bytes) { connection->Receive(now, bytes); }
  void Get(const std::string& target) { Send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n"); }
  std::string Ask(const std::string& target) {
    Get(target);
    return Take();
  }
  void Pass(Duration d) {
    now += d;
    connection->Pump(now);
  }
  // "request 1, answer 1 200, ...": the history's words.
  std::string Story() {
    std::string story;
    for (const HistoryEntry& entry : history.entries()) {
      if (!story.empty()) story += ", ";
      story += entry.what();
      for (const char* field :
           {"conn", "type", "key", "code", "point", "verdict", "status", "how"}) {
        if (field == std::string("conn") && entry.what() == "request") continue;
        if (!entry.Get(field).empty()) story += " " + entry.Get(field);
      }
    }
    return story;
  }

  TimePoint now = kSimulationEpoch;
  TestHandler handler;
  Hook hook;
  History history;
  ServerCounters counters;
  ServerConnectionOptions options;
  std::unique_ptr<ServerConnection> connection;
};

const char kWatchHead[] =
    "HTTP/1.1 200 OK\r\nCache-Control: no-cache, private\r\nContent-Type: application/json\r\n"
    "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\nTransfer-Encoding: chunked\r\n\r\n";
const char kText5[] =
    "HTTP/1.1 200 OK\r\nCache-Control: no-cache, private\r\nContent-Type: text/plain\r\n"
    "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: 5\r\n\r\nxxxxx";
const char kLine0[] = "8\r\n{\"n\":0}\n\r\n";  // 13 bytes
const char kLine1[] = "8\r\n{\"n\":1}\n\r\n";

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

TEST_F(ServerConnectionTest, SendsAHeadWithoutABodyForHead) {
  Open();
  Send("HEAD /text?5 HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_THAT(Take(), EndsWith("Content-Length: 5\r\n\r\n"));
}

TEST_F(ServerConnectionTest, Http10GetsNoChunks) {
  Open();
  Send("GET /chunked?5 HTTP/1.0\r\n\r\n");
  EXPECT_THAT(Take(), EndsWith("Content-Length: 5\r\nConnection: close\r\n\r\nxxxxx"));
  Open();
  Send("GET /watch HTTP/1.0\r\n\r\n");
  EXPECT_THAT(Take(), StartsWith("HTTP/1.1 505 "));
  EXPECT_EQ(handler.open_watches(), 0u);
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
  EXPECT_THAT(Take(), EndsWith("400 Bad Request: malformed request line\n"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
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
  EXPECT_FALSE(connection->HasOutput());  // only a pump asks the session
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

// ---- faults

TEST_F(ServerConnectionTest, AnAcceptedConnectionCanBeCutStalledOrDelayed) {
  hook.Set(FaultPoint::kConnectionAccepted, Verdict::Cut(CutHow::kReset));
  Open();
  EXPECT_EQ(connection->fate(), Fate::kReset);
  EXPECT_EQ(Story(), "fault 1 accepted cut RST after 0");
  hook.Set(FaultPoint::kConnectionAccepted, Verdict::Stall());
  Open();
  EXPECT_FALSE(connection->WantsRead());
  EXPECT_EQ(connection->NextDeadline(), kNever);
  hook.Set(FaultPoint::kConnectionAccepted, Verdict::Delay(Seconds(2)));
  Open();
  Get("/text?5");
  EXPECT_FALSE(connection->WantsRead());
  Pass(Seconds(1));
  EXPECT_FALSE(connection->HasOutput());
  Pass(Seconds(1));
  EXPECT_THAT(Take(), EndsWith("xxxxx"));
}

TEST_F(ServerConnectionTest, ARequestCanBeLostBeforeAnythingWasDone) {
  hook.Set(FaultPoint::kRequestRead, Verdict::Cut(CutHow::kReset));
  Open();
  EXPECT_EQ(Ask("/text?5"), "");
  EXPECT_EQ(connection->fate(), Fate::kReset);
  EXPECT_TRUE(handler.requests.empty());
  hook.Set(FaultPoint::kRequestRead, Verdict::Stall());
  Open();
  EXPECT_EQ(Ask("/text?5"), "");
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  EXPECT_EQ(connection->NextDeadline(), kNever);
  EXPECT_TRUE(connection->WantsRead());
  EXPECT_TRUE(handler.requests.empty());
  EXPECT_EQ(
      Story(),
      "request, fault request cut RST after 0, end RST, request, fault request stall after 0");
}

TEST_F(ServerConnectionTest, ARequestCanBeDelayedOrAnsweredByTheFault) {
  hook.Set(FaultPoint::kRequestRead, Verdict::Delay(Millis(250)));
  Open();
  EXPECT_EQ(Ask("/text?5"), "");
  EXPECT_EQ(connection->NextDeadline(), now + Millis(250));
  Pass(Millis(250));
  EXPECT_EQ(Take(), kText5);
  hook.Set(FaultPoint::kRequestRead, Verdict::Answer(503, {{"Retry-After", "2"}}, "{}"));
  EXPECT_THAT(Ask("/watch"), HasSubstr("Retry-After: 2\r\n"));
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  EXPECT_EQ(handler.requests.size(), 1u);
}

TEST_F(ServerConnectionTest, AnAnswerIsCutAtEveryByteAsAsked) {
  const std::string whole = kText5;
  for (FaultPoint point : {FaultPoint::kRequestRead, FaultPoint::kBeforeAnswer}) {
    for (size_t n = point == FaultPoint::kRequestRead ? 1 : 0; n <= whole.size(); ++n) {
      for (CutHow how : {CutHow::kFin, CutHow::kReset}) {
        hook.Set(point, Verdict::Cut(how, n));
        Open();
        ASSERT_EQ(Ask("/text?5"), whole.substr(0, n));
        ASSERT_EQ(connection->fate(), how == CutHow::kFin ? Fate::kCloseWhenSent : Fate::kReset);
      }
    }
    hook.Set(point, Verdict::Cut(CutHow::kFin, whole.size() + 1));  // past its end: no cut
    Open();
    EXPECT_EQ(Ask("/text?5"), whole);
    EXPECT_EQ(Ask("/text?5"), whole);
  }
}

TEST_F(ServerConnectionTest, ACleanCutLeavesTheSamePayloadInWholeFrames) {
  const std::string head = std::string(kText5).substr(0, sizeof kText5 - 1 - 5);
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Cut(CutHow::kClean, head.size() + 3));
  Open();
  EXPECT_THAT(Ask("/text?5"), EndsWith("Content-Length: 3\r\n\r\nxxx"));
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  // The chunked head is three bytes longer, and a size line goes before the payload.
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Cut(CutHow::kClean, head.size() + 9 + 3 + 3));
  EXPECT_THAT(Ask("/chunked?5"), EndsWith("chunked\r\n\r\n3\r\nxxx\r\n0\r\n\r\n"));
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Cut(CutHow::kClean));
  EXPECT_THAT(Ask("/text?5"), EndsWith("Content-Length: 0\r\n\r\n"));
}

TEST_F(ServerConnectionTest, AnAnswerCanBeDelayedReplacedOrStalled) {
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Delay(Seconds(1)));
  Open();
  EXPECT_EQ(Ask("/text?5"), "");
  Pass(Seconds(1));
  EXPECT_THAT(Take(), EndsWith("xxxxx"));
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Answer(500, {}, "{}"));
  EXPECT_THAT(Ask("/text?5"), StartsWith("HTTP/1.1 500 "));
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Stall(10));
  EXPECT_EQ(Ask("/text?5"), "HTTP/1.1 2");
  Get("/text?5");
  Pass(Seconds(1000));
  EXPECT_FALSE(connection->HasOutput());
  EXPECT_EQ(connection->fate(), Fate::kOpen);
}

TEST_F(ServerConnectionTest, BytesAreHeldForAsLongAsAsked) {
  hook.Set(FaultPoint::kRequestRead, Verdict::Hold(10, Seconds(5)));
  Open();
  EXPECT_EQ(Ask("/text?5"), "HTTP/1.1 2");
  EXPECT_EQ(connection->NextDeadline(), now + Seconds(5));
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  Pass(Seconds(4));
  EXPECT_EQ(Take(), "");
  Pass(Seconds(1));
  EXPECT_EQ(Take(), std::string(kText5).substr(10));
  hook.Set(FaultPoint::kRequestRead, Verdict::Hold(0, Duration::zero()));
  EXPECT_EQ(Ask("/text?5"), "");
  Pass(Seconds(100000));
  EXPECT_EQ(Take(), "");
  EXPECT_GT(connection->queued(), 0u);
  connection->PeerClosed(now);
  EXPECT_EQ(connection->queued(), 0u);
}

TEST_F(ServerConnectionTest, SplitsWhereAsked) {
  hook.Set(FaultPoint::kRequestRead, Verdict::Split(3, 50));
  Open();
  Get("/text?5");
  std::vector<std::string> pieces;
  EXPECT_EQ(Take(&pieces), kText5);
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(pieces[0], "HTT");
  EXPECT_EQ(pieces[1].size(), 50u);
  EXPECT_EQ(pieces[2].size(), 50u);
  hook.at = nullptr;
  pieces.clear();
  Get("/text?5");
  Take(&pieces);
  EXPECT_EQ(pieces.size(), 1u);  // the next answer is whole again
}

TEST_F(ServerConnectionTest, AWatchIsCutAtEveryByteAsAsked) {
  handler.Commit();
  handler.Commit();
  const std::string whole = std::string(kWatchHead) + kLine0 + kLine1;
  for (size_t n = 0; n <= whole.size(); ++n) {
    hook.Set(FaultPoint::kWatchOpened, Verdict::Cut(n % 2 == 0 ? CutHow::kFin : CutHow::kReset, n));
    Open();
    ASSERT_EQ(Ask("/watch"), whole.substr(0, n));
    ASSERT_EQ(connection->fate(), n % 2 == 0 ? Fate::kCloseWhenSent : Fate::kReset);
    ASSERT_EQ(handler.open_watches(), 0u);
    ASSERT_EQ(history.entries().back().what(), "end");
  }
}

TEST_F(ServerConnectionTest, AWatchCanEndCleanlyAtAnyByte) {
  handler.AddLine("{\"n\":\"\xc3\xa4\"}");
  const size_t head = sizeof kWatchHead - 1;
  const auto cut = [&](uint64_t n) {
    hook.Set(FaultPoint::kWatchOpened, Verdict::Cut(CutHow::kClean, n));
    Open();
    return Ask("/watch").substr(head);
  };
  EXPECT_EQ(cut(0), "0\r\n\r\n");  // silent expiry: 200, empty, closed
  EXPECT_EQ(cut(head + 3), "0\r\n\r\n");
  EXPECT_EQ(cut(head + 3 + 7), "7\r\n{\"n\":\"\xc3\r\n0\r\n\r\n");  // inside a character
  EXPECT_EQ(cut(head + 3 + 11 + 2), "b\r\n{\"n\":\"\xc3\xa4\"}\n\r\n0\r\n\r\n");
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  EXPECT_EQ(handler.open_watches(), 0u);
}

TEST_F(ServerConnectionTest, AnErrorLineEndsAWatchWhereverItStrikes) {
  const std::string status = R"({"kind":"Status","apiVersion":"v1","code":410})";
  const std::string line =
      std::string(FrameChunk("{\"type\":\"ERROR\",\"object\":" + status + "}\n").bytes);
  handler.Commit();
  hook.Set(FaultPoint::kWatchOpened, Verdict::ErrorLine(status));
  Open();
  EXPECT_EQ(Ask("/watch"), kWatchHead + line + "0\r\n\r\n");
  hook.Set(FaultPoint::kBeforeEvent, Verdict::ErrorLine(status));
  EXPECT_EQ(Ask("/watch"), kWatchHead + line + "0\r\n\r\n");
  EXPECT_THAT(Story(),
              EndsWith("open 200, fault event error line, event ERROR 410, end last chunk"));
}

TEST_F(ServerConnectionTest, FaultsBeforeAnEventCountFromItsFirstByte) {
  handler.Commit();
  handler.Commit();
  const auto strike_second = [&](Verdict verdict) {
    hook.at = [=](const FaultPlace& place) {
      const bool hit = place.point == FaultPoint::kBeforeEvent && place.nth_event == 1;
      return hit ? verdict : Verdict::Pass();
    };
    Open();
    return Ask("/watch").substr(sizeof kWatchHead - 1);
  };
  EXPECT_EQ(strike_second(Verdict::Cut(CutHow::kFin, 2)), std::string(kLine0) + "8\r");
  EXPECT_EQ(strike_second(Verdict::Cut(CutHow::kReset)), kLine0);
  EXPECT_THAT(Story(), EndsWith("event ADDED default/0, fault event cut RST after 0, end RST"));
  EXPECT_EQ(strike_second(Verdict::Cut(CutHow::kClean, 5)),
            std::string(kLine0) + "2\r\n{\"\r\n0\r\n\r\n");
  EXPECT_EQ(strike_second(Verdict::Cut(CutHow::kClean)), std::string(kLine0) + "0\r\n\r\n");
  EXPECT_EQ(strike_second(Verdict::Duplicate()), std::string(kLine0) + kLine1 + kLine1);
  EXPECT_EQ(strike_second(Verdict::Hold(4, Seconds(1))), std::string(kLine0) + "8\r\n{");
  Pass(Seconds(1));
  EXPECT_EQ(Take(), std::string(kLine1).substr(4));
  EXPECT_EQ(strike_second(Verdict::Delay(Seconds(1))), kLine0);
  EXPECT_EQ(connection->NextDeadline(), now + Seconds(1));
  Pass(Seconds(1));
  EXPECT_EQ(Take(), kLine1);
  handler.Commit();
  EXPECT_EQ(strike_second(Verdict::Stall(1)), std::string(kLine0) + "8");
  EXPECT_TRUE(connection->is_watching());  // the server does not know
  EXPECT_THAT(Story(), EndsWith("event ADDED default/1, event ADDED default/2"));
  connection->PeerClosed(now);
  EXPECT_EQ(handler.open_watches(), 0u);
}

TEST_F(ServerConnectionTest, ADelayedWatchSendsItsHeadAtOnceAndAHeldOneDoesNot) {
  handler.Commit();
  hook.Set(FaultPoint::kWatchOpened, Verdict::Delay(Seconds(2)));
  Open();
  EXPECT_EQ(Ask("/watch"), kWatchHead);
  EXPECT_FALSE(connection->WantsPump());
  EXPECT_EQ(connection->NextDeadline(), now + Seconds(2));
  Pass(Seconds(2));
  EXPECT_EQ(Take(), kLine0);
  hook.Set(FaultPoint::kWatchOpened, Verdict::Hold(0, Seconds(2)));
  Open();
  EXPECT_EQ(Ask("/watch"), "");
  Pass(Seconds(2));
  EXPECT_THAT(Take(), EndsWith(kLine0));
}

TEST_F(ServerConnectionTest, PlacesSayWhatARequestIs) {
  std::vector<FaultPlace> places;
  hook.at = [&](const FaultPlace& place) {
    if (place.point == FaultPoint::kRequestRead) places.push_back(place);
    return Verdict::Pass();
  };
  const auto send = [&](const std::string& method, const std::string& target) {
    Open();
    Send(method + " " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
  };
  send("GET", "/apis/apps/v1/namespaces/a/deployments?resourceVersion=7&limit=5&continue=x");
  send("GET", "/api/v1/namespaces/a/configmaps/x?watch=true");
  send("GET", "/healthz");
  send("POST", "/api/v1/namespaces/a/configmaps");
  send("GET", "/api/v1/namespaces/a/configmaps?watch=1&sendInitialEvents=true");
  ASSERT_EQ(places.size(), 5u);
  EXPECT_EQ(places[0].resource, "deployments.apps");
  EXPECT_EQ(places[0].resource_version, "7");
  EXPECT_TRUE(places[0].is_list && places[0].is_continue && !places[0].is_watch);
  EXPECT_FALSE(places[1].is_watch || places[1].is_list);
  EXPECT_EQ(places[2].resource, "");
  EXPECT_EQ(places[3].resource, "");
  EXPECT_TRUE(places[4].is_watch && places[4].is_streaming_list && !places[4].is_list);
  EXPECT_EQ(places[4].connection, 5);
  EXPECT_EQ(places[4].request_id, 5u);
}

}  // namespace server_connection_test
}  // namespace relist::fakeapi
