#include <gmock/gmock.h>

#include <functional>

#include "reflector/queues/real_fifo.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace real_fifo_replace_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::Pop;
using testing::PopAll;

void Ok(const Result<void>& result) {
  ASSERT_TRUE(result.ok()) << result.error().message();
}

// A classic queue beside a store that holds foo@5, bar@6 and baz@7.
struct Known {
  explicit Known(bool empty = false) : fifo({.atomic = false, .known_objects = &store}) {
    if (empty) return;
    store.Replace({MakeObject("foo", "5"), MakeObject("bar", "6"), MakeObject("baz", "7")}, "7");
  }
  Indexer store;
  RealFifo fifo;
};

// TestRealFIFO_ReplaceMakesDeletions, five beginnings; TestRealFIFO_ReplaceMakesDeletionsReplaced
TEST(RealFifoReplace, PutsDeletionsFirst) {  // RFF-04
  Known known;
  Ok(known.fifo.Delete(MakeObject("baz", "10")));
  Ok(known.fifo.Replace({MakeObject("foo", "6")}, "0"));
  EXPECT_THAT(PopAll(&known.fifo),
              ElementsAre("deleted baz@10", "deleted bar@6 unknown", "replaced foo@6"));
}

TEST(RealFifoReplace, DeletesWhatIsQueuedInItsNewestState) {
  Known added;
  Ok(added.fifo.Add(MakeObject("baz", "10")));
  Ok(added.fifo.Replace({MakeObject("foo", "5")}, "0"));
  EXPECT_THAT(PopAll(&added.fifo), ElementsAre("added baz@10", "deleted baz@10 unknown",
                                               "deleted bar@6 unknown", "replaced foo@5"));
  Known again;
  Ok(again.fifo.Delete(MakeObject("bar", "6")));
  Ok(again.fifo.Add(MakeObject("bar", "100")));
  Ok(again.fifo.Replace({MakeObject("foo", "5")}, "0"));
  EXPECT_THAT(PopAll(&again.fifo),
              ElementsAre("deleted bar@6", "added bar@100", "deleted bar@100 unknown",
                          "deleted baz@7 unknown", "replaced foo@5"));
  Known empty(/*empty=*/true);
  Ok(empty.fifo.Add(MakeObject("baz", "10")));
  Ok(empty.fifo.Replace({MakeObject("foo", "5")}, "0"));
  EXPECT_THAT(PopAll(&empty.fifo),
              ElementsAre("added baz@10", "deleted baz@10 unknown", "replaced foo@5"));
}

TEST(RealFifoReplace, DeletesInTheStateOfAnEarlierReplace) {
  Known known;
  Ok(known.fifo.Replace({MakeObject("bar", "100"), MakeObject("foo", "5")}, "0"));
  Ok(known.fifo.Replace({MakeObject("foo", "5")}, "0"));
  EXPECT_THAT(PopAll(&known.fifo),
              ElementsAre("deleted baz@7 unknown", "replaced bar@100", "replaced foo@5",
                          "deleted bar@100 unknown", "replaced foo@5"));
}

TEST(RealFifoReplace, DeletesInTheOrderInWhichKeysWereFirstQueued) {
  Known known(/*empty=*/true);
  Ok(known.fifo.Add(MakeObject("b", "1")));
  Ok(known.fifo.Add(MakeObject("a", "2")));
  Ok(known.fifo.Update(MakeObject("b", "3")));
  Ok(known.fifo.Replace({}, "4"));
  EXPECT_THAT(PopAll(&known.fifo), ElementsAre("added b@1", "added a@2", "updated b@3",
                                               "deleted b@3 unknown", "deleted a@2 unknown"));
}

TEST(RealFifoReplace, TellsOfAnObjectWhoseDeletionIsStillQueued) {
  // TestRealFIFO_replaceWithDeleteDeltaIn: without this its creation goes unnoticed.
  Known known;
  Ok(known.fifo.Delete(MakeObject("foo", "1")));
  Ok(known.fifo.Replace({MakeObject("foo", "2"), MakeObject("bar", "2"), MakeObject("baz")}, ""));
  EXPECT_THAT(PopAll(&known.fifo),
              ElementsAre("deleted foo@1", "replaced foo@2", "replaced bar@2", "replaced baz@1"));
}

