#include "fakeapi/control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
  ControlHandler handler_{server_, &history_};
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
  EXPECT_EQ(TextOf(reply), history_.ToText());
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
      {R"({"learnt": true})", "\"learnt\" is not known; there are \"learned\" and \"revision\""},
      {R"({"learned": 1})", learned},
      {R"({"learned": "yes"})", learned},
      {R"({"learned": null})", learned},
      {R"({"revision": "2"})", revision},
      {R"({"revision": -1})", revision},
      {R"({"revision": 1.5})", revision},
      {R"({"revision": 18446744073709551616})", revision},
      {"[[[[[]]]]]", "nests too deep"},
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

TEST_F(Control, SaysWhereNoHistoryIsKept) {
  ControlHandler forgetful(server_, nullptr);
  const Reply reply =
      forgetful.Handle({"GET", "/relist/v1/history", {}, ""}, kSimulationEpoch, kSimulationEpoch);
  EXPECT_EQ(StatusOf(reply), 404);
  EXPECT_THAT(MessageOf(reply), HasSubstr("--history none"));
}

TEST_F(Control, NamesWhatThereIsWhereAPathIsUnknown) {
  const Reply reply = Send("POST", "/relist/v1/explode");
  EXPECT_EQ(StatusOf(reply), 404);
  EXPECT_THAT(MessageOf(reply),
              HasSubstr("POST compact, evict, restart, bookmark, reset; GET history"));
  EXPECT_EQ(StatusOf(Send("GET", "/relist/v1/evict")), 405);
  EXPECT_EQ(StatusOf(Send("POST", "/relist/v1/history")), 405);
}

TEST_F(Control, LeavesTheRestToTheServer) {
  EXPECT_EQ(StatusOf(Send("GET", "/api/v1/configmaps")), 200);
  EXPECT_EQ(handler_.change_count(), server_.change_count());
}

TEST(ControlOfATokenServer, WantsTheToken) {
  ApiServer server({.token = "t"});
  ControlHandler handler(server, nullptr);
  const auto status = [&](HeaderList headers) {
    return StatusOf(handler.Handle({"POST", "/relist/v1/evict", std::move(headers), ""},
                                   kSimulationEpoch, kSimulationEpoch));
  };
  EXPECT_EQ(status({}), 401);
  EXPECT_EQ(status({{"Authorization", "Bearer t"}}), 200);
}

}  // namespace control_test
}  // namespace relist::fakeapi
