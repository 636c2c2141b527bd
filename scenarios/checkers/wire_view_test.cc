#include "fakeapi/api_server.h"
#include "fakeapi/http/wire_notes.h"
#include "scenarios/checkers/wire_text.h"

namespace relist {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kMapsView[] = "/api/v1/namespaces/default/configmaps";

TEST(WireViewTest, ARequestIsTakenApart) {
  const WireAsk list = AskOf(
      "GET", std::string(kMapsView) +
                 "?limit=5&resourceVersion=7&resourceVersion=9&labelSelector=app%3Dweb&continue=x");
  EXPECT_EQ(list.kind, WireAsk::Kind::kList);
  EXPECT_EQ(list.scope, (ScopeSpec{"configmaps", "default", "", "app=web", ""}));
  EXPECT_EQ(list.rv, 7u) << "the first one counts";
  EXPECT_EQ(list.limit, 5);
  EXPECT_EQ(list.continue_token, "x");
  const WireAsk watch = AskOf("GET",
                              "/apis/apps/v1/deployments?watch&allowWatchBookmarks=False&"
                              "timeoutSeconds=-1&resourceVersion=0x");
  EXPECT_EQ(watch.kind, WireAsk::Kind::kWatch);
  EXPECT_EQ(watch.scope.resource, "deployments.apps");
  EXPECT_FALSE(watch.bookmarks);
  EXPECT_EQ(watch.timeout_seconds, -1);
  EXPECT_EQ(watch.rv, std::nullopt);
  EXPECT_FALSE(watch.WantsInitial());
  for (const char* other : {"/api/v1/namespaces/default/configmaps/a?watch=true", "/healthz",
                            "/api/v1/namespaces/default/pods/a/status", ""}) {
    EXPECT_EQ(AskOf("GET", other).kind, WireAsk::Kind::kOther) << other;
  }
  EXPECT_EQ(AskOf("POST", kMapsView).kind, WireAsk::Kind::kOther);
  EXPECT_FALSE(AskOf("GET", kMapsView, "application/json;as=Table").plain);
}

TEST(WireViewTest, ANameNarrowsAList) {
  const std::string all = "/api/v1/configmaps", named = "?fieldSelector=metadata.name%3Da";
  EXPECT_TRUE(AskOf("GET", kMapsView + named).single);
  EXPECT_EQ(AskOf("GET", kMapsView + named).scope.name, "a");
  EXPECT_FALSE(AskOf("GET", all + named).single) << "one in each namespace";
  EXPECT_TRUE(AskOf("GET", all + named + ",metadata.namespace%3Dx").single);
  EXPECT_TRUE(AskOf("GET", "/api/v1/nodes" + named).single);
  const WireAsk legacy = AskOf("GET", "/api/v1/watch/namespaces/default/configmaps/a");
  EXPECT_EQ(legacy.kind, WireAsk::Kind::kWatch);
  EXPECT_TRUE(legacy.single);
  EXPECT_TRUE(legacy.WantsInitial());
}

TEST(WireViewTest, WhoGetsInitialEvents) {
  const auto wants = [](const std::string& query) {
    return AskOf("GET", std::string(kMapsView) + "?watch=1" + query).WantsInitial();
  };
  EXPECT_TRUE(wants(""));
  EXPECT_TRUE(wants("&resourceVersion=0"));
  EXPECT_FALSE(wants("&resourceVersion=5"));
  EXPECT_TRUE(wants("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=5"));
  EXPECT_FALSE(wants("&sendInitialEvents=false"));
  EXPECT_FALSE(wants("&sendInitialEvents=0&resourceVersion=5"));
}

TEST(WireViewTest, ANamesScopeIsOneObject) {
  EXPECT_THAT(Blamed(kWrites + Watch(1, "resourceVersion=6&fieldSelector=metadata.name%3Db") +
                     kMoreWrites + Event7(1)),
              ElementsAre("W1"));
}

// Found by reading: a phase that is not written is Pending to the server, and was nothing here.
TEST(WireViewTest, AFieldHasItsDefault) {
  const std::string pods = R"(
    0 server commit rv=5 resource=pods key=default/p type=ADDED uid=up object={"metadata":{"name":"p","namespace":"default"}}
    1 server request id=1 method=GET target=/api/v1/pods?watch=1&fieldSelector=status.phase%3DPending,metadata.namespace%3Ddefault
    1 server open id=1 status=200
    1 server event id=1 type=ADDED key=default/p uid=up rv=5
    2 server request id=2 method=GET target=/api/v1/pods?fieldSelector=spec.restartPolicy!%3DAlways
    2 server answer id=2 status=200 rv=5 items=0
    3 server request id=3 method=GET target=/api/v1/pods?fieldSelector=metadata.name%3Dp
    3 server answer id=3 status=200 rv=5 items=1
  )";
  EXPECT_THAT(WireSays(pods), IsEmpty());
}

