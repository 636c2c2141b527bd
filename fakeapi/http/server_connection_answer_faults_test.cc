// What faults do to an answer as a whole, and to the connection that carries it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fakeapi/encoding/gzip_test_support.h"
#include "fakeapi/http/server_connection_fixture.h"

namespace relist::fakeapi {
namespace server_connection_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class FaultsOnAnswers : public ServerConnectionTest {};

TEST_F(FaultsOnAnswers, AnAnswerStopsRightBehindItsHead) {
  const std::string whole = kText5;
  const std::string head = whole.substr(0, whole.size() - 5);
  for (FaultPoint point : {FaultPoint::kRequestRead, FaultPoint::kBeforeAnswer}) {
    Verdict cut = Verdict::Cut(CutHow::kReset).At(Verdict::ByteAt::kBehindHead);
    cut.tag = 3;
    hook.Set(point, cut);
    Open();
    EXPECT_EQ(Ask("/text?5"), head);
    EXPECT_EQ(connection->fate(), Fate::kReset);
  }
  EXPECT_EQ(hook.struck, (std::vector<int>{3, 3}));
  EXPECT_EQ(handler.requests.size(), 2u) << "it was done";
  for (FaultPoint point : {FaultPoint::kRequestRead, FaultPoint::kWatchOpened}) {
    hook.Set(point, Verdict::Stall().At(Verdict::ByteAt::kBehindHead));
    Open();
    handler.Commit();
    EXPECT_EQ(Ask("/watch"), kWatchHead);
    EXPECT_TRUE(connection->is_watching());
    EXPECT_THAT(Story(), HasSubstr("stall after the head"));
  }
}

TEST_F(FaultsOnAnswers, AnAnswerGoesAsSlowlyAsAsked) {
  hook.Set(FaultPoint::kRequestRead, Verdict::Slow(50));
  Open();
  const std::string whole = kText5;
  EXPECT_EQ(Ask("/text?5"), "");
  EXPECT_EQ(connection->NextDeadline(), now + Millis(100));
  std::string all;
  for (int i = 0; i < 4; ++i) {
    Pass(Millis(100));
    EXPECT_EQ(Take().size(), 5u) << i;
  }
  Pass(Seconds(1));
  EXPECT_EQ(Take(), whole.substr(20, 50));
  Pass(Seconds(60));
  EXPECT_EQ(Take(), whole.substr(70));
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  hook.at = nullptr;
  EXPECT_EQ(Ask("/text?5").size(), whole.size()) << "the next one is as fast as ever";
}

TEST_F(FaultsOnAnswers, ASlowWatchIsAsSlowForEachLine) {
  hook.Set(FaultPoint::kWatchOpened, Verdict::Slow(2, sizeof kWatchHead - 1));
  Open();
  EXPECT_EQ(Ask("/watch"), kWatchHead);
  Pass(Seconds(100));
  handler.Commit();
  connection->Pump(now);
  EXPECT_EQ(Take(), "") << "time that went by without a word counts for nothing";
  Pass(Millis(500));
  EXPECT_EQ(Take(), "8");
  Pass(Seconds(6));
  EXPECT_EQ(Take(), std::string(kLine0).substr(1));
}

TEST_F(FaultsOnAnswers, AnAnswerOfHttp10HasNoChunksAndEndsWithTheConnection) {
  hook.Set(FaultPoint::kRequestRead, Verdict::Http10());
  Open();
  const std::string list = Ask("/chunked?5");
  EXPECT_THAT(list, StartsWith("HTTP/1.0 200 OK\r\n"));
  EXPECT_THAT(list, EndsWith("GMT\r\n\r\nxxxxx"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  handler.Commit();
  Open();
  EXPECT_THAT(Ask("/watch"), EndsWith("GMT\r\n\r\n{\"n\":0}\n"));
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  handler.End();
  connection->Pump(now);
  EXPECT_EQ(Take(), "");
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

// Found by a script: the digest was of what was left when the chunk's frame was taken off twice.
TEST_F(FaultsOnAnswers, ALineIsNotedTheSameInHttp10) {
  handler.Commit();
  const auto noted = [&](const Verdict& verdict) {
    hook.Set(FaultPoint::kRequestRead, verdict);
    Open();
    Ask("/watch");
    return history.entries().back().Get("body");
  };
  EXPECT_NE(noted(Verdict::Pass()), "");
  EXPECT_EQ(noted(Verdict::Http10()), noted(Verdict::Pass()));
}

TEST_F(FaultsOnAnswers, AConnectionIsCutUnderTheNextRequest) {
  for (CutHow how : {CutHow::kFin, CutHow::kReset}) {
    Verdict verdict = Verdict::CutNext(how);
    verdict.tag = 5;
    hook.Set(FaultPoint::kRequestRead, verdict);
    hook.struck.clear();
    handler.requests.clear();
    Open();
    EXPECT_EQ(Ask("/text?5"), kText5);
    EXPECT_EQ(connection->fate(), Fate::kOpen);
    EXPECT_TRUE(hook.struck.empty());
    EXPECT_EQ(Ask("/text?5"), "");
    EXPECT_EQ(connection->fate(), how == CutHow::kFin ? Fate::kCloseWhenSent : Fate::kReset);
    EXPECT_EQ(handler.requests.size(), 1u) << "nobody read the second one";
    EXPECT_EQ(hook.struck, std::vector<int>{5});
  }
  EXPECT_EQ(Story(),
            "request, fault request next FIN, answer 200, fault 1 next next FIN, request, fault "
            "request next RST, answer 200, fault 2 next next RST");
}

TEST_F(FaultsOnAnswers, AWriteIsDoneAndItsAnswerLost) {
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Cut(CutHow::kReset));
  Open();
  Send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nb");
  EXPECT_EQ(Take(), "");
  EXPECT_EQ(connection->fate(), Fate::kReset);
  ASSERT_EQ(handler.requests.size(), 1u);
  EXPECT_EQ(handler.requests[0].body, "b");
  EXPECT_EQ(handler.change_count(), 1u);
}

TEST_F(FaultsOnAnswers, ABodyGoesInChunksOfAsManyBytesAsAsked) {
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Framing({.chunk_size = 2}));
  Open();
  const std::string chunks = "chunked\r\n\r\n2\r\nxx\r\n2\r\nxx\r\n1\r\nx\r\n0\r\n\r\n";
  EXPECT_THAT(Ask("/chunked?5"), EndsWith(chunks));
  EXPECT_THAT(Ask("/text?5"), EndsWith(chunks)) << "a body that had a length, too";
  EXPECT_THAT(Ask("/text?0"), EndsWith("chunked\r\n\r\n0\r\n\r\n"));
  Send("GET /chunked?5 HTTP/1.0\r\n\r\n");
  EXPECT_THAT(Take(), EndsWith("GMT\r\n\r\nxxxxx"));
}

// Of two texts of one size.
int BytesThatDiffer(const std::string& a, const std::string& b) {
  int differ = 0;
  for (size_t i = 0; i < a.size(); ++i) differ += a[i] != b[i];
  return differ;
}

TEST_F(FaultsOnAnswers, AnAnswerIsCompressedThoughNobodyAsked) {
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Gzip(/*corrupt=*/false));
  Open();
  const std::string answer = Ask("/text?300");
  EXPECT_THAT(answer, HasSubstr("Content-Encoding: gzip\r\n"));
  const std::string body = answer.substr(answer.find("\r\n\r\n") + 4);
  EXPECT_EQ(GzipMembers(body), std::vector<std::string>{std::string(300, 'x')});
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Gzip(/*corrupt=*/true));
  const std::string other = Ask("/text?300");
  const std::string corrupt = other.substr(other.find("\r\n\r\n") + 4);
  ASSERT_EQ(corrupt.size(), body.size());
  EXPECT_EQ(BytesThatDiffer(body, corrupt), 1);
}

