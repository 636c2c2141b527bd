#include "reflector/queues/real_fifo.h"

#include <gmock/gmock.h>

#include "core/runtime/sim_port.h"
#include "reflector/stores/store.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace real_fifo_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::Pop;
using testing::PopAll;
using testing::Show;

void Ok(const Result<void>& result) {
  ASSERT_TRUE(result.ok()) << result.error().message();
}

TEST(RealFifo, KeepsDeltasSingleAndInOrder) {
  // TestRealFIFO_enqueueingNoLister, TestRealFIFO_DeleteExistingNonPropagated
  RealFifo fifo;
  Ok(fifo.Add(MakeObject("foo", "10")));
  Ok(fifo.Update(MakeObject("bar", "15")));
  Ok(fifo.Add(MakeObject("qux", "17")));
  Ok(fifo.Delete(MakeObject("qux", "18")));
  Ok(fifo.Delete(MakeObject("baz", "20")));  // that nobody knows: RFF-03
  EXPECT_THAT(PopAll(&fifo), ElementsAre("added foo@10", "updated bar@15", "added qux@17",
                                         "deleted qux@18", "deleted baz@20"));
  EXPECT_THAT(Pop(&fifo), IsEmpty());
}

TEST(RealFifo, QueuesADeletionThatTheStoreKnows) {  // TestRealFIFO_enqueueingWithLister
  Indexer store;
  store.Replace({MakeObject("foo", "5"), MakeObject("bar", "6"), MakeObject("baz", "7")}, "7");
  RealFifo fifo({.atomic = false, .known_objects = &store});
  Ok(fifo.Add(MakeObject("foo", "10")));
  Ok(fifo.Update(MakeObject("bar", "15")));
  Ok(fifo.Delete(MakeObject("baz", "20")));
  EXPECT_THAT(PopAll(&fifo), ElementsAre("added foo@10", "updated bar@15", "deleted baz@20"));
}

TEST(RealFifo, MergesNothing) {  // TestRealFIFO_addUpdate, TestRealFIFO_detectLineJumpers
  RealFifo fifo;
  for (const auto& [name, rv] :
       {std::pair("foo", "10"), {"bar", "1"}, {"foo", "11"}, {"foo", "13"}, {"zab", "30"}}) {
    Ok(fifo.Add(MakeObject(name, rv)));
  }
  EXPECT_EQ(fifo.size(), 5u);
  EXPECT_THAT(Pop(&fifo), ElementsAre("added foo@10", "added bar@1"));
  Ok(fifo.Update(MakeObject("foo", "14")));
  Ok(fifo.Delete(MakeObject("foo", "15")));
  EXPECT_THAT(PopAll(&fifo), ElementsAre("added foo@11", "added foo@13", "added zab@30",
                                         "updated foo@14", "deleted foo@15"));
}

// TestRealFIFO_basic: two writers take turns.
Task<void> AddMany(Loop& loop, RealFifo& fifo, std::string prefix) {
  for (int i = 1; i <= 500; ++i) {
    Ok(fifo.Add(MakeObject(prefix + std::to_string(i), std::to_string(i))));
    Task<void> pause = Sleep(loop, Millis(1));
    co_await pause;
  }
}

TEST(RealFifo, KeepsTheOrderOfEachWriter) {
  SimPort port;
  Loop loop(port);
  RealFifo fifo;
  TaskScope scope(loop);
  scope.Spawn(AddMany(loop, fifo, "a"));
  scope.Spawn(AddMany(loop, fifo, "b"));
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  int last[2] = {0, 0};
  for (const Delta& delta : fifo.PopBatch()) {
    int& before = last[delta.object->key().name[0] - 'a'];
    EXPECT_EQ(std::stoi(delta.object->resource_version()), before + 1);
    before = std::stoi(delta.object->resource_version());
  }
  EXPECT_THAT(last, ElementsAre(500, 500));
}

Result<ObjectRef> Transformed(const ObjectRef& object) {
  if (object->resource_version() == "bad") return Error::Net(Transport::kOther, "bad");
  return MakeObject(object->key().name, object->resource_version() + "'");
}

TEST(RealFifo, TransformsWhatComesFromOutsideAndOnlyThat) {  // TestRealFIFO_transformer
  Indexer store;
  store.Set(MakeObject("known", "1'"));
  RealFifo fifo({.atomic = false, .known_objects = &store, .transform = Transformed});
  Ok(fifo.Add(MakeObject("foo", "10")));
  Ok(fifo.Add(MakeObject("bar", "11")));
  Ok(fifo.Update(MakeObject("foo", "12")));
  Ok(fifo.Delete(MakeObject("foo", "15")));
  Ok(fifo.Resync());
  Ok(fifo.Replace({}, ""));
  Ok(fifo.Add(MakeObject("bar", "16")));
  Ok(fifo.Replace({MakeObject("new", "17")}, ""));
  EXPECT_THAT(PopAll(&fifo),
              ElementsAre("added foo@10'", "added bar@11'", "updated foo@12'", "deleted foo@15'",
                          "sync known@1'", "deleted bar@11' unknown", "deleted known@1' unknown",
                          "added bar@16'", "deleted bar@16' unknown", "replaced new@17'"));
}