TEST(RealFifoReplace, PutsTheNewStateBehindWhatWasQueued) {  // TestRealFIFO_addReplace
  Known known(/*empty=*/true);
  Ok(known.fifo.Add(MakeObject("foo", "10")));
  Ok(known.fifo.Replace({MakeObject("foo", "15")}, "0"));
  EXPECT_THAT(PopAll(&known.fifo), ElementsAre("added foo@10", "replaced foo@15"));
}

// TestRealFIFOW_ReplaceMakesDeletionsForObjectsOnlyInQueue
TEST(RealFifoReplace, DeletesOnceWhatIsOnlyQueued) {
  const ObjectRef foo2 = MakeObject("foo", "2");
  const ObjectRef foo3 = MakeObject("foo", "3");
  const auto deltas = [](const std::function<void(RealFifo&)>& operations) {
    Known known(/*empty=*/true);
    operations(known.fifo);
    return PopAll(&known.fifo);
  };
  EXPECT_THAT(deltas([&](RealFifo& fifo) {
                Ok(fifo.Add(foo2));
                Ok(fifo.Replace({}, "0"));
                Ok(fifo.Replace({}, "1"));
              }),
              ElementsAre("added foo@2", "deleted foo@2 unknown"));
  EXPECT_THAT(deltas([&](RealFifo& fifo) {
                Ok(fifo.Add(foo2));
                Ok(fifo.Delete(foo2));
                Ok(fifo.Replace({}, "0"));
              }),
              ElementsAre("added foo@2", "deleted foo@2"));
  EXPECT_THAT(
      deltas([&](RealFifo& fifo) {
        Ok(fifo.Add(foo2));
        Ok(fifo.Replace({foo2}, "0"));
        Ok(fifo.Replace({foo2}, "0"));
        Ok(fifo.Replace({}, "0"));
      }),
      ElementsAre("added foo@2", "replaced foo@2", "replaced foo@2", "deleted foo@2 unknown"));
  EXPECT_THAT(deltas([&](RealFifo& fifo) {
                Ok(fifo.Add(foo2));
                Ok(fifo.Delete(foo2));
                Ok(fifo.Add(foo3));
                Ok(fifo.Replace({}, "0"));
              }),
              ElementsAre("added foo@2", "deleted foo@2", "added foo@3", "deleted foo@3 unknown"));
  EXPECT_THAT(deltas([&](RealFifo& fifo) {
                fifo.Bookmark("123");  // there are none in classic mode
                Ok(fifo.Replace({}, "0"));
              }),
              IsEmpty());
}

TEST(RealFifoReplace, StopsAtAnErrorAndKeepsWhatWasQueued) {
  Indexer store;
  store.Set(MakeObject("old"));
  RealFifo fifo({.atomic = false,
                 .known_objects = &store,
                 .transform = [](const ObjectRef& object) -> Result<ObjectRef> {
                   if (object->key().name == "bad") return Error::Net(Transport::kOther, "no good");
                   return object;
                 }});
  const Result<void> replaced =
      fifo.Replace({MakeObject("a"), MakeObject("bad"), MakeObject("c")}, "5");
  EXPECT_EQ(replaced.error().message(), "couldn't enqueue object: no good");
  EXPECT_THAT(PopAll(&fifo), ElementsAre("deleted old@1 unknown", "replaced a@1"));
  EXPECT_FALSE(fifo.HasSynced());
}

// TestRealFIFO_ReplaceAtomic, TestRealFIFO_ReplaceAtomicPop
TEST(RealFifoReplace, IsOneDeltaWhereItIsAtomic) {  // RFF-05
  RealFifo fifo;
  Ok(fifo.Add(MakeObject("foo", "10")));
  Ok(fifo.Replace({MakeObject("foo", "2")}, "20"));
  fifo.Bookmark("30");  // RFF-13
  Ok(fifo.Replace({}, "56"));
  EXPECT_THAT(PopAll(&fifo), ElementsAre("added foo@10", "replaced all at 20: foo@2",
                                         "bookmark at 30", "replaced all at 56"));
}