TEST_F(FaultsOnAnswers, WhatIsCompressedAlreadyIsNotCompressedAgain) {
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Gzip(/*corrupt=*/false));
  Open();
  const std::string answer = Ask("/encoded");
  EXPECT_THAT(answer, EndsWith("\r\n\r\nzip"));
  EXPECT_EQ(answer.find("Content-Encoding"), answer.rfind("Content-Encoding"));
  hook.Set(FaultPoint::kBeforeAnswer, Verdict::Gzip(/*corrupt=*/true));
  EXPECT_THAT(Ask("/encoded"), EndsWith("\r\n\r\nz\x96p"));
}

TEST_F(FaultsOnAnswers, AWatchIsCompressedThoughNobodyAsked) {
  hook.Set(FaultPoint::kWatchOpened, Verdict::Gzip(/*corrupt=*/false));
  handler.Commit();
  Open();
  const std::string answer = Ask("/watch");
  EXPECT_THAT(answer, HasSubstr("Content-Encoding: gzip\r\n"));
  const std::string chunk = answer.substr(answer.find("\r\n\r\n") + 4);
  const size_t begin = chunk.find("\r\n") + 2;
  const std::string member = chunk.substr(begin, chunk.size() - begin - 2);
  EXPECT_EQ(GzipMembers(member), std::vector<std::string>{"{\"n\":0}\n"});
  hook.Set(FaultPoint::kWatchOpened, Verdict::Gzip(/*corrupt=*/true));
  Open();
  const std::string other = Ask("/watch");
  EXPECT_THAT(other, HasSubstr("Content-Encoding: gzip\r\n"));
  const std::string corrupt = other.substr(other.find("\r\n\r\n") + 4);
  ASSERT_EQ(corrupt.size(), chunk.size());
  EXPECT_EQ(BytesThatDiffer(chunk, corrupt), 1);
}

}  // namespace server_connection_test
}  // namespace relist::fakeapi
