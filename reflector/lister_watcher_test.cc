// A reflector with a lister and a store of somebody's own, no HTTP.
#include "reflector/lister_watcher.h"

#include <gmock/gmock.h>

#include <deque>

#include "core/runtime/sim_port.h"
#include "reflector/reflector.h"
#include "reflector/rest/http_watch_stream.h"

namespace relist {
namespace lister_watcher_test {

using ::testing::ElementsAre;

// Ends, or gives what it is told to give.
class QueueStream : public WatchStream {
 public:
  std::optional<WatchEvent> TryNext() override { return events.TryPop(); }
  bool ended() const override { return events.closed() && events.size() == 0; }
  Source& source() override { return events; }
  void Stop() override { events.Close(); }
  Channel<WatchEvent> events;
};

class OwnLister : public ListerWatcher {
 public:
  Task<Result<ListPage>> List(ListOptions options, Signal&) override {
    asked.push_back("list " + options.ToQuery());
    ListPage page;
    page.resource_version = "10";
    co_return page;
  }
  Task<Result<std::unique_ptr<WatchStream>>> Watch(ListOptions options, Signal&) override {
    options.timeout_seconds.reset();
    asked.push_back("watch " + options.ToQuery());
    if (streams.empty()) co_return std::unique_ptr<WatchStream>(std::make_unique<QueueStream>());
    std::unique_ptr<WatchStream> stream = std::move(streams.front());
    streams.pop_front();
    co_return stream;
  }
  bool SupportsStreamingList() const override { return streaming; }
  bool streaming = false;
  std::vector<std::string> asked;
  std::deque<std::unique_ptr<WatchStream>> streams;
};

class OwnStore : public ReflectorStore {
 public:
  Result<void> Add(ObjectRef) override { return Error::Net(Transport::kOther, "not today"); }
  Result<void> Update(ObjectRef) override { return {}; }
  Result<void> Delete(ObjectRef) override { return {}; }
  Result<void> Replace(std::vector<ObjectRef>, const std::string&) override { return {}; }
  Result<void> Resync() override {
    ++resyncs;
    return Error::Net(Transport::kOther, "no resync");
  }
  int resyncs = 0;
};

struct OwnWorld {
  explicit OwnWorld(ReflectorOptions options = {})
      : loop(port), reflector(loop, lister, store, WithChoices(std::move(options))), scope(loop) {}
  ReflectorOptions WithChoices(ReflectorOptions options) {
    options.choices = &boring;
    return options;
  }
  void RunFor(Duration d) {
    if (scope.empty()) scope.Spawn(reflector.Run(stop));
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }
  BoringChoices boring;
  SimPort port;
  Loop loop;
  OwnLister lister;
  OwnStore store;
  Reflector reflector;
  Signal stop;
  TaskScope scope;
};

TEST(ListerWatcher, MayDeclineStreamingLists) {  // WLM-01
  for (bool streaming : {false, true}) {
    OwnWorld world;
    world.lister.streaming = streaming;
    world.RunFor(Seconds(1));
    EXPECT_EQ(world.lister.asked[0].starts_with("watch "), streaming);
  }
}

TEST(ListerWatcher, GetsARelistAfterAResyncThatFailed) {  // WCH-11
  ReflectorOptions options;
  options.resync_period = Seconds(5);
  OwnWorld world(std::move(options));
  world.RunFor(Seconds(7));
  EXPECT_EQ(world.store.resyncs, 1);
  EXPECT_THAT(world.lister.asked,
              ElementsAre("list limit=500&resourceVersion=0",
                          "watch allowWatchBookmarks=true&resourceVersion=10&watch=true",
                          "list resourceVersion=10",
                          "watch allowWatchBookmarks=true&resourceVersion=10&watch=true"));
}

TEST(ListerWatcher, MovesThePositionThoughTheStoreRefusesTheObject) {  // EVT-04
  OwnWorld world;
  auto stream = std::make_unique<QueueStream>();
  stream->events.Push(
      {EventType::kAdded, *Object::Parse(R"({"metadata":{"name":"a","resourceVersion":"11"}})")});
  world.lister.streams.push_back(std::move(stream));
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.reflector.last_sync_resource_version(), "11");
  EXPECT_EQ(world.lister.asked.size(), 2u);
}

TEST(ListerWatcher, ThatGivesAnEmptyStreamGetsARelistAfterADelay) {  // NET-05, at once empty
  OwnWorld world;
  world.lister.streams.push_back(std::make_unique<EmptyWatchStream>());
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.lister.asked,
              ElementsAre("list limit=500&resourceVersion=0",
                          "watch allowWatchBookmarks=true&resourceVersion=10&watch=true",
                          "list resourceVersion=10",
                          "watch allowWatchBookmarks=true&resourceVersion=10&watch=true"));
}

TEST(ListerWatcher, IsStoppedWithItsReflector) {
  OwnWorld world;
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.reflector.phase(), Reflector::Phase::kWatch);
  EXPECT_EQ(Name(world.reflector.phase()), "watch");
  world.stop.Set();
  world.RunFor(Seconds(0));
  world.loop.RunUntil([&] { return world.scope.empty(); }, world.loop.Now() + Seconds(1));
  EXPECT_TRUE(world.scope.empty());
}

TEST(ListerWatcher, WithManyEventsAtOnceLetsOtherTasksIn) {
  OwnWorld world;
  auto stream = std::make_unique<QueueStream>();
  const ObjectRef object = *Object::Parse(R"({"metadata":{"name":"a","resourceVersion":"11"}})");
  for (int i = 0; i < 5000; ++i) stream->events.Push({EventType::kModified, object});
  Channel<WatchEvent>* events = &stream->events;
  world.lister.streams.push_back(std::move(stream));
  size_t most = 0, looks = 0;
  world.scope.Spawn(world.reflector.Run(world.stop));
  world.loop.RunUntil(
      [&] {
        ++looks;
        most = std::max(most, events->size());
        return events->size() == 0;
      },
      world.loop.Now() + Seconds(1));
  EXPECT_GE(looks, 5u);
  EXPECT_LE(most, 4000u);
}

}  // namespace lister_watcher_test
}  // namespace relist
