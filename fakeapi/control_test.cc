#include "fakeapi/control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/read/read_test_world.h"

namespace relist::fakeapi {
namespace control_test {

using testing::HasSubstr;

class Control : public testing::Test {
 protected:
  Reply Send(const std::string& method, const std::string& target, const std::string& body = "") {
    return handler_.Handle({method, target, {}, body}, kSimulationEpoch, kSimulationEpoch);
  }
  std::string TextOf(const Reply& reply) { return std::get<Response>(reply).BodyText(); }

  History history_;
  ApiServer server_{{.history = &history_}};
  ControlHandler handler_{server_, {.history = &history_}};
};

TEST_F(Control, DoesWhatItIsAskedToAndSaysWhen) {
  for (const char* action : {"compact", "evict", "restart", "bookmark", "reset"}) {
    const Reply reply = Send("POST", std::string("/relist/v1/") + action);
    EXPECT_EQ(StatusOf(reply), 200);
    EXPECT_THAT(TextOf(reply),
                HasSubstr(std::string("{\"action\":\"") + action + "\",\"revision\":\""));
    bool is_written = false;
    for (const HistoryEntry& entry : history_.entries()) {
      is_written |= entry.what() == "control" && entry.Get("action") == action;
    }
    EXPECT_TRUE(is_written) << action;
  }
}

TEST_F(Control, GivesTheHistoryAsLines) {
  const Reply reply = Send("GET", "/relist/v1/history");
  EXPECT_EQ(TextOf(reply), history_.Head() + history_.ToText());
  EXPECT_THAT(TextOf(reply), HasSubstr("\"what\":\"commit\""));
  EXPECT_EQ(std::get<Response>(reply).headers[0].second, "application/x-ndjson");
}

TEST_F(Control, CompactsAsItsBodySays) {
  const auto compact = [&](const std::string& body) {
    return Send("POST", "/relist/v1/compact", body);
  };
  EXPECT_EQ(StatusOf(compact("{\"learned\": true}")), 200);
  EXPECT_EQ(history_.entries().back().Get("learned"), "true");
  const std::string learned = "\"learned\" is true or false",
                    revision = "\"revision\" is a whole number, not negative";
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"{", ""},
      {"[]", "not an object"},
      {R"({"learnt": true})", "\"learnt\" is not known; there are \"revision\", \"learned\""},
      {R"({"learned": 1})", learned},
      {R"({"learned": "yes"})", learned},
      {R"({"learned": null})", learned},
      {R"({"revision": "2"})", revision},
      {R"({"revision": -1})", revision},
      {R"({"revision": 1.5})", revision},
      {R"({"revision": 18446744073709551616})", revision},
      {R"({"learned": [[[[[[[[[[[[[]]]]]]]]]]]]]})", "nests too deep"},
      {R"({"learned": true, "learned": false})", "comes twice"}};
  for (const auto& [body, why] : wrong) {
    const Reply reply = compact(body);
    EXPECT_EQ(StatusOf(reply), 400) << body;
    EXPECT_THAT(MessageOf(reply), HasSubstr("compact: "));
    EXPECT_THAT(MessageOf(reply), HasSubstr(why)) << body;
  }
}

TEST_F(Control, CompactsOnlyWhereEtcdWould) {
  const ResourceType& nodes = *FindResource("", "v1", "nodes");
  server_.store().Create(nodes, {"", "n"}, {{"metadata", {{"name", "n"}, {"uid", "u"}}}});
  server_.store().Delete(nodes, {"", "n"});
  const uint64_t newest = server_.revision();
  const auto compact = [&](uint64_t revision, const std::string& more = "") {
    return Send("POST", "/relist/v1/compact",
                "{\"revision\": " + std::to_string(revision) + more + "}");
  };
  const size_t before = history_.entries().size();
  EXPECT_EQ(StatusOf(compact(newest + 1)), 400);
  EXPECT_THAT(MessageOf(compact(newest + 1)),
              HasSubstr("mvcc: required revision is a future revision (the newest is " +
                        std::to_string(newest) + ")"));
  EXPECT_EQ(history_.entries().size(), before);
  EXPECT_EQ(StatusOf(compact(newest - 1)), 200);
  EXPECT_EQ(server_.compacted_revision(), newest - 1);
  for (const uint64_t compacted : {uint64_t{0}, newest - 2, newest - 1}) {
    EXPECT_EQ(StatusOf(compact(compacted)), 400) << compacted;
    EXPECT_THAT(MessageOf(compact(compacted)),
                HasSubstr("mvcc: required revision has been compacted"));
  }
  EXPECT_EQ(StatusOf(compact(newest - 1, ", \"learned\": true")), 200);
  // Up to now, however often.
  EXPECT_EQ(StatusOf(Send("POST", "/relist/v1/compact")), 200);
  EXPECT_EQ(StatusOf(Send("POST", "/relist/v1/compact", "{\"learned\": true}")), 200);
  EXPECT_EQ(server_.compacted_revision(), newest);
}

