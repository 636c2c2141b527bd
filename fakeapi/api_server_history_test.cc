// What a connection to the real ApiServer notes of lists, streams and refusals: as it went out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "core/wire/digest.h"
#include "fakeapi/api_server.h"
#include "fakeapi/http/server_connection.h"

namespace relist::fakeapi {
namespace {

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";

class WireHistory : public testing::Test {
 protected:
  WireHistory() { Create("a"); }

  void Create(const std::string& name) {
    Request request{"POST", kMaps, {{"Content-Type", "application/json"}}, ""};
    request.body = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name + "\"}}";
    Reply reply = server_.Handle(request, now_, now_);
    EXPECT_EQ(std::get<Response>(reply).status, 201);
    commit_ = &history_.entries().back();
    if (connection_) connection_->Pump(now_);
  }

  // What was sent.
  std::string Ask(const std::string& query, const std::string& headers = "") {
    connection_ = std::make_unique<ServerConnection>(server_, &hook_, &history_, counters_, now_);
    connection_->Receive(now_, "GET " + std::string(kMaps) + "?" + query +
                                   " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n");
    return Take();
  }
  std::string Take() {
    std::string all;
    while (connection_->HasOutput()) {
      iovec piece;
      connection_->Gather(&piece, 1);
      all.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
      connection_->Sent(now_, piece.iov_len);
    }
    return all;
  }
  // The text of the last chunk but the closing one.
  static std::string LineIn(const std::string& sent) {
    const size_t begin = sent.find("{\"type\"");
    return sent.substr(begin, sent.find("\r\n", begin) - begin);
  }
  const HistoryEntry& Last(const std::string& what) {
    for (auto entry = history_.entries().rbegin(); entry != history_.entries().rend(); ++entry) {
      if (entry->what() == what) return *entry;
    }
    ADD_FAILURE() << "no line " << what;
    return history_.entries().back();
  }

  struct Hook : FaultHook {
    Verdict At(const FaultPlace& place) override { return at ? at(place) : Verdict::Pass(); }
    bool AcceptsConnections(TimePoint) override { return true; }
    std::function<Verdict(const FaultPlace&)> at;
  };
  TimePoint now_ = kSimulationEpoch;
  History history_;
  ApiServer server_{{.history = &history_}};
  Hook hook_;
  ServerCounters counters_;
  const HistoryEntry* commit_ = nullptr;
  std::unique_ptr<ServerConnection> connection_;
};

TEST_F(WireHistory, OfAListADigestOfItsItemsAndTheToken) {
  const std::string size_a = commit_->object()->bytes();
  const uint64_t rv_a = std::stoull(commit_->Get("rv"));
  Create("b");
  const size_t size_b = commit_->object()->bytes().size();
  Ask("resourceVersion=0");
  EXPECT_EQ(
      Last("answer").Get("digest"),
      ListDigest().Add("default/a", rv_a, size_a.size()).Add("default/b", rv_a + 1, size_b).Text());
  EXPECT_EQ(Last("answer").Get("continue"), "");
  const std::string page = Ask("limit=1");
  EXPECT_EQ(Last("answer").Get("digest"),
            ListDigest().Add("default/a", rv_a, size_a.size()).Text());
  ASSERT_NE(Last("answer").Get("continue"), "");
  EXPECT_THAT(page, testing::HasSubstr("\"continue\":\"" + Last("answer").Get("continue") + "\""));
}

TEST_F(WireHistory, OfAnEventADigestOfItsLine) {
  const std::string sent = Ask("watch=true");
  EXPECT_EQ(Last("event").Get("body"), Digest().Add(LineIn(sent)).Text());
  EXPECT_EQ(Last("event").object(), nullptr);
  Create("b");
  EXPECT_EQ(Last("event").Get("body"), Digest().Add(LineIn(Take())).Text());
}

TEST_F(WireHistory, OfABookmarkAndAnErrorTheirObjects) {
  const std::string sent =
      Ask("watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&"
          "allowWatchBookmarks=true");
  EXPECT_EQ(Last("event").Get("body"), "");
  ASSERT_NE(Last("event").object(), nullptr);
  EXPECT_THAT(sent, testing::HasSubstr(R"({"type":"BOOKMARK","object":)" +
                                       Last("event").object()->bytes() + "}\n\r\n"));
  server_.Evict(now_);
  const std::string gone = Ask("watch=true&resourceVersion=1");
  EXPECT_EQ(Last("event").Get("code"), "410");
  ASSERT_NE(Last("event").object(), nullptr);
  EXPECT_EQ(Last("event").object()->json()["reason"], "Expired");
  EXPECT_THAT(gone, testing::HasSubstr(Last("event").object()->bytes()));
}

TEST_F(WireHistory, OfALineThatIsCutShortNothingMore) {
  hook_.at = [](const FaultPlace& place) {
    return place.point == FaultPoint::kBeforeEvent ? Verdict::Cut(CutHow::kClean, 20)
                                                   : Verdict::Pass();
  };
  Ask("watch=true");
  EXPECT_EQ(Last("event").Get("key"), "default/a");
  EXPECT_EQ(Last("event").Get("body"), "");
}

TEST_F(WireHistory, OfARefusalItsStatusAndWhenToComeAgain) {
  hook_.at = [](const FaultPlace& place) {
    return place.point == FaultPoint::kRequestRead
               ? Verdict::Answer(429, {{"retry-after", "7"}}, R"({"kind":"Status"})")
               : Verdict::Pass();
  };
  Ask("");
  EXPECT_EQ(Last("answer").Get("retry_after"), "7");
  EXPECT_EQ(Last("answer").object()->bytes(), R"({"kind":"Status"})");
  hook_.at = {};
  const std::string sent = Ask("limit=x");
  EXPECT_EQ(Last("answer").Get("status"), "400");
  EXPECT_EQ(Last("answer").Get("retry_after"), "");
  EXPECT_THAT(sent, testing::EndsWith(Last("answer").object()->bytes() + "\n"));
}

TEST_F(WireHistory, OfARequestItsAcceptWhereItWantsNoPlainObjects) {
  Ask("", "Accept: application/json, */*\r\n");
  EXPECT_EQ(Last("request").Get("accept"), "");
  for (const char* accept :
       {"application/json;as=Table;v=v1;g=meta.k8s.io,application/json", "application/yaml"}) {
    Ask("", std::string("Accept: ") + accept + "\r\n");
    EXPECT_EQ(Last("request").Get("accept"), accept);
  }
}

}  // namespace
}  // namespace relist::fakeapi
