#include "reflector/rest/rest_client.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/runtime/sim_port.h"
#include "reflector/rest/user_agent.h"
#include "reflector/testing/rest_bench.h"

namespace relist {
namespace rest_client_test {

using testing::Answer;
using ::testing::ElementsAre;
using testing::Eof;
using testing::EventLine;
using testing::Failure;
using testing::GetInto;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Refused;
using testing::ResetStep;
using ::testing::StartsWith;
using testing::Step;
using testing::WatchOf;
using Bench = testing::RestBench;

TEST(RestClient, SendsWhatClientGoSends) {
  RestClientOptions options;
  options.path_prefix = "/k8s";
  options.bearer_token = "secret";
  Bench bench(std::move(options));
  bench.server.Then(Answer(200, "{}"));
  const auto answer = bench.Get("/api/v1/pods?limit=500");
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->body, "{}");
  EXPECT_EQ(bench.server.requests()[0].head,
            "GET /k8s/api/v1/pods?limit=500 HTTP/1.1\r\nHost: server:8001\r\n"
            "User-Agent: " +
                DefaultUserAgent() +
                "\r\nAccept: application/json, */*\r\n"
                "Accept-Encoding: gzip\r\nAuthorization: Bearer secret\r\n\r\n");
}

TEST(RestClient, ObeysRetryAfterElevenTimesAndThenReports) {  // NET-03
  Bench bench({.qps = 0});
  for (int i = 0; i < 20; ++i) {
    bench.server.Then(Failure(429, "TooManyRequests", "Retry-After: 1\r\n"));
  }
  const auto answer = bench.Get();
  ASSERT_FALSE(answer.ok());
  EXPECT_TRUE(IsTooManyRequests(answer.error()));
  EXPECT_EQ(bench.server.requests().size(), 11u);
  EXPECT_EQ(bench.Elapsed(), Seconds(10));
}

TEST(RestClient, ObeysRetryAfterOfAWatchToo) {
  Bench bench;
  bench.server.Then(Failure(503, "ServiceUnavailable", "Retry-After: 3\r\n")).Then(WatchOf({}));
  EXPECT_TRUE(bench.Watch().ok());
  EXPECT_THAT(bench.Times(), ElementsAre(0, 3000));
}

TEST(RestClient, TellsOfAnswersThatItTriesAgain) {
  std::vector<std::pair<int, Duration>> told;
  const auto tell = [&](int status, Duration pause) { told.emplace_back(status, pause); };
  Bench bench({.on_retry = tell});
  bench.server.Then(Failure(429, "x", "Retry-After: 2\r\n"));
  bench.server.Then(Failure(503, "x", "Retry-After: 1\r\n")).Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_THAT(told, ElementsAre(std::pair(429, Duration(Seconds(2))),
                                std::pair(503, Duration(Seconds(1)))));
}

TEST(RestClient, DoesNotRetryWithoutAnIntegerRetryAfter) {
  Bench bench;
  bench.server.Then(Failure(503, "ServiceUnavailable"));
  bench.server.Then(Failure(429, "x", "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n"));
  EXPECT_FALSE(bench.Get().ok());
  EXPECT_FALSE(bench.Get().ok());
  EXPECT_EQ(bench.server.requests().size(), 2u);
}

// As client-go: 2 KB, or what a Content-Length says that is not more.
TEST(RestClient, ReadsLittleOfAnAnswerThatItTriesAgain) {
  Bench bench;
  Step announced, chunked;
  announced.Send("HTTP/1.1 503 X\r\nRetry-After: 1\r\nContent-Length: 3000\r\n\r\n");
  chunked.Send("HTTP/1.1 503 X\r\nRetry-After: 1\r\nTransfer-Encoding: chunked\r\n\r\n");
  chunked.Line(std::string(3000, 'x'));
  bench.server.Then(announced).Then(chunked);
  bench.server.Then(Answer(503, "short", "Retry-After: 1\r\n")).Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_THAT(bench.Times(), ElementsAre(0, 1000, 2000, 3000));
  EXPECT_EQ(bench.server.connections(), 3u) << "only the short one's is used again";
}

TEST(RestClient, ReadsAgainASecondAfterEofOrReset) {  // NET-04
  Bench bench;
  bench.server.Then(Eof()).Then(ResetStep()).Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_THAT(bench.Times(), ElementsAre(0, 1000, 2000));
}

TEST(RestClient, GivesUpReadingAfterTenRetries) {
  Bench bench({.qps = 0});
  for (int i = 0; i < 20; ++i) bench.server.Then(Eof());
  const auto answer = bench.Get();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().transport, Transport::kEof);
  EXPECT_EQ(bench.server.requests().size(), 11u);
}

TEST(RestClient, DoesNotRetryWhatIsRefused) {
  Bench bench;
  bench.server.Then(Refused());
  const auto answer = bench.Get();
  ASSERT_FALSE(answer.ok());
  EXPECT_TRUE(IsConnectionRefused(answer.error()));
  EXPECT_EQ(bench.server.connections(), 1u);
}

