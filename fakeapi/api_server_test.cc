#include "fakeapi/api_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "fakeapi/api/resources.h"
#include "fakeapi/encoding/gzip_test_support.h"
#include "fakeapi/read/read_test_world.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {
namespace api_server_test {

using testing::ElementsAre;

constexpr char kCollection[] = "/api/v1/namespaces/default/configmaps";

Request Get(std::string target, HeaderList headers = {}) {
  return {"GET", std::move(target), std::move(headers), ""};
}

class ApiServers : public testing::Test {
 protected:
  Reply Handle(ApiServer& server, const Request& request) {
    return server.Handle(request, now_, now_);
  }
  Response Answer(ApiServer& server, const Request& request) {
    return std::get<Response>(Handle(server, request));
  }
  Response Create(ApiServer& server, const std::string& name, size_t size = 1) {
    return Answer(server, {"POST",
                           kCollection,
                           {{"Content-Type", "application/json"}},
                           fmt::format(R"({{"metadata":{{"name":"{}"}},"data":{{"n":"{}"}}}})",
                                       name, std::string(size, '1'))});
  }
  std::unique_ptr<WatchSession> Watch(ApiServer& server, const std::string& query) {
    Reply reply = Handle(server, Get(std::string(kCollection) + "?watch=1&" + query));
    return std::move(std::get<std::unique_ptr<WatchSession>>(reply));
  }
  static std::string HeaderOf(const Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return "";
  }