// A search needs no connection: what it asked and was told is noted by the same functions.
class WireNotesTest : public testing::Test {
 protected:
  static constexpr char kNotedMaps[] = "/api/v1/namespaces/default/configmaps";
  WireNotesTest() { Write("a"); }

  void Write(const std::string& name) {
    fakeapi::Request request{"POST", kNotedMaps, {{"Content-Type", "application/json"}}, ""};
    request.body = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name + "\"}}";
    Ask(request);
  }
  fakeapi::Reply Ask(const fakeapi::Request& request) {
    now_ += Millis(1);
    fakeapi::NoteRequest(&history_, now_, ++id_, 1, request);
    fakeapi::Reply reply = server_.Handle(request, now_, now_);
    if (const auto* response = std::get_if<fakeapi::Response>(&reply))
      fakeapi::NoteAnswer(&history_, now_, id_, *response);
    else
      fakeapi::NoteOpen(&history_, now_, id_);
    return reply;
  }
  void Take(uint64_t id, fakeapi::WatchSession& watch, size_t unnoted = 99) {
    fakeapi::WatchLine line;
    for (size_t i = 0; watch.Next(now_, &line) == fakeapi::WatchSession::Step::kLine; ++i) {
      if (i != unnoted) fakeapi::NoteLine(&history_, now_, id, line);
    }
  }
  std::string Told() const {
    const HistoryView view(history_);
    std::string properties;
    for (const Violation& violation : CheckWire(WireOf(view, kUsualKnobs)))
      properties += violation.property + " ";
    return properties;
  }

  TimePoint now_ = kSimulationEpoch;
  History history_;
  fakeapi::ApiServer server_{{.history = &history_}};
  uint64_t id_ = 0;
};

TEST_F(WireNotesTest, AServerWithoutConnectionsIsJudged) {
  const fakeapi::Request watch{"GET", std::string(kNotedMaps) + "?watch=1", {}, ""};
  fakeapi::Reply good = Ask(watch);
  const uint64_t good_id = id_;
  fakeapi::Reply bad = Ask(watch);
  const uint64_t bad_id = id_;
  for (const char* name : {"b", "c", "d"}) Write(name);
  Ask({"GET", std::string(kNotedMaps) + "?limit=2", {}, ""});
  Take(good_id, *std::get<std::unique_ptr<fakeapi::WatchSession>>(good));
  EXPECT_EQ(Told(), "");
  Take(bad_id, *std::get<std::unique_ptr<fakeapi::WatchSession>>(bad), /*unnoted=*/2);
  EXPECT_EQ(Told(), "W4 ");
}

// A reset to a snapshot is one to nothing, and then a commit for each object that comes back.
TEST_F(WireNotesTest, AResetToASnapshotIsJudged) {
  const fakeapi::Request list{"GET", kNotedMaps, {}, ""};
  Write("b");
  server_.SaveAs(now_, "two");
  Write("c");
  Ask({"GET", std::string(kNotedMaps) + "?watch=1", {}, ""});
  now_ += Millis(1);
  server_.Reset(now_, "two");
  Ask(list);
  Write("d");
  Ask(list);
  Ask({"GET", std::string(kNotedMaps) + "?watch=1&resourceVersion=2", {}, ""});
  EXPECT_EQ(Told(), "");
  const HistoryView view(history_);
  const uint64_t end = server_.revision();
  EXPECT_EQ(view.truth().Of({.resource = "configmaps"}).StateAt(end).size(), 3u) << "a, b and d";
}