TEST(RestClient, GivesAnEmptyStreamWhereAWatchCannotBeOpened) {  // NET-05
  Bench bench({.qps = 0});
  for (int i = 0; i < 20; ++i) bench.server.Then(Eof());
  const auto stream = bench.Watch();
  ASSERT_TRUE(stream.ok());
  EXPECT_TRUE((*stream)->ended());
  EXPECT_EQ((*stream)->TryNext(), std::nullopt);
  EXPECT_TRUE((*stream)->source().Ready());
  EXPECT_EQ(bench.server.requests().size(), 11u);
  EXPECT_EQ(bench.Elapsed(), Seconds(10));
}

TEST(RestClient, OpensAWatchAgainAfterATimeoutOfConnecting) {  // NET-05
  Bench bench({.connect_timeout = Seconds(5)});
  std::vector<std::shared_ptr<SimPipe>> hung;
  bench.port.SetDialer([&](const Endpoint&) {
    auto [client, pipe] = SimPipe::Make(bench.port);
    if (hung.size() == 2) pipe->Refuse({});
    hung.push_back(std::move(pipe));
    return std::move(client);
  });
  const auto stream = bench.Watch();
  ASSERT_FALSE(stream.ok());
  EXPECT_TRUE(IsConnectionRefused(stream.error()));
  EXPECT_EQ(stream.error().message(),
            "connection refused - error from a previous attempt: timeout while connecting");
  EXPECT_EQ(bench.Elapsed(), Seconds(12)) << "twice five seconds and a pause";
}

TEST(RestClient, LimitsTheRateOfReadsAndOfRetriedWatchesOnly) {  // NET-06
  Bench bench({.qps = 5, .burst = 2});
  for (int i = 0; i < 4; ++i) bench.server.Then(Answer(200, "{}"));
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(bench.Get().ok());
  EXPECT_THAT(bench.Times(), ElementsAre(0, 0, 200, 400));
  for (int i = 0; i < 3; ++i) bench.server.Then(WatchOf({}));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(bench.Watch().ok());
  EXPECT_EQ(bench.Times().back(), 400);
  bench.server.Then(Failure(429, "x", "Retry-After: 0\r\n")).Then(WatchOf({}));
  ASSERT_TRUE(bench.Watch().ok());
  EXPECT_THAT(bench.Times().back(), 600);
}

TEST(RestClient, SendsNothingOnceItIsStopped) {
  Bench bench;
  bench.stop.Set();
  EXPECT_EQ(bench.Get().error().transport, Transport::kStopped);
  EXPECT_EQ(bench.server.connections(), 0u);
  EXPECT_TRUE(bench.history.entries().empty());
}

TEST(RestClient, StopsAtOnceWhileAHandshakeHangs) {
  Bench bench;
  std::vector<std::shared_ptr<SimPipe>> hung;
  bench.port.SetDialer([&](const Endpoint&) {
    auto [client, pipe] = SimPipe::Make(bench.port);
    hung.push_back(std::move(pipe));
    return std::move(client);
  });
  std::optional<Result<HttpAnswer>> result;
  bench.scope.Spawn(GetInto(bench.rest, "/x", nullptr, bench.stop, &result));
  bench.RunFor(Seconds(5));
  ASSERT_FALSE(result);
  bench.stop.Set();
  bench.loop.RunUntil([&] { return result.has_value(); }, bench.loop.Now() + Seconds(100));
  ASSERT_TRUE(result);
  EXPECT_EQ(bench.Elapsed(), Seconds(5));
  EXPECT_EQ(result->error().transport, Transport::kStopped);
  EXPECT_TRUE(hung[0]->client_gone());
}

TEST(RestClient, TimesOutWhereConnectingHangs) {
  Bench bench;
  std::vector<std::shared_ptr<SimPipe>> hung;
  bench.port.SetDialer([&](const Endpoint&) {
    auto [client, pipe] = SimPipe::Make(bench.port);
    hung.push_back(std::move(pipe));
    return std::move(client);
  });
  const auto answer = bench.Get();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().transport, Transport::kTimeout);
  EXPECT_EQ(bench.Elapsed(), Seconds(30));
}

TEST(RestClient, GivesUpAListThatHangsUnlessToldToWait) {
  Bench bench;
  Step half;
  half.Send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{");
  bench.server.Then(half);
  const auto answer = bench.Get();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().transport, Transport::kTimeout);
  EXPECT_EQ(bench.Elapsed(), Seconds(90));

  Bench patient({.list_deadline = std::nullopt});
  patient.server.Then(half);
  std::optional<Result<HttpAnswer>> result;
  patient.scope.Spawn(GetInto(patient.rest, "/x", nullptr, patient.stop, &result));
  patient.RunFor(Seconds(10000));
  EXPECT_FALSE(result);
}

TEST(RestClient, DoesNotUseATruncatedBodyNorAskAgain) {  // NET-13
  Bench bench;
  Step half;
  half.Send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}").FinishAfter({});
  bench.server.Then(half);
  const auto answer = bench.Get();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().message(),
            "unexpected error when reading response body. Please retry. Original error: "
            "unexpected EOF");
  EXPECT_EQ(bench.server.requests().size(), 1u);
}

