#include "reflector/stores/expiration_store.h"

#include <gmock/gmock.h>

#include <set>

#include "reflector/testing/deltas.h"

namespace relist {
namespace expiration_store_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::Show;

void Ok(const Result<void>& result) {
  ASSERT_TRUE(result.ok()) << result.error().message();
}

// A store whose objects expire but for those that are named in `never`.
struct Bench {
  Bench()
      : store({.now = [this] { return now; },
               .expired =
                   [this](const StampedObject& stamped) {
                     return !never.contains(stamped.object->key().name);
                   }}) {}
  TimePoint now = kSimulationEpoch;
  std::set<std::string> never;
  ExpirationStore store;
};

TEST(ExpirationStore, ForgetsWhatHasExpiredWhenSomebodyReadsIt) {  // TestTTLExpirationBasic
  Bench bench;
  Ok(bench.store.Add(MakeObject("foo")));
  EXPECT_THAT(bench.store.ListKeys(), ElementsAre(ObjectKey{"default", "foo"}));
  EXPECT_EQ(*bench.store.Get(*MakeObject("foo")), nullptr);
  EXPECT_THAT(bench.store.ListKeys(), IsEmpty());
}

TEST(ExpirationStore, TakesBackWhatHadExpired) {  // TestReAddExpiredItem
  Bench bench;
  Ok(bench.store.Add(MakeObject("foo", "1")));
  EXPECT_EQ(*bench.store.GetByKey({"default", "foo"}), nullptr);
  Ok(bench.store.Add(MakeObject("foo", "2")));
  bench.never = {"foo"};
  EXPECT_EQ(Show(*bench.store.GetByKey({"default", "foo"})), "foo@2");
}

TEST(ExpirationStore, ListsWhatHasNotExpiredAndForgetsTheRest) {  // TestTTLList
  Bench bench;
  bench.never = {"foo1"};
  for (const char* name : {"foo", "foo1", "foo2"}) Ok(bench.store.Add(MakeObject(name)));
  EXPECT_THAT(Show(bench.store.List()), ElementsAre("foo1@1"));
  EXPECT_THAT(bench.store.ListKeys(), ElementsAre(ObjectKey{"default", "foo1"}));
}

TEST(ExpirationStore, ExpiresWhatIsOlderThanItsTimeAndNotWhatIsExactlySoOld) {  // TestTTLPolicy
  for (const Duration ttl : {Seconds(30), Seconds(0), Seconds(-1)}) {
    TimePoint now = kSimulationEpoch;
    ExpirationStore store({.now = [&now] { return now; }, .ttl = ttl});
    Ok(store.Add(MakeObject("a")));
    EXPECT_THAT(Show(store.List()), ElementsAre("a@1"));
    now += Seconds(30);
    EXPECT_THAT(Show(store.List()), ElementsAre("a@1"));
    now += Duration(1);
    EXPECT_EQ(store.List().empty(), ttl > Duration{});
  }
}

TEST(ExpirationStore, StartsTheTimeAnewWithEveryWrite) {
  TimePoint now = kSimulationEpoch;
  ExpirationStore store({.now = [&now] { return now; }, .ttl = Seconds(30)});
  Ok(store.Add(MakeObject("a", "1")));
  now += Seconds(20);
  Ok(store.Update(MakeObject("a", "2")));
  now += Seconds(20);
  EXPECT_THAT(Show(store.List()), ElementsAre("a@2"));
  Ok(store.Replace({MakeObject("a", "3")}, "9"));
  now += Seconds(20);
  EXPECT_THAT(Show(store.List()), ElementsAre("a@3"));
  now += Seconds(11);
  EXPECT_THAT(Show(store.List()), IsEmpty());
}

TEST(ExpirationStore, KnowsTheVersionsOfListsDeletionsAndBookmarks) {
  Bench bench;
  Ok(bench.store.Replace({}, "5"));
  Ok(bench.store.Add(MakeObject("a", "6")));
  EXPECT_EQ(bench.store.resource_version(), "5");
  Ok(bench.store.Delete(MakeObject("a", "7")));
  EXPECT_EQ(bench.store.resource_version(), "7");
  bench.store.Bookmark("8");
  EXPECT_EQ(bench.store.resource_version(), "8");
}

}  // namespace expiration_store_test
}  // namespace relist
