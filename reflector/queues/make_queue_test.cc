#include "reflector/queues/make_queue.h"

#include <gmock/gmock.h>

#include "reflector/queues/delta_fifo.h"
#include "reflector/queues/real_fifo.h"
#include "reflector/testing/deltas.h"
#include "reflector/testing/informer_world.h"

namespace relist {
namespace make_queue_test {

using ::testing::ElementsAre;
using testing::ErrorLine;
using testing::EventLine;
using testing::Item;
using testing::ListOf;
using testing::MakeObject;
using testing::Pop;
using testing::WatchOf;

// What three changes look like, in batches.
std::vector<std::vector<std::string>> Story(const QueueOptions& options) {
  Indexer store;
  const std::unique_ptr<DeltaQueue> queue = MakeQueue(options, store);
  EXPECT_TRUE(queue->Replace({MakeObject("a", "1"), MakeObject("b", "2")}, "2").ok());
  EXPECT_TRUE(queue->Update(MakeObject("a", "3")).ok());
  std::vector<std::vector<std::string>> out;
  while (queue->size() > 0) out.push_back(Pop(queue.get()));
  return out;
}

TEST(MakeQueue, FollowsTheGates) {
  EXPECT_THAT(Story({}),
              ElementsAre(ElementsAre("replaced all at 2: a@1 b@2"), ElementsAre("updated a@3")));
  EXPECT_THAT(Story({.atomic_fifo = false}),
              ElementsAre(ElementsAre("replaced a@1", "replaced b@2"), ElementsAre("updated a@3")));
  EXPECT_THAT(Story({.atomic_fifo = false, .in_order_informers_batch_process = false}),
              ElementsAre(ElementsAre("replaced a@1"), ElementsAre("replaced b@2"),
                          ElementsAre("updated a@3")));
  EXPECT_THAT(Story({.in_order_informers = false}),
              ElementsAre(ElementsAre("replaced a@1", "updated a@3"), ElementsAre("replaced b@2")));
}

// The same client, the same server: only the queue differs.
std::vector<std::string> Callbacks(bool in_order_informers) {
  testing::InformerWorldOptions options;
  options.informer.in_order_informers = in_order_informers;
  testing::InformerWorld world(std::move(options));
  world.server.Then(ListOf("10", {Item("a", "7"), Item("b", "8")}));
  world.server.Then(WatchOf({EventLine("DELETED", "unknown", "11"), ErrorLine(410, "Expired")}));
  world.server.Then(ListOf("20", {Item("a", "7")}));
  world.RunFor(Seconds(3));
  EXPECT_TRUE(world.listener->HasSynced());
  EXPECT_EQ(world.informer.indexer().size(), 1u);
  return world.handler.calls;
}

TEST(MakeQueue, MakesAnInformerThatDoesNotPromiseAnOrder) {
  EXPECT_THAT(Callbacks(true),
              ElementsAre("add a@7 initial", "add b@8 initial", "delete unknown@11",
                          "delete b@8 unknown", "update a@7->7"));
  // No word of an object that nobody saw (DFF-02), and deletions come last (DFF-03).
  EXPECT_THAT(Callbacks(false), ElementsAre("add a@7 initial", "add b@8 initial", "update a@7->7",
                                            "delete b@8 unknown"));
}

TEST(MakeQueue, SyncsWithoutOrderOnAnEmptyCollection) {
  testing::InformerWorldOptions options;
  options.informer.in_order_informers = false;
  testing::InformerWorld world(std::move(options));
  world.server.Then(ListOf("10", {}));
  world.RunFor(Seconds(1));
  EXPECT_TRUE(world.listener->HasSynced());
}

}  // namespace make_queue_test
}  // namespace relist