TEST(RealFifo, QueuesNothingWhereATransformFails) {  // RFF-02, RFF-05
  RealFifo fifo({.transform = Transformed});
  EXPECT_FALSE(fifo.Replace({MakeObject("a"), MakeObject("b", "bad")}, "5").ok());
  EXPECT_EQ(fifo.size(), 0u);
  EXPECT_FALSE(fifo.HasSynced());
  EXPECT_FALSE(fifo.Add(MakeObject("b", "bad")).ok());
  EXPECT_EQ(fifo.size(), 0u);
  EXPECT_TRUE(fifo.HasSynced());  // it counts as populated all the same
  Ok(fifo.Add(MakeObject("a")));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added a@1'"));
}

TEST(RealFifo, RefusesWhatHasNoKey) {  // RFF-02, RFF-14
  const KeyFunction by_uid = [](const Object& object) -> Result<ObjectKey> {
    if (object.uid().empty()) return Error::Net(Transport::kOther, "no uid");
    return ObjectKey{"", std::string(object.uid())};
  };
  KeyedStore store({.key = by_uid});
  RealFifo fifo({.atomic = false, .known_objects = &store.indexer(), .key = by_uid});
  EXPECT_TRUE(IsKeyError(fifo.Add(MakeObject("a")).error()));
  EXPECT_TRUE(IsKeyError(
      fifo.Replace({MakeObject("a", "1", "default", "u"), MakeObject("b")}, "1").error()));
  EXPECT_EQ(fifo.size(), 0u);
  EXPECT_TRUE(fifo.HasSynced());  // it counts as populated all the same
}

TEST(RealFifo, TellsTheKeyOfADelta) {  // TestRealFIFO_KeyOf
  RealFifo fifo;
  Delta delta;
  delta.object = MakeObject("a");
  EXPECT_EQ(*fifo.KeyOf(delta), (ObjectKey{"default", "a"}));
  RealFifo by_version({.key = [](const Object& object) -> Result<ObjectKey> {
    return ObjectKey{"", object.resource_version()};
  }});
  EXPECT_EQ(*by_version.KeyOf(delta), (ObjectKey{"", "1"}));
  delta.type = DeltaType::kDeleted;
  delta.final_state_unknown = true;
  EXPECT_EQ(*fifo.KeyOf(delta), (ObjectKey{"default", "a"}));
}

Task<void> PopOne(Loop& loop, DeltaQueue& queue, std::vector<std::string>& told) {
  Task<Result<std::vector<Delta>>> next = NextBatch(loop, queue);
  const Result<std::vector<Delta>> batch = co_await next;
  told.push_back(batch.ok() ? Show(batch->front()) : batch.error().message());
}

TEST(RealFifo, WakesWhoWaitsWhenItIsClosed) {  // TestRealFIFO_PopShouldUnblockWhenClosed
  SimPort port;
  Loop loop(port);
  RealFifo fifo;
  std::vector<std::string> told;
  TaskScope scope(loop);
  for (int i = 0; i < 10; ++i) scope.Spawn(PopOne(loop, fifo, told));
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  EXPECT_THAT(told, IsEmpty());
  EXPECT_FALSE(fifo.closed());
  fifo.Close();
  EXPECT_TRUE(fifo.closed());
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  EXPECT_EQ(told, std::vector<std::string>(10, "DeltaFIFO: manipulating with closed queue"));
  told.clear();
  Ok(fifo.Add(MakeObject("late")));  // still taken, and still given
  for (int i = 0; i < 2; ++i) scope.Spawn(PopOne(loop, fifo, told));
  EXPECT_THAT(told, ElementsAre("added late@1", "DeltaFIFO: manipulating with closed queue"));
}

TEST(RealFifo, WakesWhoWaitsWhenSomethingComes) {
  SimPort port;
  Loop loop(port);
  RealFifo fifo;
  std::vector<std::string> told;
  TaskScope scope(loop);
  scope.Spawn(PopOne(loop, fifo, told));
  fifo.Bookmark("7");
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  EXPECT_THAT(told, ElementsAre("bookmark at 7"));
}

TEST(RealFifo, RefusesOptionsThatDoNotGoTogether) {  // RFF-16
  Indexer store;
  EXPECT_THROW(RealFifo({.atomic = true, .known_objects = &store}), CheckFailed);
  EXPECT_THROW(RealFifo({.atomic = false, .known_objects = nullptr}), CheckFailed);
  EXPECT_THROW(RealFifo({.batch_size = 0}), CheckFailed);
}

}  // namespace real_fifo_test
}  // namespace relist
