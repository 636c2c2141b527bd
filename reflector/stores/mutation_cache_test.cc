#include "reflector/stores/mutation_cache.h"

#include <gmock/gmock.h>

#include "reflector/testing/deltas.h"

namespace relist {
namespace mutation_cache_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Show;

const ObjectKey kPod = {"default", "pod"};

ObjectRef Pod(const std::string& uid, const std::string& rv, const std::string& name = "pod") {
  return testing::MakeObject(name, rv, "default", uid);
}

struct Bench {
  explicit Bench(bool include_adds = false, size_t max_size = 100)
      : cache(store, {.now = [this] { return now; },
                      .ttl = Seconds(60),
                      .max_size = max_size,
                      .include_adds = include_adds}) {}
  TimePoint now = kSimulationEpoch;
  Indexer store;
  MutationCache cache;
};

TEST(MutationCache, GivesTheNewerOfStoreAndOwnWrite) {
  Bench bench;
  bench.store.Set(Pod("uid-1", "1"));
  bench.cache.Mutation(Pod("uid-1", "3"));
  EXPECT_EQ(Show(bench.cache.GetByKey(kPod)), "pod@3");
  bench.cache.Mutation(Pod("uid-1", "2"));  // older than what we know
  EXPECT_EQ(Show(bench.cache.GetByKey(kPod)), "pod@3");
  bench.store.Set(Pod("uid-1", "10"));
  EXPECT_EQ(Show(bench.cache.GetByKey(kPod)), "pod@10");
  EXPECT_THAT(bench.cache.Keys(), IsEmpty());
  bench.cache.Mutation(Pod("uid-1", "eleven"));  // who knows? the store does
  EXPECT_EQ(Show(bench.cache.GetByKey(kPod)), "pod@10");
}

TEST(MutationCache, GivesWhatTheStoreDoesNotHaveOnlyWhereThatIsAskedFor) {
  for (bool include_adds : {false, true}) {
    Bench bench(include_adds);
    EXPECT_EQ(bench.cache.GetByKey(kPod), nullptr);
    bench.cache.Mutation(Pod("uid-1", "3"));
    EXPECT_EQ(bench.cache.GetByKey(kPod) != nullptr, include_adds);
  }
}

TEST(MutationCache, ForgetsAfterItsTimeAndTheLeastUsedFirst) {
  Bench bench(/*include_adds=*/true, /*max_size=*/2);
  bench.cache.Mutation(Pod("1", "1", "a"));
  bench.cache.Mutation(Pod("2", "2", "b"));
  EXPECT_NE(bench.cache.GetByKey({"default", "a"}), nullptr);  // used
  bench.now += Seconds(60);
  bench.cache.Mutation(Pod("3", "3", "c"));
  EXPECT_THAT(bench.cache.Keys(),
              ElementsAre(ObjectKey{"default", "a"}, ObjectKey{"default", "c"}));
  bench.now += Duration(1);
  EXPECT_THAT(bench.cache.Keys(), ElementsAre(ObjectKey{"default", "c"}));
  EXPECT_EQ(bench.cache.GetByKey({"default", "a"}), nullptr);
  EXPECT_NE(bench.cache.GetByKey({"default", "c"}), nullptr);
}

TEST(MutationCache, DropsWhatTheInformerHasHeardOf) {  // TestMutationCacheOnAddOrUpdate
  for (const auto& [told, seen] : {std::pair("2", "pod@1"), {"3", "pod@1"}, {"1", "pod@2"}}) {
    Bench bench;
    bench.cache.Mutation(Pod("uid-1", "2"));
    bench.cache.OnAddOrUpdate(*Pod("uid-1", told));
    bench.store.Set(
        Pod("uid-1", "1"));  // older than the mutation: says whether that is still there
    EXPECT_EQ(Show(bench.cache.GetByKey(kPod)), seen) << told;
  }
}

TEST(MutationCache, DropsWhatIsKnownToBeDeleted) {  // TestMutationCacheOnDelete
  struct Case {
    const char* uid;
    const char* rv;
    bool exists;
  };
  for (const Case& one : {Case{"uid-1", "1", false},        // a stale tombstone of the same object
                          Case{"uid-2", "3", false},        // another object, but not an older one
                          Case{"uid-other", "1", true}}) {  // ours may have come after
    Bench bench(/*include_adds=*/true);
    bench.store.Set(Pod("uid-1", "2"));
    bench.cache.Mutation(Pod("uid-1", "3"));
    bench.store.Delete(kPod, one.rv);
    bench.cache.OnDelete(*Pod(one.uid, one.rv));
    EXPECT_EQ(bench.cache.GetByKey(kPod) != nullptr, one.exists) << one.uid;
  }
}

// The answer to our update comes after the informer heard of the deletion that followed it.
TEST(MutationCache, RemembersWhatWasDeletedForAWriteThatComesLate) {
  // TestMutationCacheUpdateConcurrentDelete
  for (const char* late : {"1", "2", "3"}) {
    Bench bench(/*include_adds=*/true);
    bench.store.Set(Pod("uid-1", "1"));
    bench.store.Set(Pod("uid-1", "2"));
    bench.store.Delete(kPod, "2");
    bench.cache.OnAddOrUpdate(*Pod("uid-1", "2"));
    bench.cache.OnDelete(*Pod("uid-1", "2"));
    bench.cache.Mutation(Pod("uid-1", late));
    EXPECT_EQ(bench.cache.GetByKey(kPod), nullptr) << late;
    EXPECT_THAT(bench.cache.Keys(), ElementsAre(kPod));  // the tombstone
    bench.cache.Mutation(Pod("uid-2", "4"));             // a new one of that name
    EXPECT_EQ(Show(bench.cache.GetByKey(kPod)), "pod@4");
  }
}

TEST(MutationCache, GivesWhatTookThePlaceOfWhatWasDeleted) {
  // TestMutationCacheUpdateConcurrentRecreate
  Bench bench(/*include_adds=*/true);
  bench.store.Set(Pod("uid-2", "3"));
  bench.cache.OnAddOrUpdate(*Pod("uid-1", "2"));
  bench.cache.OnDelete(*Pod("uid-1", "2"));
  bench.cache.OnAddOrUpdate(*Pod("uid-2", "3"));
  bench.cache.Mutation(Pod("uid-1", "2"));
  EXPECT_EQ(Show(bench.cache.GetByKey(kPod)), "pod@3");
  EXPECT_THAT(bench.cache.Keys(), IsEmpty());
}

TEST(MutationCache, NeverGivesATombstone) {
  Bench bench(/*include_adds=*/true);
  bench.store.Set(Pod("uid-1", "1"));
  bench.cache.OnDelete(*Pod("uid-1", "5"));
  EXPECT_EQ(bench.cache.GetByKey(kPod), nullptr);
}

std::vector<std::string> ByName(const Object& object) {
  return {object.key().name};
}

TEST(MutationCache, FindsByIndexWhatIsNotInTheStoreYet) {
  // TestMutationCacheOnDeleteClearsStaleMutation
  Bench bench(/*include_adds=*/true);
  ASSERT_TRUE(bench.store.AddIndexer("by-name", ByName).ok());
  bench.cache.Mutation(Pod("uid-1", "2"));
  bench.cache.Mutation(Pod("uid-9", "9", "other"));
  EXPECT_THAT(Show(*bench.cache.ByIndex("by-name", "pod")), ElementsAre("pod@2"));
  bench.cache.OnDelete(*Pod("uid-1", "1"));
  EXPECT_THAT(*bench.cache.ByIndex("by-name", "pod"), IsEmpty());
  EXPECT_EQ(bench.cache.ByIndex("by-age", "1").error().message(),
            "Index with name by-age does not exist");
}

TEST(MutationCache, GivesTheNewerStateOfWhatAnIndexHas) {
  Bench bench;
  ASSERT_TRUE(bench.store.AddIndexer("namespace", IndexByNamespace).ok());
  bench.store.Set(Pod("uid-1", "1", "a"));
  bench.store.Set(Pod("uid-2", "2", "b"));
  bench.cache.Mutation(Pod("uid-1", "3", "a"));
  bench.cache.Mutation(Pod("uid-3", "4", "c"));  // not in the store, and adds are not asked for
  EXPECT_THAT(Show(*bench.cache.ByIndex("namespace", "default")), ElementsAre("a@3", "b@2"));
}

}  // namespace mutation_cache_test
}  // namespace relist
