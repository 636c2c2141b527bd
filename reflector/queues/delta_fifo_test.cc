#include "reflector/queues/delta_fifo.h"

#include <gmock/gmock.h>

#include "core/runtime/sim_port.h"
#include "reflector/stores/store.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace delta_fifo_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::Pop;

// A queue beside a store that holds foo@5, bar@6 and baz@7.
struct Known {
  Known() : fifo({.known_objects = &store}) {
    store.Replace({MakeObject("foo", "5"), MakeObject("bar", "6"), MakeObject("baz", "7")}, "7");
  }
  Indexer store;
  DeltaFifo fifo;
};

void Ok(const Result<void>& result) {
  ASSERT_TRUE(result.ok()) << result.error().message();
}

TEST(DeltaFifo, GivesAKeysWholeStoryAtItsPlaceInTheLine) {  // TestDeltaFIFO_detectLineJumpers
  DeltaFifo fifo;
  Ok(fifo.Add(MakeObject("foo", "10")));
  Ok(fifo.Add(MakeObject("bar", "1")));
  Ok(fifo.Add(MakeObject("foo", "11")));
  Ok(fifo.Add(MakeObject("foo", "13")));
  Ok(fifo.Add(MakeObject("zab", "30")));
  EXPECT_EQ(fifo.size(), 3u);
  EXPECT_THAT(Pop(&fifo), ElementsAre("added foo@10", "added foo@11", "added foo@13"));
  Ok(fifo.Add(MakeObject("foo", "14")));  // it does not jump back to the head of the line
  EXPECT_THAT(Pop(&fifo), ElementsAre("added bar@1"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added zab@30"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added foo@14"));
  EXPECT_THAT(Pop(&fifo), IsEmpty());
}

// TestDeltaFIFO_basic: two writers take turns.
Task<void> AddMany(Loop& loop, DeltaFifo& fifo, std::string prefix) {
  for (int i = 1; i <= 500; ++i) {
    Ok(fifo.Add(MakeObject(prefix + std::to_string(i), std::to_string(i))));
    Task<void> pause = Sleep(loop, Millis(1));
    co_await pause;
  }
}

TEST(DeltaFifo, KeepsTheOrderOfEachWriter) {
  SimPort port;
  Loop loop(port);
  DeltaFifo fifo;
  TaskScope scope(loop);
  scope.Spawn(AddMany(loop, fifo, "a"));
  scope.Spawn(AddMany(loop, fifo, "b"));
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  int last[2] = {0, 0};
  for (int i = 0; i < 1000; ++i) {
    const std::vector<Delta> batch = fifo.PopBatch();
    ASSERT_EQ(batch.size(), 1u);
    const Object& object = *batch.front().object;
    int& before = last[object.key().name[0] - 'a'];
    EXPECT_EQ(std::stoi(object.resource_version()), before + 1);
    before = std::stoi(object.resource_version());
  }
}

TEST(DeltaFifo, TellsAllThatHappenedToAKeyUpToItsDeletion) {  // TestDeltaFIFO_addUpdate
  DeltaFifo fifo;
  Ok(fifo.Add(MakeObject("foo", "10")));
  Ok(fifo.Update(MakeObject("foo", "12")));
  Ok(fifo.Delete(MakeObject("foo", "15")));
  EXPECT_EQ(fifo.size(), 1u);
  EXPECT_THAT(Pop(&fifo), ElementsAre("added foo@10", "updated foo@12", "deleted foo@15"));
  EXPECT_THAT(Pop(&fifo), IsEmpty());
}