// By hand, without a history.
TEST(WireViewTest, AWireCanBeMadeByHand) {
  Truth truth;
  truth.Add({.rv = 5, .resource = "configmaps", .key = "default/a", .uid = "ua", .order = 1});
  truth.Add({.rv = 6, .resource = "configmaps", .key = "default/b", .uid = "ub", .order = 4});
  truth.Add({.rv = 7, .resource = "configmaps", .key = "default/c", .uid = "uc", .order = 5});
  WireRequest stream;
  stream.id = 1;
  stream.ask = AskOf("GET", std::string(kMapsView) + "?watch=1&resourceVersion=5");
  stream.received_order = 2;
  stream.state = WireRequest::State::kOpen;
  stream.answers = 1;
  stream.answered_order = 3;
  stream.newest_before = stream.newest_then = 5;
  const auto said = [&](const std::vector<uint64_t>& versions) {
    WireView wire(&truth, kUsualKnobs);
    wire.requests = {stream};
    uint64_t order = 6;
    for (const uint64_t rv : versions) {
      WireLine line;
      line.rv = rv;
      line.key = rv == 6 ? "default/b" : "default/c";
      line.order = order++;
      wire.requests[0].lines.push_back(line);
    }
    std::string properties;
    for (const Violation& violation : CheckWire(wire)) properties += violation.property + " ";
    return properties;
  };
  EXPECT_EQ(said({6, 7}), "");
  EXPECT_EQ(said({7, 6}), "W2 ");
  EXPECT_EQ(said({7}), "W4 ");
}

TEST(WireViewTest, AScopeKnowsWhatThereWasAtAnyVersion) {
  const History history = HistoryOf(kWrites + kMoreWrites +
                                    "5 server control action=reset rv=10\n"
                                    "6 server commit rv=11 resource=configmaps key=default/b "
                                    "type=ADDED uid=uz\n");
  const HistoryView view(history);
  const ScopedTruth& truth = view.truth().Of({.resource = "configmaps", .ns = "default"});
  const auto at = [&truth](uint64_t rv) {
    std::string text;
    for (const TruthCommit* commit : truth.StateAt(rv))
      text += std::string(commit->key.substr(8)) + std::to_string(commit->rv) + " ";
    return text;
  };
  EXPECT_EQ(at(4), "");
  EXPECT_EQ(at(6), "a5 b6 ");
  EXPECT_EQ(at(8), "a7 ");
  EXPECT_EQ(at(9), "a7 c9 ");
  EXPECT_EQ(at(10), "");
  EXPECT_EQ(at(99), "b11 ");
  EXPECT_EQ(truth.After(6), 2u);
  ASSERT_NE(truth.At(11), nullptr);
  EXPECT_EQ(truth.At(11)->type, EventType::kAdded) << "not the one from before the reset";
  EXPECT_EQ(truth.At(10), nullptr);
}

TEST(WireViewTest, CheckAllJudgesTheServerToo) {
  const auto said = [](const std::string& text, const CheckOptions& options) {
    const History history = HistoryOf(text);
    std::string properties;
    for (const Violation& violation : CheckAll(history, options))
      properties += violation.property + " ";
    return properties;
  };
  EXPECT_EQ(said(kGoodStart, {}), "");
  EXPECT_EQ(said(kGoodStart + "2 server event id=2 type=ADDED key=default/c uid=uc rv=7\n", {}),
            "W1 ");
  const std::string expired = kGoodStart + kMoreWrites + Watch(3, "resourceVersion=6", 9) +
                              "9 server event id=3 type=ERROR code=410\n"
                              "9 server end id=3 how=last_chunk\n";
  EXPECT_EQ(said(expired, {.wire = {.watch_window = 2}}), "");
  EXPECT_EQ(said(expired, {.wire = {.watch_window = 3}}), "W6 ");
}

}  // namespace
}  // namespace relist
