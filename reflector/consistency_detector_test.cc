#include "reflector/consistency_detector.h"

#include <gmock/gmock.h>

#include "reflector/testing/reflector_bench.h"

namespace relist {
namespace consistency_detector_test {

using testing::BookmarkAt;
using ::testing::ElementsAre;
using testing::Ev;
using ::testing::HasSubstr;
using testing::ObjectOf;
using testing::Page;
using testing::ReflectorBench;
using testing::Stream;

constexpr char kStream[] =
    "watch allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true";
constexpr char kCheck[] = "list resourceVersion=10&resourceVersionMatch=Exact";

ReflectorOptions Checked() {
  ReflectorOptions options;
  options.detect_inconsistency = true;
  return options;
}

void StreamOneAt(ReflectorBench* bench, const std::string& version) {
  bench->lister.streaming = true;
  bench->lister.Watches(Stream({Ev("ADDED", "a@7"), BookmarkAt(version, "true")}));
}

TEST(ConsistencyDetector, ListsOnceMoreAndIsContentWithTheSame) {  // AUX-02
  ReflectorBench bench(Checked());
  StreamOneAt(&bench, "10");
  bench.lister.Lists(Page("10", {"a@7"}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kStream, kCheck));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 10: a@7"));
  EXPECT_THAT(bench.log->lines(), ElementsAre(HasSubstr("data consistency check is enabled")));
}

TEST(ConsistencyDetector, EndsTheProgramWhereTheTwoDiffer) {
  for (const std::vector<std::string>& listed :
       {std::vector<std::string>{}, {"a@8"}, {"b@7"}, {"a@7", "b@7"}}) {
    ReflectorBench bench(Checked());
    StreamOneAt(&bench, "10");
    bench.lister.Lists(Page("10", listed));
    EXPECT_THROW(bench.RunFor(Seconds(1)), CheckFailed);
    EXPECT_THAT(bench.store.calls, ElementsAre());
  }
}

TEST(ConsistencyDetector, AsksEachSecondUntilItIsAnswered) {
  ReflectorBench bench(Checked());
  StreamOneAt(&bench, "10");
  bench.lister.Lists(Error::Api(500, "InternalError", "not now"));
  bench.lister.Lists(Error::Api(410, "Expired", "nor now"));
  bench.lister.Lists(Page("10", {"a@7"}));
  bench.RunFor(Millis(1500));
  EXPECT_EQ(bench.Asked("list"), 2u);
  bench.RunFor(Millis(600));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 10: a@7"));
}

TEST(ConsistencyDetector, StopsWithItsReflector) {
  ReflectorBench bench(Checked());
  StreamOneAt(&bench, "10");
  bench.lister.Lists(Error::Api(500, "InternalError", "never"));
  bench.RunFor(Millis(500));
  bench.stop.Set();
  EXPECT_TRUE(bench.RunToItsEnd());
  EXPECT_THAT(bench.store.calls, ElementsAre());
}

TEST(ConsistencyDetector, ComparesWhatIsTransformed) {
  ReflectorBench bench(Checked());
  bench.store.transform_ = [](const ObjectRef& object) -> Result<ObjectRef> {
    return ObjectOf(object->key().name + "@transformed");
  };
  StreamOneAt(&bench, "10");
  bench.lister.Lists(Page("10", {"a@999"}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 10: a@transformed"));
}

TEST(ConsistencyDetector, ChecksNothingWhereNoExactListCanBe) {
  for (const char* version : {"0", ""}) {
    ReflectorBench bench(Checked());
    StreamOneAt(&bench, version);
    bench.RunFor(Seconds(1));
    EXPECT_EQ(bench.Asked("list"), 0u);
    EXPECT_EQ(bench.store.calls.size(), 1u);
  }
}

TEST(ConsistencyDetector, IsOffUnlessItIsAskedFor) {
  ReflectorBench bench;
  StreamOneAt(&bench, "10");
  bench.RunFor(Seconds(1));
  EXPECT_EQ(bench.Asked("list"), 0u);
  EXPECT_FALSE(InconsistencyDetectorWanted());
}

TEST(ConsistencyDetector, LeavesOutKindAndVersionWhichItemsLack) {
  const ObjectRef streamed = ObjectOf("a@7");
  const ObjectRef listed =
      *Object::Parse(R"({"metadata":{"name":"a","uid":"uid-a","resourceVersion":"7"}})");
  EXPECT_EQ(DifferenceOf({streamed}, {listed}), "");
  EXPECT_THAT(DifferenceOf({streamed}, {ObjectOf("a@8")}), HasSubstr("the list a (8)"));
}

}  // namespace consistency_detector_test
}  // namespace relist
