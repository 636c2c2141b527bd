// A reflector with a lister of somebody's own: what it may decline, and what it is asked.
#include "reflector/lister_watcher.h"

#include <gmock/gmock.h>

#include "reflector/rest/http_watch_stream.h"
#include "reflector/testing/reflector_bench.h"

namespace relist {
namespace lister_watcher_test {

using ::testing::ElementsAre;
using testing::Ev;
using testing::Page;
using testing::QueueStream;
using testing::ReflectorBench;
using testing::Stream;

constexpr char kFirstList[] = "list limit=500&resourceVersion=0";
constexpr char kWatch[] = "watch allowWatchBookmarks=true&resourceVersion=10";
constexpr char kRelist[] = "list resourceVersion=10";

TEST(ListerWatcher, MayDeclineStreamingLists) {  // WLM-01
  for (const bool wanted : {false, true}) {
    for (const bool supported : {false, true}) {
      ReflectorOptions options;
      options.streaming_list = wanted;
      ReflectorBench bench(std::move(options));
      bench.lister.streaming = supported;
      bench.RunFor(Seconds(1));
      EXPECT_EQ(bench.lister.asked[0].starts_with("watch "), wanted && supported);
    }
  }
}

TEST(ListerWatcher, GetsARelistAfterAResyncThatFailed) {  // WCH-11
  ReflectorOptions options;
  options.resync_period = Seconds(5);
  ReflectorBench bench(std::move(options));
  int resyncs = 0;
  bench.store.refuse = [&resyncs](const std::string& call) -> Result<void> {
    if (call != "resync" || ++resyncs != 2) return {};
    return Error::Net(Transport::kOther, "no second resync");
  };
  bench.RunFor(Seconds(12));
  EXPECT_EQ(resyncs, 2);
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstList, kWatch, kRelist, kWatch));
}

TEST(ListerWatcher, HearsOfAFailedResyncAlsoWhereEventsNeverRunDry) {  // WCH-11, EVT-01
  class LongStream : public WatchStream {
   public:
    std::optional<WatchEvent> TryNext() override {
      if (++taken_ > 50'000) return std::nullopt;
      return Ev("MODIFIED", "a@11");
    }
    bool ended() const override { return false; }
    Source& source() override { return never_; }
    void Stop() override {}

   private:
    int taken_ = 0;
    Signal never_;
  };
  class LongLister : public testing::ScriptedLister {
   public:
    Task<Opened> Watch(ListOptions, Signal&) override {
      co_return std::unique_ptr<WatchStream>(std::make_unique<LongStream>());
    }
  };
  BoringChoices boring;
  SimPort port;
  Loop loop(port);
  LongLister lister;
  testing::KeptStore store;
  store.refuse = [](const std::string& call) -> Result<void> {
    if (call != "resync") return {};
    return Error::Net(Transport::kOther, "no resync");
  };
  ReflectorOptions options;
  options.choices = &boring;
  options.resync_period = Duration(20);
  Reflector reflector(loop, lister, store, options);
  Signal stop;
  TaskScope scope(loop);
  scope.Spawn(reflector.Run(stop));
  loop.RunUntil([&] { return lister.asked.size() > 1; }, loop.Now() + Millis(801));
  EXPECT_LT(store.calls.size(), 60'000u);
  EXPECT_THAT(lister.asked, ElementsAre(kFirstList, "list resourceVersion=11"));
}

TEST(ListerWatcher, ThatGivesAnEmptyStreamGetsARelistAfterADelay) {  // NET-05, at once empty
  ReflectorBench bench;
  auto empty = std::make_unique<QueueStream>();
  empty->events.Close();
  bench.lister.Watches(std::move(empty));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstList, kWatch, kRelist, kWatch));
  EXPECT_TRUE(EmptyWatchStream().ended());
}

TEST(ListerWatcher, IsStoppedWithItsReflector) {
  ReflectorBench bench;
  bench.RunFor(Seconds(1));
  EXPECT_EQ(bench.reflector.phase(), Reflector::Phase::kWatch);
  EXPECT_EQ(Name(bench.reflector.phase()), "watch");
  bench.stop.Set();
  EXPECT_TRUE(bench.RunToItsEnd());
  EXPECT_EQ(*bench.lister.closed, 1);
}

TEST(ListerWatcher, IsNotAskedWhereStopCameFirst) {  // WCH-10
  ReflectorBench bench;
  bench.stop.Set();
  EXPECT_TRUE(bench.RunToItsEnd());
  EXPECT_THAT(bench.lister.asked, ElementsAre());
}

TEST(ListerWatcher, WithManyEventsAtOnceLetsOtherTasksIn) {
  ReflectorBench bench;
  auto stream = Stream({});
  for (int i = 0; i < 5000; ++i) stream->events.Push(Ev("MODIFIED", "a@11"));
  Channel<WatchEvent>* events = &stream->events;
  bench.lister.Watches(std::move(stream));
  size_t most = 0, looks = 0;
  bench.scope.Spawn(bench.reflector.Run(bench.stop));
  bench.loop.RunUntil(
      [&] {
        ++looks;
        most = std::max(most, events->size());
        return events->size() == 0;
      },
      bench.loop.Now() + Seconds(1));
  EXPECT_GE(looks, 5u);
  EXPECT_LE(most, 4000u);
}

}  // namespace lister_watcher_test
}  // namespace relist