  TimePoint now_ = kSimulationEpoch + Seconds(1);
};

TEST_F(ApiServers, WriteWhatTheyThenServe) {
  ApiServer server({});
  EXPECT_EQ(Create(server, "a").status, 201);
  EXPECT_EQ(ItemsOf(Handle(server, Get(kCollection))), "a=1");
  EXPECT_EQ(StatusOf(Handle(server, Get(std::string(kCollection) + "/a"))), 200);
  EXPECT_EQ(StatusOf(Handle(server, Get(std::string(kCollection) + "/b"))), 404);
}

TEST_F(ApiServers, AnObjectIsReadPlainlyWhateverTheQuerySaysOfWatching) {
  ApiServer server({});
  Create(server, "a");
  EXPECT_EQ(StatusOf(Handle(server, Get(std::string(kCollection) + "/a?watch=1"))), 200);
}

TEST_F(ApiServers, CompressLargeAnswersForWhoeverAllowsIt) {
  ApiServer server({});
  Create(server, "large", 130 * 1024);
  const Request asks = Get(kCollection, {{"Accept-Encoding", "gzip"}});
  const Response plain = Answer(server, Get(kCollection));
  EXPECT_EQ(HeaderOf(plain, "Content-Encoding"), "");
  const Response zipped = Answer(server, asks);
  EXPECT_EQ(HeaderOf(zipped, "Content-Encoding"), "gzip");
  EXPECT_EQ(HeaderOf(zipped, "Vary"), "Accept-Encoding");
  EXPECT_THAT(GzipMembers(zipped.BodyText()), ElementsAre(plain.BodyText()));
  ApiServer small({});
  Create(small, "small", 120 * 1024);
  EXPECT_EQ(HeaderOf(Answer(small, asks), "Content-Encoding"), "") << "128 KiB at least";
}

TEST_F(ApiServers, HaveTheNamespacesOfARealOneFromTheStart) {
  ApiServer server({});
  EXPECT_EQ(server.store().All(*FindResource("", "v1", "namespaces")).size(), 4u);
  EXPECT_NE(server.store().Find(*FindResource("", "v1", "namespaces"), {"", "default"}), nullptr);
  ApiServer bare({.system_namespaces = false});
  EXPECT_EQ(bare.revision(), 1u);
}

TEST_F(ApiServers, ExpireEveryWatchFromBeforeTheirOwnStart) {
  ApiServer server({});
  Reply reply = Handle(server, Get("/api/v1/namespaces?watch=1&resourceVersion=1"));
  EXPECT_THAT(Drain(*std::get<std::unique_ptr<WatchSession>>(reply), now_),
              ElementsAre("ERROR 410 too old resource version: 1 (5)", "end"));
}

TEST_F(ApiServers, KnowNothingOfTheLifeOfAnotherBeforeThem) {
  ApiServer before({});
  Create(before, "a");
  const uint64_t seen = before.revision();
  ApiServer server({.start_revision = 1000000});
  Create(server, "b");
  EXPECT_GT(server.revision(), 1000000u);
  const std::string old = fmt::format("resourceVersion={}", seen);
  EXPECT_THAT(Drain(*Watch(server, old), now_),
              ElementsAre(testing::StartsWith("ERROR 410 too old resource version"), "end"));
  for (const char* match : {"&resourceVersionMatch=Exact", "&limit=1"}) {
    EXPECT_EQ(Answer(server, Get(std::string(kCollection) + "?" + old + match)).status, 410)
        << match;
  }
  EXPECT_EQ(Answer(server, Get(std::string(kCollection) + "?" + old)).status, 200);
}

TEST_F(ApiServers, RefuseWhatIsNotServed) {
  ApiServer server({});
  const auto status = [&](const std::string& method, const std::string& target) {
    return StatusOf(Handle(server, {method, target, {}, ""}));
  };
  EXPECT_EQ(status("GET", "/nothing/here"), 404);
  EXPECT_EQ(HeaderOf(Answer(server, Get("/nothing/here")), "Content-Type"),
            "text/plain; charset=utf-8");
  EXPECT_EQ(status("GET", "/api/v1/nosuchthings"), 404);
  EXPECT_EQ(status("POST", std::string(kCollection) + "/a"), 405);
  EXPECT_EQ(status("PUT", kCollection), 405);
  EXPECT_EQ(status("HEAD", kCollection), 405);
  EXPECT_EQ(status("POST", "/api/v1/configmaps"), 405) << "in which namespace?";
  EXPECT_EQ(status("POST", "/api/v1/watch/configmaps"), 405);
  EXPECT_EQ(status("GET", "/api/v1/namespaces/default/pods/a/nosuch"), 404);
  EXPECT_EQ(status("GET", "/api/v1/namespaces/default/pods/a/log"), 501);
  EXPECT_EQ(status("GET", "/api/v1/namespaces/default/pods/a/binding"), 405);
  EXPECT_EQ(status("GET", "/api/v1/namespaces/default/configmaps/a/status"), 404);
  EXPECT_EQ(status("GET", "/api/v1/namespaces/default/status"), 200);
}

TEST_F(ApiServers, RefuseWatchesOverWebSocket) {
  ApiServer server({});
  const HeaderList upgrade = {{"Connection", "Upgrade"}, {"Upgrade", "WebSocket"}};
  const auto status = [&](const std::string& query) {
    return Answer(server, Get(kCollection + query, upgrade)).status;
  };
  EXPECT_EQ(status("?watch=1"), 501);
  EXPECT_EQ(status(""), 200);  // a list has no use for it
}

TEST_F(ApiServers, RefuseALegacyWatchOfTwoNamesAtOnce) {
  ApiServer server({});
  const Reply reply = Handle(
      server, Get("/api/v1/watch/namespaces/default/configmaps/a?fieldSelector=metadata.name%3Db"));
  EXPECT_EQ(StatusOf(reply), 400);
  EXPECT_EQ(MessageOf(reply), "fieldSelector metadata.name doesn't match requested name");
}

TEST_F(ApiServers, WatchOneObjectOnTheLegacyPath) {
  ApiServer server({});
  Create(server, "a");
  Create(server, "b");
  Reply reply = Handle(server, Get("/api/v1/watch/namespaces/default/configmaps/"
                                   "a?allowWatchBookmarks=true"));
  WatchSession& session = *std::get<std::unique_ptr<WatchSession>>(reply);
  EXPECT_EQ(Drain(session, now_).size(), 1u) << "no bookmark ends what was not asked for by name";
  for (const char* name : {"a", "b"}) {
    Answer(server, {"DELETE", std::string(kCollection) + "/" + name, {}, ""});
  }
  const std::vector<std::string> lines = Drain(session, now_);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("DELETED a=1@")) << lines[0];
}

TEST_F(ApiServers, DescribeTheColumnsOfAWatchedTableOnce) {
  ApiServer server({});
  Create(server, "a");
  Create(server, "b");
  Reply reply = Handle(server, Get(std::string(kCollection) + "?watch=1",
                                   {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}}));
  WatchSession& session = *std::get<std::unique_ptr<WatchSession>>(reply);
  std::string text;
  for (WatchLine line; session.Next(now_, &line) == WatchSession::Step::kLine;) {
    for (const Slice& slice : line.chunk) text += slice.bytes;
  }
  const size_t first = text.find("\"columnDefinitions\":[{");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("\"columnDefinitions\":[{", first + 1), std::string::npos);
  EXPECT_NE(text.find("\"cells\":[\"b\""), std::string::npos);
}

