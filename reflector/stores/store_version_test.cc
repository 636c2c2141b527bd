// The version of an informer's store: TestStoreResourceVersion and
// TestStoreResourceVersionWithNonMetaTransform.
#include <gmock/gmock.h>

#include "reflector/testing/deltas.h"
#include "reflector/testing/informer_world.h"

namespace relist {
namespace store_version_test {

using ::testing::ElementsAre;
using namespace relist::testing;  // NOLINT: the server's words

// The store's version after the list at 10, each event a second later, and the list at 20.
std::vector<std::string> Versions(InformerOptions informer) {
  InformerWorldOptions options;
  options.informer = std::move(informer);
  InformerWorld world(std::move(options));
  world.server.Then(ListOf("10", {Item("a", "7")}));
  world.server.Then(WatchOf({})
                        .Line(EventLine("MODIFIED", "a", "11"), Seconds(1))
                        .Line(EventLine("DELETED", "a", "12"), Seconds(2))
                        .Line(BookmarkLine("15"), Seconds(3))
                        .Line(ErrorLine(410, "Expired"), Seconds(4)));
  world.server.Then(ListOf("20", {Item("b", "8")}));
  std::vector<std::string> out;
  for (int i = 0; i < 14; ++i) {
    world.RunFor(Millis(500));
    const std::string version = world.informer.indexer().resource_version();
    if (out.empty() || out.back() != version) out.push_back(version);
  }
  return out;
}

TEST(StoreVersion, IsThatOfTheLastWrite) {
  EXPECT_THAT(Versions({}), ElementsAre("10", "11", "12", "15", "20"));
}

TEST(StoreVersion, StaysWhereATransformTakesTheVersionsAway) {
  InformerOptions informer;
  informer.transform = [](const ObjectRef& object) -> Result<ObjectRef> {
    return MakeObject(object->key().name, "");
  };
  EXPECT_THAT(Versions(informer), ElementsAre("10", "15", "20"));
}

TEST(StoreVersion, IsUnknownWithoutAtomicLists) {
  InformerOptions informer;
  informer.atomic_fifo = false;
  EXPECT_THAT(Versions(informer), ElementsAre(""));
}

}  // namespace store_version_test
}  // namespace relist
