#include "reflector/rest/rest_request.h"

#include <gmock/gmock.h>

#include "reflector/testing/rest_bench.h"

namespace relist {
namespace rest_request_test {

using testing::Answer;
using ::testing::ElementsAre;
using testing::Eof;
using testing::Failure;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ResetStep;
using Bench = testing::RestBench;

RestRequest Put(const std::string& body = "{}") {
  return {.method = "PUT", .target = "/x", .body = body};
}

TEST(RestRequest, CarriesABodyAndWhatItIs) {
  Bench bench({.user_agent = "me"});
  bench.server.Then(Answer(201, R"({"kind":"ConfigMap","metadata":{"name":"a"}})"));
  RestRequest post{.method = "POST", .target = "/x?dryRun=All", .body = R"({"a":1})"};
  const Result<ObjectRef> made = ObjectOf(bench.Do(post));
  ASSERT_TRUE(made.ok());
  EXPECT_EQ((*made)->key().name, "a");
  EXPECT_EQ(bench.server.requests()[0].head,
            "POST /x?dryRun=All HTTP/1.1\r\nHost: server:8001\r\nUser-Agent: me\r\n"
            "Accept: application/json, */*\r\nAccept-Encoding: gzip\r\n"
            "Content-Type: application/json\r\nContent-Length: 7\r\n\r\n");
  EXPECT_EQ(bench.server.requests()[0].body, R"({"a":1})");
}

TEST(RestRequest, SaysTheKindOfAPatchAndWhatItAccepts) {
  Bench bench;
  bench.server.Then(Answer(200, "{}"));
  ASSERT_TRUE(bench
                  .Do({.method = "PATCH",
                       .target = "/x",
                       .body = "{}",
                       .content_type = std::string(kMergePatch),
                       .accept = std::string(kAcceptMetadata)})
                  .ok());
  EXPECT_THAT(bench.server.requests()[0].head,
              HasSubstr("Content-Type: application/merge-patch+json\r\n"));
  EXPECT_THAT(bench.server.requests()[0].head,
              HasSubstr("Accept: application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1\r"));
}

TEST(RestRequest, TellsTheLengthOfABodyThatIsNotThereWhereOneBelongs) {
  Bench bench;
  bench.server.Then(Answer(200, "{}")).Then(Answer(200, "{}"));
  ASSERT_TRUE(bench.Do({.method = "POST", .target = "/x"}).ok());
  ASSERT_TRUE(bench.Do({.method = "DELETE", .target = "/x"}).ok());
  EXPECT_THAT(bench.server.requests()[0].head, HasSubstr("Content-Length: 0\r\n"));
  EXPECT_THAT(bench.server.requests()[1].head, Not(HasSubstr("Content-Length")));
}

TEST(RestRequest, IsSentAgainWhereTheServerSaysWhen) {  // NET-03
  Bench bench;
  bench.server.Then(Failure(429, "x", "Retry-After: 2\r\n"))
      .Then(Failure(503, "x", "Retry-After: 1\r\n"))
      .Then(Answer(200, "{}"));
  ASSERT_TRUE(bench.Do(Put()).ok());
  EXPECT_THAT(bench.Times(), ElementsAre(0, 2000, 3000));
  EXPECT_EQ(bench.server.requests()[2].body, "{}");
}

TEST(RestRequest, IsNotSentAgainAfterABrokenConnectionUnlessItReads) {  // NET-04
  Bench bench;
  bench.server.Then(ResetStep()).Then(Eof()).Then(Answer(200, "{}"));
  EXPECT_EQ(bench.Do(Put()).error().transport, Transport::kReset);
  EXPECT_EQ(bench.server.requests().size(), 1u);
  ASSERT_TRUE(bench.Do({.target = "/x"}).ok());
  EXPECT_EQ(bench.server.requests().size(), 3u);
}

TEST(RestRequest, IsNotSentAgainOnAKeptConnectionThatDies) {
  Bench bench;
  bench.server.Then(Answer(200, "{}")).Then(Eof()).Then(Answer(200, "{}"));
  ASSERT_TRUE(bench.Do(Put("1")).ok());
  EXPECT_EQ(bench.Do(Put("2")).error().transport, Transport::kEof);
  EXPECT_EQ(bench.server.connections(), 1u);
  ASSERT_TRUE(bench.Do(Put("3")).ok());
  EXPECT_EQ(bench.server.requests().back().body, "3");
}

TEST(RestRequest, GivesTheStatusThatTheServerSaid) {  // NET-07
  Bench bench;
  bench.server.Then(Failure(409, "Conflict"))
      .Then(Answer(409, "no"))
      .Then(Answer(409, "no"))
      .Then(Failure(200, "Odd"));
  EXPECT_EQ(bench.Do({.method = "POST", .target = "/x"}).error().status.reason, "Conflict");
  EXPECT_EQ(bench.Do({.method = "POST", .target = "/x"}).error().status.reason, "AlreadyExists");
  EXPECT_EQ(bench.Do(Put()).error().status.reason, "Conflict");
  EXPECT_EQ(bench.Do(Put()).error().status.reason, "Odd");
}

TEST(RestRequest, HasATimeoutOfItsOwn) {
  Bench bench;
  RestRequest put = Put();
  put.timeout = Seconds(5);
  EXPECT_EQ(bench.Do(put).error().transport, Transport::kTimeout);
  EXPECT_EQ(bench.Elapsed(), Seconds(5));
}

TEST(RestRequest, IsRecordedByItsVerb) {
  Bench bench;
  bench.server.Then(Answer(200, "{}"));
  RestRequest put = Put();
  put.recorder = bench.recorder;
  ASSERT_TRUE(bench.Do(put).ok());
  ASSERT_EQ(bench.history.entries().size(), 2u);
  EXPECT_EQ(bench.history.entries()[0].Get("verb"), "PUT");
  EXPECT_EQ(bench.history.entries()[1].Get("status"), "200");
}

TEST(RestRequest, AnAnswerThatIsNoObjectIsAnError) {
  EXPECT_FALSE(ObjectOf(HttpAnswer{200, "[]", 0}).ok());
  EXPECT_TRUE(IsNotFound(ObjectOf(Error::Api(404, "NotFound", "x")).error()));
}

}  // namespace rest_request_test
}  // namespace relist