TEST(RealFifoReplace, SyncsWhenTheFirstListWasProcessed) {  // TestRealFIFO_HasSynced, RFF-06 to 08
  const auto synced_after = [](const std::vector<ObjectRef>& list, int pops) {
    Known known(/*empty=*/true);
    EXPECT_FALSE(known.fifo.HasSynced());
    RealFifo fifo({.atomic = false, .known_objects = &known.store, .batch_size = 1});
    Ok(fifo.Replace(list, "0"));
    for (int i = 0; i < pops; ++i) Pop(&fifo);
    EXPECT_EQ(fifo.synced().Ready(), fifo.HasSynced());
    return fifo.HasSynced();
  };
  EXPECT_TRUE(synced_after({}, 0));  // RFF-07
  const std::vector<ObjectRef> two = {MakeObject("a"), MakeObject("b")};
  EXPECT_FALSE(synced_after(two, 0));
  EXPECT_FALSE(synced_after(two, 1));
  EXPECT_TRUE(synced_after(two, 2));
  const std::vector<ObjectRef> twice = {MakeObject("a", "1"), MakeObject("a", "2")};
  EXPECT_FALSE(synced_after(twice, 1));
  EXPECT_TRUE(synced_after(twice, 2));
}

TEST(RealFifoReplace, SyncsAtOnceWhereAnEventCameFirst) {
  RealFifo fifo;
  Ok(fifo.Add(MakeObject("a")));
  EXPECT_TRUE(fifo.HasSynced());
  Ok(fifo.Replace({MakeObject("a")}, "5"));
  EXPECT_TRUE(fifo.HasSynced());
}

TEST(RealFifoReplace, SyncsAfterAnEmptyListWasProcessedWhereItIsAtomic) {  // RFF-07
  RealFifo fifo;
  Ok(fifo.Replace({}, "5"));
  EXPECT_FALSE(fifo.HasSynced());
  const std::vector<Delta> batch = fifo.PopBatch();
  EXPECT_FALSE(fifo.HasSynced());  // not when it was popped: RFF-08
  fifo.Done(batch);
  EXPECT_TRUE(fifo.HasSynced());
  EXPECT_TRUE(fifo.synced().Ready());
}

TEST(RealFifoReplace, CountsDeletionsThatTheFirstListImplies) {
  // TestRealFIFO_HasSyncedCorrectOnDeletion
  Known known;
  RealFifo fifo({.atomic = false, .known_objects = &known.store, .batch_size = 1});
  Ok(fifo.Replace({MakeObject("foo", "5")}, "0"));
  for (const char* expected :
       {"deleted bar@6 unknown", "deleted baz@7 unknown", "replaced foo@5"}) {
    EXPECT_FALSE(fifo.HasSynced());
    EXPECT_THAT(Pop(&fifo), ElementsAre(expected));
    EXPECT_TRUE(fifo.in_initial_list());
  }
  EXPECT_TRUE(fifo.HasSynced());
}

TEST(RealFifoReplace, ResyncsClassicallyOnlyWhatHasNothingQueued) {
  // TestRealFIFO_Resync, TestRealFIFO_ResyncNonExisting, TestRealFIFO_UpdateResyncRace
  Known known;
  Ok(known.fifo.Delete(MakeObject("foo", "10")));
  Ok(known.fifo.Update(MakeObject("bar", "11")));
  Ok(known.fifo.Resync());
  EXPECT_THAT(PopAll(&known.fifo), ElementsAre("deleted foo@10", "updated bar@11", "sync baz@7"));
}

TEST(RealFifoReplace, ResyncsAtomicallyWithOneDelta) {  // TestRealFIFO_ResyncAtomic
  RealFifo fifo;
  Ok(fifo.Resync());
  Ok(fifo.Add(MakeObject("foo", "2")));
  Ok(fifo.Resync());
  EXPECT_THAT(PopAll(&fifo), ElementsAre("sync all", "added foo@2", "sync all"));
}

}  // namespace real_fifo_replace_test
}  // namespace relist
