// Each planted bug shows on the wire or in the callbacks, and only if it is planted.
#include "reflector/planted_bugs.h"

#include <gmock/gmock.h>

#include "reflector/testing/informer_world.h"

namespace relist {
namespace planted_bugs_test {

using testing::BookmarkLine;
using testing::ErrorLine;
using testing::EventLine;
using testing::InformerWorld;
using testing::InformerWorldOptions;
using testing::Item;
using testing::ListOf;
using testing::Step;
using testing::WatchOf;

// What a client with these bugs does when the list's watch goes as `watch` says.
struct Lived {
  std::vector<std::string> story, calls;
};
Lived Live(PlantedBugs bugs, const Step& watch) {
  InformerWorldOptions options;
  options.informer.reflector.bugs = bugs;
  options.rest.bugs = bugs;
  InformerWorld world(std::move(options));
  world.server.Then(ListOf("10", {Item("a", "7")})).Then(watch).Then(ListOf("20", {}));
  world.RunFor(Seconds(4));
  return {world.Story(), world.handler.calls};
}

bool Differ(PlantedBugs bugs, const Step& watch) {
  const Lived sane = Live({}, watch);
  const Lived mad = Live(bugs, watch);
  return sane.story != mad.story || sane.calls != mad.calls;
}

TEST(PlantedBugs, ShowWhereTheyArePlanted) {
  const Step deletion = WatchOf({EventLine("DELETED", "a", "11")}).EndAfter(Seconds(2));
  EXPECT_TRUE(Differ({.delete_keeps_position = true}, deletion));
  EXPECT_TRUE(Differ({.lose_tombstones = true}, WatchOf({ErrorLine(410, "Expired")})));
  EXPECT_TRUE(Differ({.bookmark_is_object = true}, WatchOf({BookmarkLine("11")})));
  Step half = WatchOf({});
  half.Send(testing::Chunk(EventLine("ADDED", "b", "11").substr(0, 150)));
  EXPECT_TRUE(Differ({.resume_from_partial_line = true}, half.EndAfter(Seconds(2))));
  Step at_once = WatchOf({});
  at_once.Send(testing::Chunk(EventLine("ADDED", "b", "11").substr(0, 150))).EndAfter({});
  EXPECT_TRUE(Differ({.resume_from_partial_line = true}, at_once));
  EXPECT_TRUE(Differ({.ignore_silent_expiry = true}, WatchOf({}).EndAfter(Millis(10))));
}

TEST(PlantedBugs, AreNotThereByDefault) {
  const Lived lived = Live({}, WatchOf({EventLine("DELETED", "a", "11")}).EndAfter(Seconds(2)));
  EXPECT_THAT(lived.story,
              ::testing::Contains("WATCH allowWatchBookmarks=true resourceVersion=11"));
}

}  // namespace planted_bugs_test
}  // namespace relist