TEST_F(Control, DoesNothingWhereItIsToldMoreThanItTakes) {
  const size_t before = history_.entries().size();
  for (const char* action : {"evict", "restart", "bookmark", "reset"}) {
    for (const char* body : {"now", "[]", "{\"resource\": \"configmaps\"}"}) {
      const Reply reply = Send("POST", std::string("/relist/v1/") + action, body);
      EXPECT_EQ(StatusOf(reply), 400) << action << body;
      EXPECT_THAT(MessageOf(reply), HasSubstr(std::string(action) + ": "));
    }
  }
  for (const char* target : {"evict?resource=pods", "compact?learned=true"}) {
    const Reply reply = Send("POST", std::string("/relist/v1/") + target);
    EXPECT_EQ(StatusOf(reply), 400);
    EXPECT_THAT(MessageOf(reply), HasSubstr("takes no parameters"));
  }
  EXPECT_EQ(StatusOf(Send("GET", "/relist/v1/history?since=3")), 400);
  EXPECT_EQ(history_.entries().size(), before);
  EXPECT_EQ(StatusOf(Send("POST", "/relist/v1/evict", " {}\n")), 200);
}

// Three replicas, of which one is meant.
class ControlOfReplicas : public testing::Test {
 protected:
  std::string Act(const std::string& name, const std::string& body) {
    now_ += Millis(1);
    const Reply reply = handler_.Handle({"POST", "/relist/v1/" + name, {}, body}, now_, now_);
    return StatusOf(reply) == 200 ? "" : MessageOf(reply);
  }
  void Put(const std::string& name) {
    server_.SetTime(now_);
    server_.store().Create(*FindResource("", "v1", "nodes"), {"", name},
                           {{"metadata", {{"name", name}, {"uid", "u"}}}});
  }
  // Names of the nodes that replica `n` has.
  size_t Nodes(size_t n) {
    const Request request{"GET", "/api/v1/nodes?resourceVersion=0", {}, ""};
    const Reply reply = server_.Front(n).Handle(request, now_, now_);
    EXPECT_EQ(StatusOf(reply), 200) << MessageOf(reply);
    return StatusOf(reply) == 200 ? static_cast<size_t>(std::get<Response>(reply).items) : 99;
  }
  nlohmann::json State() {
    const Reply reply = handler_.Handle({"GET", "/relist/v1/state", {}, ""}, now_, now_);
    return nlohmann::json::parse(std::get<Response>(reply).BodyText());
  }

  TimePoint now_ = kSimulationEpoch;
  History history_;
  ApiServer server_{{.replicas = 3, .history = &history_}};
  ControlHandler handler_{server_, {.history = &history_}, 1};
};

TEST_F(ControlOfReplicas, PausesAndResumesOneOrAll) {
  EXPECT_EQ(Act("pause", R"({"replica": 1})"), "");
  Put("n1");
  EXPECT_EQ(Nodes(0), 1u);
  EXPECT_EQ(Nodes(1), 0u);
  EXPECT_EQ(Nodes(2), 1u);
  EXPECT_EQ(Act("pause", ""), "");
  Put("n2");
  EXPECT_EQ(Nodes(0), 1u);
  EXPECT_EQ(Act("resume", R"({"replica": 0})"), "");
  EXPECT_EQ(Nodes(0), 2u);
  EXPECT_EQ(Nodes(2), 1u);
  EXPECT_EQ(Act("resume", "{}"), "");
  EXPECT_EQ(Nodes(1), 2u);
}

