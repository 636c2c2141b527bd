#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fakeapi/http/server_connection_fixture.h"

namespace relist::fakeapi {
namespace server_connection_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// A suite of its own name: what a fault does at every place and byte.
class ServerConnectionFaults : public ServerConnectionTest {};

TEST_F(ServerConnectionFaults, AnAcceptedConnectionCanBeCutStalledOrDelayed) {
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

TEST_F(ServerConnectionFaults, ARequestCanBeLostBeforeAnythingWasDone) {
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

TEST_F(ServerConnectionFaults, ARequestCanBeDelayedOrAnsweredByTheFault) {
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

TEST_F(ServerConnectionFaults, AnAnswerIsCutAtEveryByteAsAsked) {
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

TEST_F(ServerConnectionFaults, ACleanCutLeavesTheSamePayloadInWholeFrames) {
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

TEST_F(ServerConnectionFaults, AnAnswerCanBeDelayedReplacedOrStalled) {
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

TEST_F(ServerConnectionFaults, BytesAreHeldForAsLongAsAsked) {
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

TEST_F(ServerConnectionFaults, SplitsWhereAsked) {
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

TEST_F(ServerConnectionFaults, AWatchIsCutAtEveryByteAsAsked) {
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

TEST_F(ServerConnectionFaults, AWatchCanEndCleanlyAtAnyByte) {
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

TEST_F(ServerConnectionFaults, AnErrorLineEndsAWatchWhereverItStrikes) {
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

TEST_F(ServerConnectionFaults, FaultsBeforeAnEventCountFromItsFirstByte) {
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

TEST_F(ServerConnectionFaults, ADelayedWatchSendsItsHeadAtOnceAndAHeldOneDoesNot) {
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

TEST_F(ServerConnectionFaults, PlacesSayWhatARequestIs) {
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
  using Verb = FaultPlace::Verb;
  EXPECT_EQ(places[0].verb, Verb::kList);
  EXPECT_EQ(places[0].continue_token, "x");
  EXPECT_EQ(places[1].verb, Verb::kGet);
  EXPECT_EQ(places[2].verb, Verb::kOther);
  EXPECT_EQ(places[3].verb, Verb::kCreate);
  EXPECT_EQ(places[3].resource, "configmaps");
  EXPECT_FALSE(places[3].is_list || places[3].is_watch);
  EXPECT_EQ(places[4].verb, Verb::kWatch);
  EXPECT_TRUE(places[4].is_watch && places[4].is_streaming_list && !places[4].is_list);
  EXPECT_EQ(places[4].connection, 5);
  EXPECT_EQ(places[4].request_id, 5u);
}

}  // namespace server_connection_test
}  // namespace relist::fakeapi