TEST_F(ApiServers, WantTheTokenThatTheyWereGiven) {
  ApiServer server({.token = "secret"});
  const auto status = [&](const std::string& target, HeaderList headers) {
    return StatusOf(Handle(server, Get(target, std::move(headers))));
  };
  EXPECT_EQ(status(kCollection, {}), 401);
  EXPECT_EQ(status(kCollection, {{"authorization", "Bearer secret"}}), 200);
  EXPECT_EQ(status(kCollection, {{"Authorization", "Bearer wrong"}}), 401);
  EXPECT_EQ(status("/healthz", {}), 200);
  EXPECT_EQ(status("/healthz", {{"Authorization", "Bearer wrong"}}), 401);
}

TEST_F(ApiServers, ReadATokenAsTheRealOneDoes) {
  ApiServer server({.token = "secret"});
  const auto status = [&](const std::string& target, const std::string& header) {
    return StatusOf(Handle(server, Get(target, {{"Authorization", header}})));
  };
  for (const char* header :
       {"bearer secret", "BEARER secret", " Bearer secret ", "Bearer secret x"})
    EXPECT_EQ(status(kCollection, header), 200) << header;
  for (const char* header : {"Bearer secre", "bearer secrets"})
    EXPECT_EQ(status("/healthz", header), 401) << header;
  // Nobody's: as without a header.
  for (const char* header :
       {"Basic c2VjcmV0", "secret", "Bearer", "Bearer  secret", "Bearersecret", "Token secret"}) {
    EXPECT_EQ(status("/healthz", header), 200) << header;
    EXPECT_EQ(status(kCollection, header), 401) << header;
  }
}

TEST_F(ApiServers, AnswerOptionsOfNothingInParticularToWhoeverAsks) {
  ApiServer server({.token = "secret"});
  EXPECT_EQ(StatusOf(Handle(server, {"OPTIONS", "*", {}, ""})), 200);
  EXPECT_EQ(StatusOf(Handle(server, {"GET", "*", {}, ""})), 401);
}

TEST_F(ApiServers, AreUnhealthyWhileTheirCachesAreNotReady) {
  ApiServer server({.started = now_});
  EXPECT_EQ(Answer(server, Get("/readyz")).BodyText(), "ok");
  server.Restart(now_, {}, Seconds(10));
  EXPECT_EQ(StatusOf(Handle(server, Get("/readyz"))), 500);
  EXPECT_EQ(StatusOf(Handle(server, Get("/livez?exclude=poststarthook/storage-readiness"))), 200);
  now_ += Seconds(10);
  EXPECT_EQ(StatusOf(Handle(server, Get("/readyz"))), 200);
}

TEST_F(ApiServers, SendLargeBodiesChunkedAndSayNotToCache) {
  ApiServer server({});
  Create(server, "a");
  const Response small = Answer(server, Get(kCollection));
  EXPECT_FALSE(small.chunked);
  EXPECT_EQ(HeaderOf(small, "Cache-Control"), "no-cache, private");
  Create(server, "b", 3000);
  EXPECT_TRUE(Answer(server, Get(kCollection)).chunked);
}

TEST_F(ApiServers, WriteCommitsAndActionsIntoTheirHistory) {
  History history;
  ApiServer server({.system_namespaces = false, .history = &history});
  const ResourceType& nodes = *FindResource("", "v1", "nodes");
  const StoredRef made =
      server.store().Create(nodes, {"", "n"}, {{"metadata", {{"name", "n"}, {"uid", "u"}}}});
  server.store().Delete(nodes, {"", "n"});
  server.Compact(now_, 2);
  server.Compact(now_, 0, /*learned=*/true);
  server.Evict(now_);
  server.Restart(now_);
  server.Bookmark(now_);
  server.Reset(now_);
  std::vector<std::string> lines;
  for (const HistoryEntry& entry : history.entries()) {
    std::string line = entry.what();
    for (const auto& [key, value] : entry.fields()) line += " " + key + "=" + value;
    lines.push_back(line);
  }
  EXPECT_THAT(lines,
              ElementsAre("commit rv=2 resource=nodes key=n type=ADDED uid=u",
                          "commit rv=3 resource=nodes key=n type=DELETED uid=u",
                          "control action=compact rv=2", "control action=compact rv=3 learned=true",
                          "control action=evict rv=3", "control action=restart rv=3",
                          "control action=bookmark rv=3", "control action=reset rv=4"));
  EXPECT_EQ(history.entries()[0].object()->resource_version(), "2");
  EXPECT_EQ(history.entries()[0].object()->bytes().data(), made->bytes.data()) << "a copy";
  EXPECT_EQ(history.entries()[2].when(), now_);
}