TEST_F(ControlOfReplicas, LetsOneLagAndSaysSo) {
  EXPECT_EQ(Act("lag", R"({"lag": "1500ms", "replica": 2})"), "");
  Put("n1");
  EXPECT_EQ(server_.NextDeadline(), now_ + Millis(1500));
  EXPECT_EQ(Nodes(2), 0u);
  const uint64_t changes = handler_.change_count();
  EXPECT_EQ(State()["replicas"][2]["lagSeconds"], 1.5);
  now_ += Millis(1500);
  handler_.Tick(now_);
  EXPECT_GT(handler_.change_count(), changes) << "who waits is asked again";
  EXPECT_EQ(Nodes(2), 1u);
  EXPECT_EQ(server_.NextDeadline(), kNever);
}

TEST_F(ControlOfReplicas, ATurnIsWrittenForEachThatItIsDoneTo) {
  const auto lines = [&] {
    std::string out;
    for (const HistoryEntry& entry : history_.entries()) {
      if (entry.what() == "control") out += entry.Get("action") + entry.Get("replica") + " ";
    }
    history_.Clear();
    return out;
  };
  lines();
  Act("evict", R"({"replica": 2})");
  Act("restart", "");
  Act("compact", R"({"learned": true})");
  EXPECT_EQ(lines(), "evict2 restart0 restart1 restart2 compact ");
}

TEST_F(ControlOfReplicas, RestartsOneWhoseCachesAreNotReady) {
  EXPECT_EQ(Act("restart", R"({"replica": 1, "notReady": "10s"})"), "");
  const Request list{"GET", "/api/v1/nodes", {}, ""};
  EXPECT_EQ(StatusOf(server_.Front(1).Handle(list, now_, now_)), 429);
  EXPECT_EQ(StatusOf(server_.Front(0).Handle(list, now_, now_)), 200);
  EXPECT_EQ(State()["replicas"][1]["ready"], false);
  EXPECT_EQ(history_.entries().back().Get("not_ready"), "10.000");
  Put("n1");
  now_ += Seconds(10);
  EXPECT_EQ(StatusOf(server_.Front(1).Handle(list, now_, now_)), 200);
  const HistoryEntry& ready = history_.entries().back();
  EXPECT_EQ(ready.Get("action") + ready.Get("replica"), "ready1") << "where its window begins";
  EXPECT_EQ(ready.Get("rv"), std::to_string(server_.revision()));
}

TEST_F(ControlOfReplicas, RefusesWhatThereIsNot) {
  EXPECT_THAT(Act("pause", R"({"replica": 3})"), HasSubstr("a replica, from 0 to 2"));
  EXPECT_THAT(Act("pause", R"({"replica": "1"})"), HasSubstr("a replica, from 0 to 2"));
  EXPECT_THAT(Act("lag", "{}"), HasSubstr("\"lag\" is missing: how much"));
  EXPECT_THAT(Act("lag", R"({"lag": 5})"), HasSubstr("such as \"1500ms\""));
  EXPECT_THAT(Act("lag", R"({"lag": "5"})"), HasSubstr("lag: \"lag\" "));
  for (const char* length : {"169h", "876000h"}) {
    const std::string longer = std::string("\"") + length + "\"}";
    EXPECT_THAT(Act("lag", "{\"lag\": " + longer), HasSubstr("a week (168h) is the most"));
    EXPECT_THAT(Act("restart", "{\"notReady\": " + longer), HasSubstr("a week (168h) is the most"));
  }
  for (const std::string& name : {std::string(), std::string("\\t "), std::string(254, 'x')}) {
    EXPECT_THAT(Act("snapshot", "{\"name\": \"" + name + "\"}"),
                HasSubstr("\"name\" is a name: text in quotes, not blank, 253 bytes at most"));
  }
  EXPECT_EQ(Act("snapshot", "{\"name\": \"" + std::string(253, 'x') + "\"}"), "");
  EXPECT_THAT(Act("reset", R"({"snapshot": "x"})"), HasSubstr("there is no snapshot \"x\""));
  EXPECT_THAT(Act("inject", R"({"faults": []})"), HasSubstr("no faults can be injected"));
}