TEST(DeltaFifo, KeepsOneOfTwoDeletionsTheOneThatSawTheFinalState) {  // DFF-01
  Known known;
  Ok(known.fifo.Delete(MakeObject("foo", "10")));
  Ok(known.fifo.Delete(MakeObject("foo", "11")));
  Ok(known.fifo.Replace({}, "12"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("deleted foo@10"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("deleted bar@6 unknown"));
  Ok(known.fifo.Delete(MakeObject("baz", "13")));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("deleted baz@13"));
}

TEST(DeltaFifo, DropsADeletionOfAKeyThatNobodyKnows) {  // TestDeltaFIFO_enqueueingNoLister
  DeltaFifo fifo;
  Ok(fifo.Add(MakeObject("foo", "10")));
  Ok(fifo.Update(MakeObject("bar", "15")));
  Ok(fifo.Add(MakeObject("qux", "17")));
  Ok(fifo.Delete(MakeObject("qux", "18")));
  Ok(fifo.Delete(MakeObject("baz", "20")));  // neither queued nor known
  EXPECT_THAT(Pop(&fifo), ElementsAre("added foo@10"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("updated bar@15"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added qux@17", "deleted qux@18"));
  EXPECT_THAT(Pop(&fifo), IsEmpty());
}

TEST(DeltaFifo, QueuesADeletionOfAKeyThatIsOnlyKnown) {  // TestDeltaFIFO_enqueueingWithLister
  Known known;
  Ok(known.fifo.Add(MakeObject("foo", "10")));
  Ok(known.fifo.Update(MakeObject("bar", "15")));
  Ok(known.fifo.Delete(MakeObject("baz", "20")));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("added foo@10"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("updated bar@15"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("deleted baz@20"));
  EXPECT_THAT(Pop(&known.fifo), IsEmpty());
}

TEST(DeltaFifo, QueuesADeletionOfAKeyThatIsOnlyQueued) {
  // TestDeltaFIFO_DeleteExistingNonPropagated
  Indexer store;
  DeltaFifo fifo({.known_objects = &store});
  Ok(fifo.Add(MakeObject("foo", "5")));
  Ok(fifo.Delete(MakeObject("foo", "6")));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added foo@5", "deleted foo@6"));
}

TEST(DeltaFifo, PutsTheNewStateBehindWhatWasQueued) {  // TestDeltaFIFO_addReplace
  DeltaFifo fifo;
  Ok(fifo.Add(MakeObject("foo", "10")));
  Ok(fifo.Replace({MakeObject("foo", "15")}, "0"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added foo@10", "sync foo@15"));
  EXPECT_THAT(Pop(&fifo), IsEmpty());
}

TEST(DeltaFifo, ResyncsWhatIsKnownAndHasNothingQueued) {
  // TestDeltaFIFO_Resync, TestDeltaFIFO_ResyncNonExisting, TestDeltaFIFO_UpdateResyncRace
  Known known;
  Ok(known.fifo.Delete(MakeObject("foo", "10")));
  Ok(known.fifo.Update(MakeObject("bar", "11")));
  Ok(known.fifo.Resync());
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("deleted foo@10"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("updated bar@11"));
  EXPECT_THAT(Pop(&known.fifo), ElementsAre("sync baz@7"));
  DeltaFifo alone;
  Ok(alone.Add(MakeObject("foo", "5")));
  Ok(alone.Resync());
  EXPECT_THAT(Pop(&alone), ElementsAre("added foo@5"));
}

TEST(DeltaFifo, TransformsWhatComesFromOutsideAndOnlyThat) {  // TestDeltaFIFO_transformer
  const auto transform = [](const ObjectRef& object) -> Result<ObjectRef> {
    if (object->resource_version() == "bad") return Error::Net(Transport::kOther, "no good");
    return MakeObject(object->key().name, object->resource_version() + "'");
  };
  Indexer store;
  store.Set(MakeObject("known", "1'"));
  DeltaFifo fifo({.known_objects = &store, .transform = transform});
  Ok(fifo.Add(MakeObject("foo", "10")));
  Ok(fifo.Add(MakeObject("bar", "11")));
  Ok(fifo.Update(MakeObject("foo", "12")));
  Ok(fifo.Delete(MakeObject("foo", "15")));
  Ok(fifo.Resync());
  Ok(fifo.Replace({MakeObject("new", "16")}, ""));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added foo@10'", "updated foo@12'", "deleted foo@15'"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added bar@11'", "deleted bar@11' unknown"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("sync known@1'", "deleted known@1' unknown"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("sync new@16'"));
  EXPECT_FALSE(fifo.Add(MakeObject("foo", "bad")).ok());
  const Result<void> replaced = fifo.Replace({MakeObject("a"), MakeObject("b", "bad")}, "");
  ASSERT_FALSE(replaced.ok());
  EXPECT_EQ(replaced.error().message(), "couldn't enqueue object: no good");
  EXPECT_THAT(Pop(&fifo), ElementsAre("sync a@1'"));  // what came before the error
  EXPECT_THAT(Pop(&fifo), IsEmpty());
}

TEST(DeltaFifo, TellsTheKeyOfADelta) {  // TestDeltaFIFO_KeyOf
  DeltaFifo fifo;
  Delta delta;
  delta.object = MakeObject("a");
  EXPECT_EQ(*fifo.KeyOf(delta), (ObjectKey{"default", "a"}));
  delta.type = DeltaType::kDeleted;
  delta.final_state_unknown = true;
  EXPECT_EQ(*fifo.KeyOf(delta), (ObjectKey{"default", "a"}));
}

TEST(DeltaFifo, GoesByAKeyOfOnesOwnAndRefusesWhatHasNone) {
  const KeyFunction by_uid = [](const Object& object) -> Result<ObjectKey> {
    if (object.uid().empty()) return Error::Net(Transport::kOther, "no uid");
    return ObjectKey{"", std::string(object.uid())};
  };
  KeyedStore store({.key = by_uid});
  Ok(store.Add(MakeObject("known", "1", "default", "uid-1")));
  DeltaFifo fifo({.known_objects = &store.indexer(), .key = by_uid});
  EXPECT_TRUE(IsKeyError(fifo.Delete(MakeObject("a")).error()));
  EXPECT_FALSE(fifo.HasSynced());  // not even populated
  EXPECT_TRUE(IsKeyError(fifo.Add(MakeObject("a")).error()));
  EXPECT_TRUE(fifo.HasSynced());
  Ok(fifo.Update(MakeObject("b", "2", "default", "uid-1")));
  Ok(fifo.Update(MakeObject("c", "3", "default", "uid-1")));
  EXPECT_TRUE(IsKeyError(fifo.Replace({MakeObject("a")}, "4").error()));
  Ok(fifo.Replace({MakeObject("d", "4", "default", "uid-2")}, "4"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("updated b@2", "updated c@3", "deleted c@3 unknown"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("sync d@4"));
}

}  // namespace delta_fifo_test
}  // namespace relist