TEST_F(ApiServers, MoveTheChangeCountWithCommitsAndActions) {
  ApiServer server({});
  uint64_t last = server.change_count();
  const auto has_moved = [&] { return std::exchange(last, server.change_count()) != last; };
  Create(server, "a");
  EXPECT_TRUE(has_moved());
  Handle(server, Get(kCollection));
  EXPECT_FALSE(has_moved());
  server.Evict(now_);
  EXPECT_TRUE(has_moved());
}

TEST_F(ApiServers, AreEmptyAgainAfterAReset) {
  ApiServer server({});
  Create(server, "a");
  const uint64_t before = server.revision();
  const auto session = Watch(server, fmt::format("resourceVersion={}", before));
  server.Reset(now_);
  EXPECT_THAT(Drain(*session, now_), ElementsAre("end"));
  EXPECT_EQ(ItemsOf(Handle(server, Get(kCollection))), "");
  EXPECT_EQ(Create(server, "a").status, 201) << "the default namespace is back";
  const auto late = Watch(server, fmt::format("resourceVersion={}", before));
  EXPECT_EQ(Drain(*late, now_).front().substr(0, 9), "ERROR 410");
  EXPECT_EQ(StatusOf(Handle(
                server, Get(fmt::format("{}?resourceVersion={}&limit=1", kCollection, before)))),
            410);
}

TEST_F(ApiServers, CompactToWhereTheyWereOnePeriodBefore) {
  ApiServer server({.compaction_period = Seconds(300)});
  Create(server, "a");
  const uint64_t old = server.revision();
  const auto exact = [&](uint64_t revision) {
    return StatusOf(
        Handle(server, Get(fmt::format("{}?resourceVersionMatch=Exact&resourceVersion={}",
                                       kCollection, revision))));
  };
  now_ += Seconds(300);
  EXPECT_EQ(exact(old), 200);
  Create(server, "b");
  const uint64_t newer = server.revision();
  now_ += Seconds(300);
  EXPECT_EQ(exact(old), 200) << "it was the newest one period ago";
  EXPECT_EQ(exact(old - 1), 410);
  now_ += Seconds(300);
  EXPECT_EQ(exact(old), 410);
  EXPECT_EQ(exact(newer), 200);
}

TEST_F(ApiServers, DrawTheTimeOfAWatchThatNamesNone) {
  SeededChoices choices(1);
  ApiServer server({.timeout_min = Seconds(100), .choices = &choices});
  std::set<TimePoint> deadlines;
  for (int i = 0; i < 20; ++i) {
    const TimePoint deadline = Watch(server, "resourceVersion=5")->NextDeadline();
    EXPECT_GE(deadline, now_ + Seconds(100));
    EXPECT_LT(deadline, now_ + Seconds(200));
    deadlines.insert(deadline);
  }
  EXPECT_GT(deadlines.size(), 10u);
}

TEST_F(ApiServers, ExpireWatchesByTheWindowTheyWereGiven) {
  ApiServer server({.watch_window = 2});
  Create(server, "a");
  const uint64_t first = server.revision();
  for (const char* name : {"b", "c"}) Create(server, name);
  EXPECT_EQ(Drain(*Watch(server, fmt::format("resourceVersion={}", first)), now_).size(), 2u);
  Create(server, "d");
  EXPECT_EQ(
      Drain(*Watch(server, fmt::format("resourceVersion={}", first)), now_),
      (std::vector<std::string>{
          fmt::format("ERROR 410 too old resource version: {} ({})", first, first + 1), "end"}));
}

}  // namespace api_server_test
}  // namespace relist::fakeapi
