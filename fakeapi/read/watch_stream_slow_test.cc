// Watches whose clients do not read (SRV-29, SRV-30).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakeapi/read/read_test_world.h"
#include "fakeapi/read/watch_stream.h"

namespace relist::fakeapi {
namespace watch_stream_slow_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kInitial[] = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

// A client that does not read: nobody asks the stream for more.
class SlowWatches : public testing::Test {
 protected:
  void PutMany(int count) {
    for (int i = 0; i < count; ++i) world_.Put("ns/a", std::to_string(++puts_));
  }
  size_t LinesBeforeTheEnd(WatchSession& session) {
    const std::vector<std::string> lines = Drain(session, world_.now);
    EXPECT_EQ(lines.empty() ? "" : lines.back(), "end");
    return lines.size() - 1;
  }

  int puts_ = 0;
  ReadTestWorld world_{WatchCacheOptions{.watcher_buffer = 3}};
};

TEST_F(SlowWatches, EndWithoutAnErrorOnceTheirBufferIsFull) {
  const auto full = world_.Watch("resourceVersion=1");
  PutMany(3);
  world_.now += Millis(1);
  EXPECT_EQ(Drain(*full, world_.now).size(), 3u) << "full, and no event too many";
  PutMany(4);
  world_.now += Millis(1);
  EXPECT_EQ(LinesBeforeTheEnd(*full), 0u);
}

TEST_F(SlowWatches, ThatReadAtOnceAreNotSlowHoweverMuchComes) {
  const auto session = world_.Watch("resourceVersion=1");
  PutMany(100);
  EXPECT_EQ(Drain(*session, world_.now).size(), 100u);
}

TEST_F(SlowWatches, AreWaitedForWhileTheBudgetLasts) {
  world_.now += Seconds(1);  // 50 ms have grown
  const auto in_time = world_.Watch("resourceVersion=1");
  const auto late = world_.Watch("resourceVersion=1");
  PutMany(4);
  world_.now += Millis(50);
  EXPECT_EQ(Drain(*in_time, world_.now).size(), 4u);
  world_.now += Millis(1);
  EXPECT_EQ(LinesBeforeTheEnd(*late), 0u);
}

TEST_F(SlowWatches, AreOverWhereWhatTheyMissedIsGoneWhileTheyAreWaitedFor) {
  ReadTestWorld world{WatchCacheOptions{.window = 4, .watcher_buffer = 3}};
  world.now += Seconds(1);
  const auto session = world.Watch("resourceVersion=1");
  for (int i = 0; i < 9; ++i) {
    world.Put("ns/a", std::to_string(i));
    world.Compact(world.store.revision(), /*learned=*/true);
  }
  EXPECT_THAT(Drain(*session, world.now), ElementsAre("end"));
}

TEST_F(SlowWatches, LeaveWhatTheyDidNotUseOfTheBudget) {
  world_.now += Seconds(1);
  const auto session = world_.Watch("resourceVersion=1");
  PutMany(4);
  world_.now += Millis(20);
  EXPECT_EQ(Drain(*session, world_.now).size(), 4u);
  PutMany(4);  // 30 ms are left, and 1 ms has grown
  world_.now += Millis(31);
  EXPECT_EQ(Drain(*session, world_.now).size(), 4u);
  PutMany(4);
  world_.now += Millis(10);
  EXPECT_EQ(LinesBeforeTheEnd(*session), 0u);
}

// From another replica, which was further.
TEST_F(SlowWatches, OfTheFutureAreNotBehind) {
  world_.replica->Pause();
  PutMany(3);
  const auto session = world_.Watch("resourceVersion=4");
  EXPECT_THAT(Drain(*session, world_.now), IsEmpty());
  world_.replica->Resume(world_.now);
  world_.now += Seconds(1);
  EXPECT_THAT(Drain(*session, world_.now), IsEmpty()) << "and not its end";
}

TEST_F(SlowWatches, AreNotWaitedForLongerThanTheBudgetEverIs) {
  world_.now += Seconds(60);
  const auto in_time = world_.Watch("resourceVersion=1");
  const auto late = world_.Watch("resourceVersion=1");
  PutMany(4);
  world_.now += Millis(100);
  EXPECT_EQ(Drain(*in_time, world_.now).size(), 4u);
  world_.now += Millis(1);
  EXPECT_EQ(LinesBeforeTheEnd(*late), 0u);
}

// Which buffer a watch has: of a large window, a second's events at most, 10 where it is found by
// the index.
TEST(SlowWatchesOfTheRealServersBuffers, HaveTheBufferThatTheirIndexGivesThem) {
  ReadTestWorld world{WatchCacheOptions{.window = 102400, .watcher_buffer = 0}};
  const auto by_name = world.Watch("resourceVersion=1&fieldSelector=metadata.name=a", "ns");
  const auto all = world.Watch("resourceVersion=1");
  for (int i = 0; i < 21; ++i) world.Put("ns/a", std::to_string(i));
  world.now += Seconds(1);
  EXPECT_THAT(Drain(*by_name, world.now), ElementsAre("end"));
  EXPECT_EQ(Drain(*all, world.now).size(), 21u);
}

TEST_F(SlowWatches, MayReplayAnyNumberOfOldEvents) {
  PutMany(50);
  const auto session = world_.Watch("resourceVersion=1");
  PutMany(3);
  world_.now += Seconds(1);
  EXPECT_EQ(Drain(*session, world_.now).size(), 53u);
}

TEST_F(SlowWatches, ThatOweTheEndOfTheirInitialEventsSayThatFirst) {
  world_.Put("ns/a", "0");
  const auto listing = world_.Watch(std::string(kInitial) + "&allowWatchBookmarks=true");
  const auto plain = world_.Watch(kInitial);
  PutMany(10);
  world_.now += Millis(1);
  EXPECT_THAT(Drain(*listing, world_.now),
              ElementsAre("ADDED a=0@2", "BOOKMARK@2 end", "MODIFIED a=1@3", "MODIFIED a=2@4",
                          "MODIFIED a=3@5", "end"));
  EXPECT_EQ(LinesBeforeTheEnd(*plain), 0u);
}

TEST(SlowWatchesOfAFullWindow, EndWhileTheyReplayWhatIsEvicted) {
  ReadTestWorld world(WatchCacheOptions{.window = 4});
  for (int i = 0; i < 4; ++i) world.Put("ns/a", std::to_string(i));
  const auto session = world.Watch("resourceVersion=1");
  WatchLine line;
  EXPECT_EQ(session->Next(world.now, &line), WatchSession::Step::kLine);
  world.Put("ns/a", "4");
  EXPECT_EQ(session->Next(world.now, &line), WatchSession::Step::kLine) << "it has read that far";
  world.Put("ns/a", "5");
  world.Put("ns/a", "6");
  EXPECT_EQ(session->Next(world.now, &line), WatchSession::Step::kEnd);
}

}  // namespace watch_stream_slow_test
}  // namespace relist::fakeapi