TEST(RestClient, GoesByTheHeadWhateverComesOfTheBodyBehindIt) {
  const std::string broken = "Transfer-Encoding: chunked\r\n\r\nzz\r\n";
  Bench busy;
  busy.server.Then(Step().Send("HTTP/1.1 429 Busy\r\nRetry-After: 7\r\n" + broken))
      .Then(Answer(200, "{}"));
  const TimePoint start = busy.loop.Now();
  EXPECT_TRUE(busy.Get().ok());
  EXPECT_EQ(busy.loop.Now() - start, Seconds(7));

  Bench cut;
  cut.server.Then(Step().Send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + broken));
  const Result<HttpAnswer> answer = cut.Get();
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().message(),
              HasSubstr("unexpected error when reading response body. Please retry. Original "
                        "error: malformed chunk"));  // NET-13
}

TEST(RestClient, TakesAnErrorsBodyThatIsCutForTheError) {
  Bench bench;
  Step half;
  half.Send("HTTP/1.1 404 X\r\nContent-Length: 10\r\n\r\n{}").FinishAfter({});
  bench.server.Then(half);
  EXPECT_EQ(bench.Get().error().transport, Transport::kUnexpectedEof);
}

TEST(RestClient, TakesOnly200ForAWatch) {
  Bench bench;
  Step none;
  none.Send("HTTP/1.1 204 X\r\n\r\n");
  bench.server.Then(none);
  EXPECT_EQ(bench.Watch().error().message(),
            "for request http://server:8001/w?watch=true, got status: 204");
}

TEST(RestClient, GivesAWatchItsTimeoutAndAMarginAsADeadline) {
  Bench bench;
  bench.server.Then(WatchOf({EventLine("ADDED", "a", "1")}));
  auto stream = bench.Watch(Seconds(300));
  ASSERT_TRUE(stream.ok());
  EXPECT_EQ((*stream)->deadline() - kSimulationEpoch, Seconds(330));
  bench.RunFor(Seconds(329));
  EXPECT_TRUE((*stream)->TryNext());
  EXPECT_FALSE((*stream)->TryNext());
  EXPECT_FALSE((*stream)->ended());
  bench.RunFor(Seconds(1));
  EXPECT_FALSE((*stream)->TryNext());
  EXPECT_TRUE((*stream)->ended());
}

TEST(RestClient, RefusesAContentTypeThatItDoesNotSpeak) {  // NET-02
  Bench bench;
  Step html;
  html.Send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\n{}");
  bench.server.Then(html).Then(html);
  const auto answer = bench.Get();
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().message(), HasSubstr("text/html"));
  EXPECT_FALSE(bench.Watch().ok());
  Step none;
  none.Send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  bench.server.Then(none);
  EXPECT_TRUE(bench.Get().ok());
}

TEST(RestClient, TurnsJunkIntoAnError) {
  Bench bench;
  Step junk;
  junk.Send("SSH-2.0-OpenSSH\r\n\r\n");
  bench.server.Then(junk);
  const auto answer = bench.Get();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().transport, Transport::kProtocol);
}

TEST(RestClient, ReadsItsTokenFileAgainEveryMinute) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("token-" + std::to_string(getpid()))).string();
  std::ofstream(path) << "one\n";
  RestClientOptions options;
  options.token_file = path;
  options.bearer_token = "other";
  Bench bench(std::move(options));
  for (int i = 0; i < 4; ++i) bench.server.Then(Answer(200, "{}"));
  ASSERT_TRUE(bench.Get().ok());
  std::ofstream(path) << "two\n";
  ASSERT_TRUE(bench.Get().ok());
  bench.RunFor(Seconds(60));
  ASSERT_TRUE(bench.Get().ok());
  std::filesystem::remove(path);
  bench.RunFor(Seconds(60));
  ASSERT_TRUE(bench.Get().ok());
  std::vector<std::string> tokens;
  for (const auto& request : bench.server.requests()) {
    const size_t begin = request.head.find("Bearer ") + 7;
    tokens.push_back(request.head.substr(begin, request.head.find('\r', begin) - begin));
  }
  EXPECT_THAT(tokens, ElementsAre("one", "one", "two", "two"));
}

TEST(RestClient, RecordsEveryAttempt) {
  Bench bench;
  bench.server.Then(Eof()).Then(Failure(429, "x", "Retry-After: 1\r\n"));
  bench.server.Then(Failure(404, "NotFound"));
  EXPECT_FALSE(bench.Get().ok());
  std::vector<std::string> lines;
  for (const HistoryEntry& line : bench.history.entries()) {
    lines.push_back(line.what() + " " + line.Get("n") + " " + line.Get("status") +
                    line.Get("error"));
  }
  EXPECT_THAT(lines, ElementsAre("request 1 ", "answer 1 eof", "request 2 ", "answer 2 429",
                                 "request 3 ", "answer 3 404"));
}

}  // namespace rest_client_test
}  // namespace relist