TEST_F(ControlOfReplicas, GoesBackToASnapshotWithNewVersionsAndTheSameObjects) {
  Put("n1");
  EXPECT_EQ(Act("snapshot", R"({"name": "base"})"), "");
  const StoredRef before = server_.store().Find(*FindResource("", "v1", "nodes"), {"", "n1"});
  Put("n2");
  const uint64_t revision = server_.revision();
  EXPECT_EQ(Act("reset", R"({"snapshot": "base"})"), "");
  EXPECT_EQ(Nodes(0), 1u);
  const StoredRef after = server_.store().Find(*FindResource("", "v1", "nodes"), {"", "n1"});
  EXPECT_GT(after->revision, revision) << "no client sees time run backwards";
  EXPECT_EQ(after->bytes, WithRevision(*before, after->revision));
  EXPECT_EQ(State()["snapshots"]["base"], 5) << "and the namespaces";
  const Request watch{
      "GET", "/api/v1/nodes?watch=true&resourceVersion=" + std::to_string(revision), {}, ""};
  Reply reply = server_.Handle(watch, now_, now_);
  EXPECT_THAT(Drain(*std::get<std::unique_ptr<WatchSession>>(reply), now_)[0],
              HasSubstr("ERROR 410"));
}

TEST_F(ControlOfReplicas, ResetsWhatATestMayHaveDone) {
  Act("pause", "");
  Act("lag", R"({"lag": "5s"})");
  Act("restart", R"({"notReady": "60s"})");
  Put("n1");
  EXPECT_EQ(Act("reset", ""), "");
  EXPECT_EQ(Nodes(0), 0u);
  Put("n1");
  EXPECT_EQ(Nodes(1), 1u);
  EXPECT_EQ(history_.entries().front().Get("action"), "reset") << "what was before is gone";
}

TEST_F(Control, TakesFaultsWhereSomebodyDoes) {
  std::string seen;
  const auto take = [&seen](const std::string& body) -> Result<Injected> {
    seen = body;
    if (body.find("bad") != std::string::npos) return BadRequest("inject: bad");
    return Injected{"inject-1", 2};
  };
  const auto end = [&seen](const std::string& name) -> Result<int> {
    seen = "end " + name;
    if (name == "bad") return BadRequest("inject: bad");
    return 3;
  };
  int resets = 0;
  ControlHandler handler(server_,
                         {.inject = take,
                          .end_injected = end,
                          .injected = [] { return std::vector<Injected>{{"inject-1", 2}}; },
                          .before_reset = [&resets] { ++resets; }});
  const auto ask = [&](const std::string& method, const std::string& name,
                       const std::string& body) {
    return handler.Handle({method, "/relist/v1/" + name, {}, body}, kSimulationEpoch,
                          kSimulationEpoch);
  };
  const auto send = [&](const std::string& name, const std::string& body) {
    return ask("POST", name, body);
  };
  EXPECT_THAT(TextOf(send("inject", R"({"faults": [{}]})")),
              HasSubstr(R"("faults":2,"name":"inject-1"})"));
  EXPECT_EQ(seen, R"({"faults": [{}]})");
  EXPECT_EQ(MessageOf(send("inject", R"({"faults": ["bad"]})")), "inject: bad");
  EXPECT_EQ(StatusOf(send("inject", R"({"faults": 1})")), 400);
  EXPECT_THAT(TextOf(ask("GET", "state", "")),
              HasSubstr(R"("injected":[{"name":"inject-1","faults":2}]})"));
  EXPECT_THAT(TextOf(ask("DELETE", "inject", "")), HasSubstr("\"ended\":3"));
  EXPECT_EQ(seen, "end ");
  EXPECT_EQ(StatusOf(ask("DELETE", "inject", R"({"name": "inject-1"})")), 200);
  EXPECT_EQ(seen, "end inject-1");
  EXPECT_EQ(MessageOf(ask("DELETE", "inject", R"({"name": "bad"})")), "inject: bad");
  EXPECT_EQ(StatusOf(ask("DELETE", "inject", R"({"faults": []})")), 400);
  EXPECT_THAT(MessageOf(ask("PUT", "inject", "")), HasSubstr("wants POST or DELETE, not PUT"));
  EXPECT_EQ(StatusOf(ask("DELETE", "evict", "")), 405);
  send("reset", "");
  EXPECT_EQ(resets, 1);
}

