#include "reflector/informers/controller.h"

#include <gmock/gmock.h>

#include "core/runtime/sim_port.h"
#include "reflector/queues/real_fifo.h"
#include "reflector/testing/scripted_server.h"

namespace relist {
namespace controller_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ObjectRef Make(const std::string& name, const std::string& rv) {
  Object::Head head;
  head.key = {"default", name};
  head.resource_version = rv;
  return std::make_shared<Object>("{}", std::move(head));
}

struct Bench : Controller::Sink {
  explicit Bench(PlantedBugs bugs = {}) : loop(port), controller(loop, fifo, store, *this, bugs) {}

  void OnNotification(Notification n, bool sync) override {
    static const char* const kNames[] = {"add", "update", "delete"};
    std::string line = std::string(kNames[static_cast<int>(n.type)]) + " " + n.object->key().name +
                       "@" + n.object->resource_version();
    if (n.old_object) line += " was " + n.old_object->resource_version();
    if (n.initial) line += " initial";
    if (n.final_state_unknown) line += " unknown";
    if (sync) line += " sync";
    told.push_back(line);
    store_sizes.push_back(store.size());
  }
  void OnBatchDone() override {}
  std::vector<std::string> Run() {
    told.clear();
    store_sizes.clear();
    for (;;) {
      const std::vector<Delta> batch = fifo.PopBatch();
      if (batch.empty()) return told;
      controller.Process(batch);
      fifo.Done(batch);
    }
  }

  SimPort port;
  Loop loop;
  RealFifo fifo;
  Indexer store;
  std::vector<std::string> told;
  std::vector<size_t> store_sizes;
  Controller controller;
};

TEST(Controller, TellsAddsUpdatesAndDeletesByWhatTheStoreHolds) {  // CTL-03
  Bench bench;
  ASSERT_TRUE(bench.fifo.Replace({Make("a", "1")}, "5").ok());
  EXPECT_THAT(bench.Run(), ElementsAre("add a@1 initial"));
  ASSERT_TRUE(bench.fifo.Add(Make("a", "6")).ok());
  EXPECT_THAT(bench.Run(), ElementsAre("update a@6 was 1"));
  ASSERT_TRUE(bench.fifo.Update(Make("b", "7")).ok());
  EXPECT_THAT(bench.Run(), ElementsAre("add b@7"));
  ASSERT_TRUE(bench.fifo.Delete(Make("a", "8")).ok());
  ASSERT_TRUE(bench.fifo.Delete(Make("never seen", "9")).ok());
  EXPECT_THAT(bench.Run(), ElementsAre("delete a@8", "delete never seen@9"));
  EXPECT_EQ(bench.store.resource_version(), "9");
}

TEST(Controller, InfersDeletionsFromAReplaceAndTellsThemFirst) {  // CTL-05
  Bench bench;
  ASSERT_TRUE(bench.fifo.Replace({Make("a", "1"), Make("b", "2"), Make("c", "3")}, "5").ok());
  bench.Run();
  ASSERT_TRUE(bench.fifo.Replace({Make("z", "9"), Make("c", "3"), Make("b", "8")}, "10").ok());
  EXPECT_THAT(bench.Run(), ElementsAre("delete a@1 unknown", "add z@9", "update c@3 was 3 sync",
                                       "update b@8 was 2"));
  // Whoever reads the store while being told sees the final state.
  EXPECT_THAT(bench.store_sizes, ElementsAre(3, 3, 3, 3));
  EXPECT_EQ(bench.store.resource_version(), "10");
}

TEST(Controller, ForgetsDeletionsOnlyAsAPlantedBug) {
  Bench bench({.lose_tombstones = true});
  ASSERT_TRUE(bench.fifo.Replace({Make("a", "1")}, "5").ok());
  bench.Run();
  ASSERT_TRUE(bench.fifo.Replace({}, "10").ok());
  EXPECT_THAT(bench.Run(), IsEmpty());
  EXPECT_EQ(bench.store.size(), 0u);
}

TEST(Controller, WritesABatchBeforeItTellsIt) {  // CTL-06
  Bench bench;
  ASSERT_TRUE(bench.fifo.Replace({Make("a", "1")}, "5").ok());
  bench.Run();
  ASSERT_TRUE(bench.fifo.Update(Make("a", "6")).ok());
  ASSERT_TRUE(bench.fifo.Add(Make("b", "7")).ok());
  ASSERT_TRUE(bench.fifo.Add(Make("c", "8")).ok());
  EXPECT_THAT(bench.Run(), ElementsAre("update a@6 was 1", "add b@7", "add c@8"));
  EXPECT_THAT(bench.store_sizes, ElementsAre(3, 3, 3));
}

TEST(Controller, ReplaysTheStoreAtAResync) {  // CTL-04
  Bench bench;
  ASSERT_TRUE(bench.fifo.Replace({Make("a", "1"), Make("b", "2")}, "5").ok());
  bench.Run();
  ASSERT_TRUE(bench.fifo.Resync().ok());
  EXPECT_THAT(bench.Run(), ElementsAre("update a@1 was 1 sync", "update b@2 was 2 sync"));
}

TEST(Controller, TellsNobodyOfABookmark) {  // CTL-07
  Bench bench;
  bench.fifo.Bookmark("42");
  EXPECT_THAT(bench.Run(), IsEmpty());
  EXPECT_EQ(bench.store.resource_version(), "42");
}

}  // namespace controller_test
}  // namespace relist
