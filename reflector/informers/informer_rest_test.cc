// Typed informers over HTTP: what bad bytes come to.
#include <gmock/gmock.h>

#include "reflector/informers/informer.h"
#include "reflector/objects/config_map.h"
#include "reflector/testing/informer_world.h"

namespace relist {
namespace informer_rest_test {

using objects::ConfigMap;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ListOf;
using testing::WatchOf;

struct Bench {
  explicit Bench(bool streaming)
      : loop(port),
        server(port),
        log(std::make_shared<CollectedLog>()),
        rest(loop, {.endpoint = {"server", 80, nullptr}, .keep_alive = false}),
        lister(rest, ConfigMap::GetResource(), "", {}, nullptr),
        handler({.add_func = [this](const TypedRef<ConfigMap>& map) { Told("add", map); },
                 .update_func = [this](const TypedRef<ConfigMap>&,
                                       const TypedRef<ConfigMap>& map) { Told("update", map); },
                 .delete_func =
                     [this](const TypedDeleted<ConfigMap>& deleted) {
                       Told("delete", deleted.object);
                     }}),
        informer(loop, lister, Options(streaming)),
        scope(loop) {
    EXPECT_TRUE(informer.AddEventHandler(handler).ok());
  }
  InformerOptions Options(bool streaming) {
    InformerOptions options;
    options.reflector.choices = &boring;
    options.reflector.streaming_list = streaming;
    options.log = log;
    return options;
  }
  void Told(const char* what, const TypedRef<ConfigMap>& map) {
    const auto colour = map->data.find("c");
    calls.push_back(std::string(what) + " " + map.key().ToString() + "=" +
                    (colour == map->data.end() ? "" : colour->second));
  }
  void Run() {
    scope.Spawn(informer.Run(stop));
    loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  }

  BoringChoices boring;
  SimPort port;
  Loop loop;
  testing::ScriptedServer server;
  std::shared_ptr<CollectedLog> log;
  RestClient rest;
  RestListerWatcher lister;
  TypedResourceEventHandlerFuncs<ConfigMap> handler;
  Informer<ConfigMap> informer;
  std::vector<std::string> calls;
  Signal stop;
  TaskScope scope;
};

constexpr const char* kGood =
    R"({"metadata":{"name":"good","resourceVersion":"1"},"data":{"c":"red"}})";
constexpr const char* kBare = R"({"data":{"c":"bare"}})";
constexpr const char* kWrong =
    R"({"metadata":{"name":"wrong","resourceVersion":"2"},"data":{"c":["red"]}})";
constexpr const char* kWrongMeta =
    R"({"metadata":{"name":"meta","labels":"none","resourceVersion":"3"}})";

TEST(InformerOverHttp, KeepsTheNeighboursOfBadItemsInAList) {
  Bench bench(/*streaming=*/false);
  bench.server.Then(ListOf("10", {"null", kWrong, kGood, kWrongMeta, "null", kBare}));
  bench.server.Then(WatchOf({}));
  bench.Run();
  EXPECT_THAT(bench.calls, ElementsAre("add good=red", "add =bare"));
  EXPECT_TRUE(bench.informer.HasSynced());
  EXPECT_EQ(bench.informer.unreadable(), 2);
  EXPECT_THAT(bench.log->lines(),
              ElementsAre("W configmaps: wrong at version 2 cannot be read, and is left out: "
                          "data.c: an array where text belongs",
                          "W configmaps: meta at version 3 cannot be read, and is left out: "
                          "metadata.labels: text where an object belongs"));
}

std::string Line(const char* type, const std::string& object) {
  return std::string(R"({"type":")") + type +
         R"(","object":{"kind":"ConfigMap","apiVersion":"v1",)" + object.substr(1) + "}\n";
}

TEST(InformerOverHttp, KeepsTheNeighboursOfBadEvents) {
  Bench bench(/*streaming=*/true);
  bench.server.Then(
      WatchOf({Line("ADDED", kWrong), Line("ADDED", kGood), testing::BookmarkLine("10", "true"),
               Line("ADDED", kWrongMeta), Line("MODIFIED", kBare), Line("DELETED", kGood)}));
  bench.Run();
  EXPECT_THAT(bench.calls, ElementsAre("add good=red", "add =bare", "delete good=red"));
  EXPECT_EQ(bench.informer.unreadable(), 2);
  EXPECT_EQ(bench.server.requests().size(), 1u);  // no relist for their sake
}

}  // namespace informer_rest_test
}  // namespace relist
