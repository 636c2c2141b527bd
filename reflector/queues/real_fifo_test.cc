#include "reflector/queues/real_fifo.h"

#include <gmock/gmock.h>

#include "core/time.h"
#include "reflector/testing/scripted_server.h"

namespace relist {
namespace real_fifo_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ObjectRef Make(const std::string& name, const std::string& rv = "1") {
  Object::Head head;
  head.key = {"default", name};
  head.resource_version = rv;
  return std::make_shared<Object>("{}", std::move(head));
}

std::string Show(const Delta& delta) {
  static const char* const kNames[] = {"added", "updated",      "deleted",  "replaced",
                                       "sync",  "replaced all", "sync all", "bookmark"};
  std::string out = kNames[static_cast<int>(delta.type)];
  if (delta.object) out += " " + delta.object->key().name + "@" + delta.object->resource_version();
  if (delta.final_state_unknown) out += " unknown";
  if (!delta.resource_version.empty()) out += " at " + delta.resource_version;
  return out;
}

std::vector<std::string> Pop(RealFifo* fifo) {
  const std::vector<Delta> batch = fifo->PopBatch();
  std::vector<std::string> out;
  for (const Delta& delta : batch) out.push_back(Show(delta));
  fifo->Done(batch);
  return out;
}

TEST(RealFifo, KeepsDeltasSingleAndInOrder) {  // RFF-01, RFF-03
  RealFifo fifo;
  ASSERT_TRUE(fifo.Add(Make("a", "1")).ok());
  ASSERT_TRUE(fifo.Delete(Make("unknown", "2")).ok());
  ASSERT_TRUE(fifo.Update(Make("b", "3")).ok());
  EXPECT_THAT(Pop(&fifo), ElementsAre("added a@1", "deleted unknown@2", "updated b@3"));
  EXPECT_THAT(Pop(&fifo), IsEmpty());
}

TEST(RealFifo, EndsABatchBeforeAKeyThatIsInIt) {  // RFF-10
  RealFifo fifo;
  for (const char* name : {"a", "b", "a", "c"}) ASSERT_TRUE(fifo.Add(Make(name)).ok());
  EXPECT_THAT(Pop(&fifo), ElementsAre("added a@1", "added b@1"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added a@1", "added c@1"));
}

TEST(RealFifo, TakesWhatNoBatchMayHoldAlone) {
  RealFifo fifo;
  ASSERT_TRUE(fifo.Replace({Make("a")}, "5").ok());
  ASSERT_TRUE(fifo.Add(Make("b")).ok());
  fifo.Bookmark("6");
  ASSERT_TRUE(fifo.Resync().ok());
  ASSERT_TRUE(fifo.Add(Make("c")).ok());
  EXPECT_THAT(Pop(&fifo), ElementsAre("replaced all at 5"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added b@1"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("bookmark at 6"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("sync all"));
  EXPECT_THAT(Pop(&fifo), ElementsAre("added c@1"));
}

TEST(RealFifo, HoldsAThousandDeltasABatch) {
  RealFifo fifo;
  for (int i = 0; i < 1500; ++i) ASSERT_TRUE(fifo.Add(Make(std::to_string(i))).ok());
  EXPECT_EQ(Pop(&fifo).size(), 1000u);
  EXPECT_EQ(Pop(&fifo).size(), 500u);
}

TEST(RealFifo, HasSyncedWhenTheInitialListWasProcessedNotWhenItWasPopped) {  // RFF-06 to RFF-08
  RealFifo fifo;
  EXPECT_FALSE(fifo.HasSynced());
  ASSERT_TRUE(fifo.Replace({}, "5").ok());
  EXPECT_FALSE(fifo.HasSynced());
  const std::vector<Delta> batch = fifo.PopBatch();
  EXPECT_FALSE(fifo.HasSynced());
  fifo.Done(batch);
  EXPECT_TRUE(fifo.HasSynced());
  EXPECT_TRUE(fifo.synced().Ready());
}

TEST(RealFifo, IsSyncedAtOnceWhereAnEventCameFirst) {
  RealFifo fifo;
  ASSERT_TRUE(fifo.Add(Make("a")).ok());
  EXPECT_TRUE(fifo.HasSynced());
}

TEST(RealFifo, QueuesNothingWhereATransformFails) {  // RFF-02, RFF-05
  RealFifo fifo({.atomic = true,
                 .known_objects = nullptr,
                 .transform = [](const ObjectRef& object) -> Result<ObjectRef> {
                   if (object->key().name == "bad") return Error::Net(Transport::kOther, "bad");
                   return Make(object->key().name, "transformed");
                 }});
  EXPECT_FALSE(fifo.Replace({Make("a"), Make("bad")}, "5").ok());
  EXPECT_EQ(fifo.size(), 0u);
  EXPECT_FALSE(fifo.HasSynced());
  EXPECT_FALSE(fifo.Add(Make("bad")).ok());
  EXPECT_EQ(fifo.size(), 0u);
  EXPECT_TRUE(fifo.HasSynced());  // it counts as populated all the same
  ASSERT_TRUE(fifo.Add(Make("a")).ok());
  EXPECT_THAT(Pop(&fifo), ElementsAre("added a@transformed"));
}

TEST(RealFifo, PutsDeletionsFirstInAClassicReplace) {  // RFF-04
  Indexer store;
  store.Replace({Make("known", "1"), Make("kept", "1"), Make("queued-too", "1")}, "1");
  RealFifo fifo({.atomic = false, .known_objects = &store, .transform = {}});
  ASSERT_TRUE(fifo.Update(Make("queued-too", "2")).ok());
  ASSERT_TRUE(fifo.Add(Make("queued", "3")).ok());
  ASSERT_TRUE(fifo.Add(Make("dropped", "4")).ok());
  ASSERT_TRUE(fifo.Delete(Make("dropped", "5")).ok());
  EXPECT_THAT(Pop(&fifo), ElementsAre("updated queued-too@2", "added queued@3", "added dropped@4"));
  ASSERT_TRUE(fifo.Update(Make("queued-too", "2")).ok());
  ASSERT_TRUE(fifo.Add(Make("queued", "3")).ok());
  ASSERT_TRUE(fifo.Replace({Make("kept", "9"), Make("new", "9")}, "10").ok());
  EXPECT_THAT(Pop(&fifo),
              ElementsAre("deleted dropped@5", "updated queued-too@2", "added queued@3"));
  EXPECT_THAT(Pop(&fifo),
              ElementsAre("deleted queued-too@2 unknown", "deleted queued@3 unknown",
                          "deleted known@1 unknown", "replaced kept@9", "replaced new@9"));
}

TEST(RealFifo, CountsEveryDeltaOfAClassicInitialList) {  // RFF-06
  Indexer store;
  RealFifo fifo({.atomic = false, .known_objects = &store, .transform = {}});
  ASSERT_TRUE(fifo.Replace({Make("a"), Make("b")}, "5").ok());
  ASSERT_TRUE(fifo.Add(Make("c")).ok());
  EXPECT_FALSE(fifo.HasSynced());
  EXPECT_THAT(Pop(&fifo), ElementsAre("replaced a@1", "replaced b@1"));
  EXPECT_TRUE(fifo.HasSynced());
  RealFifo empty({.atomic = false, .known_objects = &store, .transform = {}});
  ASSERT_TRUE(empty.Replace({}, "5").ok());
  EXPECT_TRUE(empty.HasSynced());  // RFF-07
}

TEST(RealFifo, ResyncsClassicallyOnlyWhatHasNothingQueued) {  // RFF-12
  Indexer store;
  store.Replace({Make("a"), Make("b")}, "1");
  RealFifo fifo({.atomic = false, .known_objects = &store, .transform = {}});
  ASSERT_TRUE(fifo.Update(Make("a", "2")).ok());
  ASSERT_TRUE(fifo.Resync().ok());
  EXPECT_THAT(Pop(&fifo), ElementsAre("updated a@2", "sync b@1"));
}

TEST(RealFifo, RefusesOptionsThatDoNotGoTogether) {  // RFF-16
  Indexer store;
  EXPECT_THROW(RealFifo({.atomic = true, .known_objects = &store, .transform = {}}), CheckFailed);
  EXPECT_THROW(RealFifo({.atomic = false, .known_objects = nullptr, .transform = {}}), CheckFailed);
}

}  // namespace real_fifo_test
}  // namespace relist
