#include "reflector/shared_informer.h"

#include <gmock/gmock.h>

#include "reflector/testing/informer_world.h"

namespace relist {
namespace shared_informer_test {

using ::testing::ElementsAre;
using testing::EventLine;
using testing::InformerWorld;
using ::testing::IsEmpty;
using testing::Item;
using testing::ListOf;
using testing::WatchOf;

TEST(SharedInformer, ListsWatchesAndTellsItsHandler) {
  InformerWorld world;
  world.server.Then(ListOf("10", {Item("a", "7"), Item("b", "9")}));
  world.server.Then(WatchOf({EventLine("MODIFIED", "a", "11"), EventLine("DELETED", "b", "12"),
                             EventLine("ADDED", "c", "13")}));
  world.RunFor(Seconds(5));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@7 initial", "add b@9 initial",
                                               "update a@7->11", "delete b@12", "add c@13"));
  EXPECT_THAT(world.Story(), ElementsAre("LIST limit=500 resourceVersion=0",
                                         "WATCH allowWatchBookmarks=true resourceVersion=10"));
  EXPECT_TRUE(world.informer.HasSynced());
  EXPECT_TRUE(world.listener->HasSynced());
  EXPECT_EQ(world.informer.last_sync_resource_version(), "13");
  EXPECT_EQ(world.informer.indexer().size(), 2u);
}

}  // namespace shared_informer_test
}  // namespace relist