// One that has every key that an operation describes.
std::string BodyFor(const nlohmann::json& operation, uint64_t revision) {
  nlohmann::json sent = nlohmann::json::object();
  const nlohmann::json body = operation.value("requestBody", nlohmann::json::object());
  if (body.empty()) return sent.dump();
  for (const auto& [key, schema] :
       body["content"]["application/json"]["schema"]["properties"].items()) {
    EXPECT_FALSE(schema["description"].get<std::string>().empty()) << key;
    const std::string type = schema["type"];
    if (type == "integer") sent[key] = key == "replica" ? 0 : revision;
    if (type == "boolean") sent[key] = true;
    if (type == "string") sent[key] = key == "notReady" || key == "lag" ? "0" : "base";
    if (type == "array") sent[key] = nlohmann::json::array();
  }
  return sent.dump();
}

// What is described is what there is.
TEST_F(Control, DescribesEachOfItsEndpoints) {
  const Reply reply = Send("GET", "/relist/v1/openapi.json");
  const nlohmann::json document = nlohmann::json::parse(TextOf(reply));
  EXPECT_EQ(document["openapi"], "3.0.3");
  Send("POST", "/relist/v1/snapshot", R"({"name": "base"})");
  size_t described = 0;
  std::set<std::string> ids;
  for (const auto& [path, item] : document["paths"].items()) {
    for (const auto& [word, operation] : item.items()) {
      ++described;
      const std::string method = word == "get" ? "GET" : word == "delete" ? "DELETE" : "POST";
      EXPECT_FALSE(operation["summary"].get<std::string>().empty());
      EXPECT_TRUE(ids.insert(operation["operationId"]).second) << "generators need one name each";
      const std::string body = BodyFor(operation, server_.revision());
      const int status = StatusOf(Send(method, path, method == "GET" ? "" : body));
      EXPECT_EQ(status, path == "/relist/v1/inject" ? 501 : 200) << path << body;
    }
  }
  EXPECT_EQ(described, ControlEndpoints().size());
}

TEST_F(Control, SaysWhereNoHistoryIsKept) {
  ControlHandler forgetful(server_, {});
  const Reply reply =
      forgetful.Handle({"GET", "/relist/v1/history", {}, ""}, kSimulationEpoch, kSimulationEpoch);
  EXPECT_EQ(StatusOf(reply), 404);
  EXPECT_THAT(MessageOf(reply), HasSubstr("--history none"));
}

TEST_F(Control, NamesWhatThereIsWhereAPathIsUnknown) {
  const Reply reply = Send("POST", "/relist/v1/explode");
  EXPECT_EQ(StatusOf(reply), 404);
  EXPECT_THAT(MessageOf(reply),
              HasSubstr("POST compact, evict, restart, bookmark, lag, pause, resume, inject, "
                        "snapshot, reset; DELETE inject; GET state, history, openapi.json"));
  EXPECT_EQ(StatusOf(Send("GET", "/relist/v1/evict")), 405);
  EXPECT_EQ(StatusOf(Send("POST", "/relist/v1/history")), 405);
}

TEST_F(Control, LeavesTheRestToTheServer) {
  EXPECT_EQ(StatusOf(Send("GET", "/api/v1/configmaps")), 200);
  EXPECT_EQ(handler_.change_count(), server_.change_count());
}

TEST(ControlOfATokenServer, WantsTheToken) {
  ApiServer server({.token = "t"});
  ControlHandler handler(server, {});
  const auto status = [&](HeaderList headers) {
    return StatusOf(handler.Handle({"POST", "/relist/v1/evict", std::move(headers), ""},
                                   kSimulationEpoch, kSimulationEpoch));
  };
  EXPECT_EQ(status({}), 401);
  EXPECT_EQ(status({{"Authorization", "Bearer t"}}), 200);
}

}  // namespace control_test
}  // namespace relist::fakeapi
