#include "reflector/watches/informer_watcher.h"

#include <gmock/gmock.h>

#include "core/runtime/sim_port.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"
#include "reflector/testing/scripted_server.h"

namespace relist {
namespace informer_watcher_test {

using testing::BookmarkLine;
using ::testing::ElementsAre;
using testing::EventLine;
using ::testing::IsEmpty;
using testing::Item;
using testing::ListOf;
using testing::Step;
using testing::WatchOf;

struct InformerWatchWorld {
  explicit InformerWatchWorld(std::vector<Step> steps, bool streaming = false)
      : loop(port),
        server(port),
        rest(loop, Options()),
        lister(rest, {"", "v1", "configmaps", "ConfigMap"}, "default", {}, {}) {
    for (Step& step : steps) server.Then(std::move(step));
    ReflectorOptions reflector;
    reflector.choices = &boring;
    reflector.streaming_list = streaming;
    watcher = std::make_unique<InformerWatcher>(loop, lister, reflector);
  }
  static RestClientOptions Options() {
    RestClientOptions out;
    out.endpoint = {"server", 80, nullptr};
    out.keep_alive = false;
    return out;
  }
  void RunFor(Duration d) {
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }
  std::vector<std::string> Read() {
    std::vector<std::string> out;
    while (const std::optional<WatchEvent> event = watcher->TryNext()) {
      out.push_back(std::string(Name(event->type)) + " " + event->object->key().name + "@" +
                    event->object->resource_version());
    }
    return out;
  }

  BoringChoices boring;
  SimPort port;
  Loop loop;
  testing::ScriptedServer server;
  RestClient rest;
  RestListerWatcher lister;
  std::unique_ptr<InformerWatcher> watcher;
};

const std::vector<std::string> kChanges = {EventLine("ADDED", "pod-4", "11"),
                                           EventLine("MODIFIED", "pod-2", "12"),
                                           EventLine("DELETED", "pod-3", "13")};
const std::vector<std::string> kSeen = {"ADDED pod-1@1",  "ADDED pod-2@2",     "ADDED pod-3@3",
                                        "ADDED pod-4@11", "MODIFIED pod-2@12", "DELETED pod-3@13"};

TEST(InformerWatcher, ShowsWhatThereIsAndThenWhatChanges) {  // UNT-02, TestNewInformerWatcher
  InformerWatchWorld listing(
      {ListOf("10", {Item("pod-1", "1"), Item("pod-2", "2"), Item("pod-3", "3")}),
       WatchOf(kChanges)});
  listing.RunFor(Seconds(1));
  EXPECT_EQ(listing.Read(), kSeen);
  EXPECT_TRUE(listing.watcher->synced().Ready());
  EXPECT_EQ(listing.watcher->indexer().List().size(), 3u);

  std::vector<std::string> stream = {EventLine("ADDED", "pod-1", "1"),
                                     EventLine("ADDED", "pod-2", "2"),
                                     EventLine("ADDED", "pod-3", "3"), BookmarkLine("10", "true")};
  stream.insert(stream.end(), kChanges.begin(), kChanges.end());
  InformerWatchWorld streaming({WatchOf(stream)}, /*streaming=*/true);
  streaming.RunFor(Seconds(1));
  EXPECT_EQ(streaming.Read(), kSeen);
}

TEST(InformerWatcher, ShowsAMissedDeletionWithTheLastStateItSaw) {
  // TestInformerWatcherDeletedFinalStateUnknown
  InformerWatchWorld world({ListOf("1", {Item("secret1", "123")}),
                            WatchOf({testing::ErrorLine(410, "Gone")}), ListOf("2", {}),
                            WatchOf({})});
  world.RunFor(Seconds(10));
  EXPECT_THAT(world.Read(), ElementsAre("ADDED secret1@123", "DELETED secret1@123"));
  EXPECT_EQ(world.server.requests().size(), 4u);
}

TEST(InformerWatcher, KeepsAsManyEventsAsNobodyReadsInOrder) {  // TestEventProcessorOrdersEvents
  std::vector<std::string> lines;
  for (int i = 0; i < 3000; ++i) {
    lines.push_back(EventLine("ADDED", "n" + std::to_string(i), std::to_string(i + 11)));
  }
  InformerWatchWorld world({ListOf("10", {}), WatchOf(lines)});
  world.RunFor(Seconds(1));
  const std::vector<std::string> seen = world.Read();
  ASSERT_EQ(seen.size(), 3000u);
  for (int i = 0; i < 3000; ++i) {
    EXPECT_EQ(seen[static_cast<size_t>(i)],
              "ADDED n" + std::to_string(i) + "@" + std::to_string(i + 11));
  }
}

TEST(InformerWatcher, StopsThoughNobodyReads) {  // TestEventProcessorExit
  InformerWatchWorld world({ListOf("10", {Item("a", "1")}), WatchOf(kChanges)});
  world.RunFor(Seconds(1));
  EXPECT_FALSE(world.watcher->ended());
  world.watcher->Stop();
  EXPECT_TRUE(world.watcher->ended());
  EXPECT_THAT(world.Read(), IsEmpty());
  world.RunFor(Seconds(1));
  EXPECT_TRUE(world.watcher->done().Ready());
  EXPECT_EQ(world.server.open(), 0u);
}

}  // namespace informer_watcher_test
}  // namespace relist
