#include <gmock/gmock.h>

#include "core/runtime/sim_port.h"
#include "reflector/queues/delta_fifo.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace delta_fifo_sync_test {

using ::testing::ElementsAre;
using testing::MakeObject;
using testing::Pop;
using testing::Show;

void Ok(const Result<void>& result) {
  ASSERT_TRUE(result.ok()) << result.error().message();
}

TEST(DeltaFifoSync, CountsTheKeysOfTheFirstList) {  // TestDeltaFIFO_HasSynced
  const ObjectRef a1 = MakeObject("a", "1"), a2 = MakeObject("a", "2"), b2 = MakeObject("b", "2");
  struct Case {
    std::vector<ObjectRef> list;
    int pops;
    bool synced;
  };
  for (const Case& one : {Case{{}, 0, true}, Case{{a1, b2}, 0, false}, Case{{a1, b2}, 1, false},
                          Case{{a1, b2}, 2, true}, Case{{a1, a2}, 1, true}}) {
    DeltaFifo fifo;
    EXPECT_FALSE(fifo.HasSynced());
    Ok(fifo.Replace(one.list, "0"));
    for (int i = 0; i < one.pops; ++i) Pop(&fifo);
    EXPECT_EQ(fifo.HasSynced(), one.synced) << one.list.size() << " " << one.pops;
    EXPECT_EQ(fifo.synced().Ready(), one.synced);
  }
}

TEST(DeltaFifoSync, IsSyncedAtOnceWhereAnEventCameFirst) {
  DeltaFifo added, deleted;
  Ok(added.Add(MakeObject("a")));
  EXPECT_TRUE(added.HasSynced());
  Ok(added.Replace({MakeObject("a"), MakeObject("b")}, "0"));
  EXPECT_TRUE(added.HasSynced());
  Ok(deleted.Delete(MakeObject("a")));  // it is dropped, and counts all the same
  EXPECT_TRUE(deleted.HasSynced());
}

// The count drops at pop: whoever processes the last key of the list already sees "synced".
TEST(DeltaFifoSync, ComesOneKeyEarly) {  // DFF-05
  DeltaFifo fifo;
  Ok(fifo.Replace({MakeObject("a")}, "0"));
  const std::vector<Delta> batch = fifo.PopBatch();
  EXPECT_TRUE(fifo.HasSynced());
  EXPECT_TRUE(fifo.in_initial_list());
  fifo.Done(batch);
  Ok(fifo.Add(MakeObject("b")));
  Pop(&fifo);
  EXPECT_FALSE(fifo.in_initial_list());
}

TEST(DeltaFifoSync, CountsDeletionsThatTheFirstListImplies) {
  // TestDeltaFIFO_HasSyncedCorrectOnDeletion
  Indexer store;
  store.Replace({MakeObject("foo", "5"), MakeObject("bar", "6"), MakeObject("baz", "7")}, "7");
  DeltaFifo fifo({.known_objects = &store});
  Ok(fifo.Replace({MakeObject("foo", "5")}, "0"));
  for (const char* expected : {"sync foo@5", "deleted bar@6 unknown", "deleted baz@7 unknown"}) {
    EXPECT_FALSE(fifo.HasSynced());
    EXPECT_THAT(Pop(&fifo), ElementsAre(expected));
    EXPECT_TRUE(fifo.in_initial_list());
  }
  EXPECT_TRUE(fifo.HasSynced());
}

Task<void> PopOne(Loop& loop, DeltaQueue& queue, std::vector<std::string>& told) {
  Task<Result<std::vector<Delta>>> next = NextBatch(loop, queue);
  const Result<std::vector<Delta>> batch = co_await next;
  told.push_back(batch.ok() ? Show(batch->front()) : batch.error().message());
}

TEST(DeltaFifoSync, WakesWhoWaitsWhenItIsClosed) {  // TestDeltaFIFO_PopShouldUnblockWhenClosed
  SimPort port;
  Loop loop(port);
  DeltaFifo fifo;
  std::vector<std::string> told;
  TaskScope scope(loop);
  for (int i = 0; i < 10; ++i) scope.Spawn(PopOne(loop, fifo, told));
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  EXPECT_EQ(told.size(), 0u);
  fifo.Close();
  EXPECT_TRUE(fifo.closed());
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  EXPECT_EQ(told, std::vector<std::string>(10, "DeltaFIFO: manipulating with closed queue"));
  told.clear();
  Ok(fifo.Add(MakeObject("late", "1")));  // still taken, and still given
  for (int i = 0; i < 2; ++i) scope.Spawn(PopOne(loop, fifo, told));
  EXPECT_THAT(told, ElementsAre("added late@1", "DeltaFIFO: manipulating with closed queue"));
}

}  // namespace delta_fifo_sync_test
}  // namespace relist
