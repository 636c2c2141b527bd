#include "reflector/stores/undelta_store.h"

#include <gmock/gmock.h>

#include "core/choices.h"
#include "core/runtime/sim_port.h"
#include "reflector/reflector.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"
#include "reflector/testing/deltas.h"
#include "reflector/testing/scripted_server.h"

namespace relist {
namespace undelta_store_test {

using ::testing::ElementsAre;
using testing::EventLine;
using ::testing::IsEmpty;
using testing::Item;
using testing::ListOf;
using testing::MakeObject;
using testing::Show;
using testing::WatchOf;

struct Bench {
  Bench() : store([this](std::vector<ObjectRef> all) { pushed.push_back(Show(all)); }) {}
  std::vector<std::vector<std::string>> pushed;
  UndeltaStore store;
};

void Ok(const Result<void>& result) {
  ASSERT_TRUE(result.ok()) << result.error().message();
}

TEST(UndeltaStore, PushesAllAfterEachChange) {
  // TestUpdateCallsPush, TestDeleteCallsPush, TestReplaceCallsPush
  Bench bench;
  Ok(bench.store.Add(MakeObject("a", "2")));
  Ok(bench.store.Update(MakeObject("a", "3")));
  Ok(bench.store.Delete(MakeObject("a", "4")));
  Ok(bench.store.Replace({MakeObject("b", "5"), MakeObject("a", "6")}, "7"));
  EXPECT_THAT(bench.pushed, ElementsAre(ElementsAre("a@2"), ElementsAre("a@3"), IsEmpty(),
                                        ElementsAre("a@6", "b@5")));
}

TEST(UndeltaStore, PushesNothingForReadsBookmarksAndWhatFailed) {  // TestReadsDoNotCallPush
  Bench bench;
  EXPECT_THAT(bench.store.List(), IsEmpty());
  EXPECT_TRUE(bench.store.Get(*MakeObject("a")).ok());
  EXPECT_TRUE(bench.store.GetByKey({"default", "a"}).ok());
  EXPECT_THAT(bench.store.ListKeys(), IsEmpty());
  bench.store.Bookmark("9");
  EXPECT_EQ(bench.store.resource_version(), "9");
  Ok(bench.store.Resync());
  EXPECT_THAT(bench.pushed, IsEmpty());
  UndeltaStore nameless([](std::vector<ObjectRef>) { FAIL(); },
                        {.key = [](const Object&) -> Result<ObjectKey> {
                          return Error::Net(Transport::kOther, "no name");
                        }});
  EXPECT_FALSE(nameless.Add(MakeObject("a")).ok());
}

// As the kubelet hears of its pods: a reflector without an informer, the whole state at each
// change.
TEST(UndeltaStore, IsWhatAReflectorCanWriteTo) {
  BoringChoices choices;
  SimPort port;
  Loop loop(port, &choices);
  testing::ScriptedServer server(port);
  server.Then(ListOf("10", {Item("a", "7"), Item("b", "8")}));
  server.Then(WatchOf({EventLine("DELETED", "a", "11"), EventLine("ADDED", "c", "12")}));
  RestClientOptions options;
  options.endpoint = {"server", 80, nullptr};
  options.keep_alive = false;
  RestClient rest(loop, options);
  RestListerWatcher lister(rest, {"", "v1", "configmaps", "ConfigMap"}, "default", {}, nullptr);
  Bench bench;
  Reflector reflector(loop, lister, bench.store, {.choices = &choices, .streaming_list = false});
  Signal stop;
  TaskScope scope(loop);
  scope.Spawn(reflector.Run(stop));
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  EXPECT_THAT(bench.pushed, ElementsAre(ElementsAre("a@7", "b@8"), ElementsAre("b@8"),
                                        ElementsAre("b@8", "c@12")));
  EXPECT_EQ(bench.store.resource_version(), "12");
}

}  // namespace undelta_store_test
}  // namespace relist
