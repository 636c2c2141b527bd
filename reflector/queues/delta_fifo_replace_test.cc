#include <gmock/gmock.h>

#include "reflector/queues/delta_fifo.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace delta_fifo_replace_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::Pop;

// A queue beside a store that holds foo@5, bar@6 and baz@7.
struct Known {
  explicit Known(bool emit_replaced = false)
      : fifo({.known_objects = &store, .emit_delta_type_replaced = emit_replaced}) {
    store.Replace({MakeObject("foo", "5"), MakeObject("bar", "6"), MakeObject("baz", "7")}, "7");
  }
  Indexer store;
  DeltaFifo fifo;
};

void Ok(const Result<void>& result) {
  ASSERT_TRUE(result.ok()) << result.error().message();
}

// TestDeltaFIFO_ReplaceMakesDeletions: five beginnings.
TEST(DeltaFifoReplace, ImpliesADeletionOfWhatIsKnownAndNotListed) {
  Known known;
  Ok(known.fifo.Delete(MakeObject("baz", "10")));
  Ok(known.fifo.Replace({MakeObject("foo", "5")}, "0"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("deleted baz@10"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("sync foo@5"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("deleted bar@6 unknown"));
  EXPECT_THAT(Pop(&known.fifo), IsEmpty());
}

TEST(DeltaFifoReplace, DeletesWhatIsQueuedInItsNewestState) {
  Known known;
  Ok(known.fifo.Add(MakeObject("baz", "10")));
  Ok(known.fifo.Delete(MakeObject("bar", "6")));
  Ok(known.fifo.Add(MakeObject("bar", "100")));
  Ok(known.fifo.Replace({MakeObject("foo", "5")}, "0"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("added baz@10", "deleted baz@10 unknown"));
  EXPECT_THAT(Pop(&known.fifo),
              ElementsAre("deleted bar@6", "added bar@100", "deleted bar@100 unknown"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("sync foo@5"));
  EXPECT_THAT(Pop(&known.fifo), IsEmpty());
}

TEST(DeltaFifoReplace, DeletesInTheStateOfAnEarlierReplace) {
  Known known;
  Ok(known.fifo.Replace({MakeObject("bar", "100"), MakeObject("foo", "5")}, "0"));
  Ok(known.fifo.Replace({MakeObject("foo", "5")}, "0"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("sync bar@100", "deleted bar@100 unknown"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("sync foo@5", "sync foo@5"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("deleted baz@7 unknown"));
  EXPECT_THAT(Pop(&known.fifo), IsEmpty());
}

TEST(DeltaFifoReplace, LooksOnlyIntoTheQueueWhereNothingElseIsKnown) {
  DeltaFifo fifo;
  Ok(fifo.Add(MakeObject("baz", "10")));
  Ok(fifo.Replace({MakeObject("foo", "5")}, "0"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added baz@10", "deleted baz@10 unknown"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("sync foo@5"));
  EXPECT_THAT(Pop(&fifo), IsEmpty());
}

TEST(DeltaFifoReplace, SaysReplacedWhereThatIsAskedFor) {
  // TestDeltaFIFO_ReplaceMakesDeletionsReplaced, TestDeltaFIFO_ReplaceDeltaType
  Known known(/*emit_replaced=*/true);
  Ok(known.fifo.Delete(MakeObject("baz", "10")));
  Ok(known.fifo.Replace({MakeObject("foo", "6")}, "0"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("deleted baz@10"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("replaced foo@6"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("deleted bar@6 unknown"));
}

TEST(DeltaFifoReplace, TellsOfAnObjectWhoseDeletionIsStillQueued) {
  // TestDeltaFIFO_replaceWithDeleteDeltaIn: without this its creation goes unnoticed.
  Known known;
  Ok(known.fifo.Delete(MakeObject("foo", "1")));
  Ok(known.fifo.Replace({MakeObject("foo", "2")}, ""));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("deleted foo@1", "sync foo@2"));
}

// TestDeltaFIFOW_ReplaceMakesDeletionsForObjectsOnlyInQueue, with a store and without.
TEST(DeltaFifoReplace, DeletesOnceWhatIsOnlyQueued) {
  const ObjectRef foo2 = MakeObject("foo", "2");
  const ObjectRef foo3 = MakeObject("foo", "3");
  struct Case {
    std::function<void(DeltaFifo&)> operations;
    std::vector<std::string> deltas;
    bool emit_replaced = false;
  };
  const Case cases[] = {
      {[&](DeltaFifo& f) {
         Ok(f.Add(foo2));
         Ok(f.Replace({}, "0"));
       },
       {"added foo@2", "deleted foo@2 unknown"}},
      {[&](DeltaFifo& f) {
         Ok(f.Add(foo2));
         Ok(f.Replace({foo2}, "0"));
         Ok(f.Replace({}, "0"));
       },
       {"added foo@2", "replaced foo@2", "deleted foo@2 unknown"},
       /*emit_replaced=*/true},
      {[&](DeltaFifo& f) {
         Ok(f.Add(foo2));
         Ok(f.Delete(foo2));
         Ok(f.Replace({}, "0"));
       },
       {"added foo@2", "deleted foo@2"}},
      {[&](DeltaFifo& f) {
         Ok(f.Add(foo2));
         Ok(f.Replace({foo2}, "0"));
         Ok(f.Replace({foo2}, "0"));
         Ok(f.Replace({}, "0"));
       },
       {"added foo@2", "sync foo@2", "sync foo@2", "deleted foo@2 unknown"}},
      {[&](DeltaFifo& f) {
         Ok(f.Add(foo2));
         Ok(f.Replace({}, "0"));
         Ok(f.Replace({}, "1"));
       },
       {"added foo@2", "deleted foo@2 unknown"}},
      {[&](DeltaFifo& f) {
         Ok(f.Add(foo2));
         Ok(f.Delete(foo2));
         Ok(f.Add(foo3));
         Ok(f.Replace({}, "0"));
       },
       {"added foo@2", "deleted foo@2", "added foo@3", "deleted foo@3 unknown"}},
  };
  for (const Case& one : cases) {
    Indexer store;
    for (const Indexer* known : {static_cast<const Indexer*>(&store), (const Indexer*)nullptr}) {
      DeltaFifo fifo({.known_objects = known, .emit_delta_type_replaced = one.emit_replaced});
      one.operations(fifo);
      EXPECT_EQ(Pop(&fifo), one.deltas);
      EXPECT_EQ(fifo.size(), 0u);
    }
  }
}

}  // namespace delta_fifo_replace_test
}  // namespace relist
