#include "reflector/stores/store.h"

#include <gmock/gmock.h>

#include "core/time.h"
#include "reflector/queues/fifo.h"
#include "reflector/stores/expiration_store.h"
#include "reflector/stores/undelta_store.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace store_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::Show;

void Ok(const Result<void>& result) {
  ASSERT_TRUE(result.ok()) << result.error().message();
}

Result<ObjectKey> ByUid(const Object& object) {
  if (object.uid().empty()) return Error::Net(Transport::kOther, "no uid");
  return ObjectKey{"", std::string(object.uid())};
}

// Whose uid is the id: an object is not named after its key.
ObjectRef Item(const std::string& id, const std::string& value) {
  return MakeObject(value, "1", "default", id);
}

// What every store does (client-go's doTestStore).
void TestStore(Store& store) {
  Ok(store.Add(Item("foo", "bar")));
  EXPECT_EQ(Show(*store.Get(*Item("foo", ""))), "bar@1");
  Ok(store.Update(Item("foo", "baz")));
  EXPECT_EQ(Show(*store.GetByKey({"", "foo"})), "baz@1");
  Ok(store.Delete(Item("foo", "")));
  Ok(store.Delete(Item("foo", "")));  // is not there: no error
  EXPECT_EQ(*store.Get(*Item("foo", "")), nullptr);
  Ok(store.Add(Item("c", "d")));
  Ok(store.Add(Item("a", "b")));
  Ok(store.Add(Item("e", "e")));
  EXPECT_THAT(Show(store.List()), ElementsAre("b@1", "d@1", "e@1"));
  EXPECT_THAT(store.ListKeys(),
              ElementsAre(ObjectKey{"", "a"}, ObjectKey{"", "c"}, ObjectKey{"", "e"}));
  Ok(store.Replace({Item("foo", "foo"), Item("bar", "bar")}, "0"));
  EXPECT_THAT(Show(store.List()), ElementsAre("bar@1", "foo@1"));
  Ok(store.Resync());
  // What has no key is refused, by each call that needs one.
  const ObjectRef nobody = MakeObject("nobody");
  EXPECT_TRUE(IsKeyError(store.Add(nobody).error()));
  EXPECT_TRUE(IsKeyError(store.Update(nobody).error()));
  EXPECT_TRUE(IsKeyError(store.Delete(nobody).error()));
  EXPECT_TRUE(IsKeyError(store.Get(*nobody).error()));
  EXPECT_TRUE(IsKeyError(store.Replace({Item("new", "new"), nobody}, "9").error()));
  EXPECT_THAT(Show(store.List()), ElementsAre("bar@1", "foo@1"));
}

TEST(Store, KeepsObjectsByAKeyOfOnesOwn) {  // TestCache
  KeyedStore store({.key = ByUid});
  TestStore(store);
  store.DeleteByKey({"", "foo"});
  EXPECT_THAT(Show(store.List()), ElementsAre("bar@1"));
}

TEST(Store, IsWhatAnUndeltaStoreLooksLike) {  // TestUndeltaStore
  UndeltaStore store([](std::vector<ObjectRef>) {}, {.key = ByUid});
  TestStore(store);
}

TEST(Store, IsWhatAQueueLooksLike) {  // TestFIFOCache
  Fifo fifo(ByUid);
  TestStore(fifo);
}

TEST(Store, IsWhatAnExpirationStoreLooksLike) {
  ExpirationStore store({.now = [] { return kSimulationEpoch; }, .ttl = Seconds(1), .key = ByUid});
  TestStore(store);
}

TEST(Store, TransformsWhatItStores) {  // TestCacheWithTransformer
  int called = 0;
  KeyedStore store({.key = ByUid, .transform = [&called](const ObjectRef& object) {
                      ++called;
                      return Result<ObjectRef>(object);
                    }});
  TestStore(store);
  EXPECT_GT(called, 0);
}

// STO-07: a transform may drop what the key is made of.
TEST(Store, TakesTheKeyOfTheObjectBeforeItsTransform) {
  KeyedStore store({.key = ByUid, .transform = [](const ObjectRef& object) -> Result<ObjectRef> {
                      if (object->key().name == "bad") {
                        return Error::Net(Transport::kOther, "no good");
                      }
                      return MakeObject("bare " + object->key().name);
                    }});
  Ok(store.Add(Item("x", "a")));
  EXPECT_EQ(Show(*store.GetByKey({"", "x"})), "bare a@1");
  Ok(store.Update(Item("x", "b")));
  EXPECT_EQ(Show(*store.GetByKey({"", "x"})), "bare b@1");
  EXPECT_EQ(store.Add(Item("x", "bad")).error().message(), "transforming: no good");
  EXPECT_EQ(store.Replace({Item("y", "a"), Item("z", "bad")}, "2").error().message(),
            "transforming: no good");
  EXPECT_THAT(store.ListKeys(), ElementsAre(ObjectKey{"", "x"}));
  Ok(store.Replace({Item("y", "a")}, "2"));
  EXPECT_THAT(Show(store.List()), ElementsAre("bare a@1"));
  EXPECT_THAT(store.ListKeys(), ElementsAre(ObjectKey{"", "y"}));
}

// TestCacheTransactionShouldIndexErrors
TEST(Store, SaysWhichOfATransactionsObjectsItCouldNotName) {
  const ObjectRef good1 = Item("1", "one"), good2 = Item("2", "two"), bad = MakeObject("bad");
  const auto run = [](const std::vector<ObjectRef>& objects, KeyedStore* store) {
    std::vector<Indexer::Write> writes;
    for (const ObjectRef& object : objects) writes.push_back({.object = object});
    return store->Transaction(writes);
  };
  KeyedStore all({.key = ByUid}), none({.key = ByUid}), some({.key = ByUid});
  EXPECT_TRUE(run({good1, good2}, &all).ok());
  EXPECT_THAT(Show(all.List()), ElementsAre("one@1", "two@1"));
  const KeyedStore::TransactionResult failed = run({bad, bad}, &none);
  EXPECT_THAT(failed.written, IsEmpty());
  EXPECT_EQ(failed.errors.size(), 2u);
  const KeyedStore::TransactionResult mixed = run({good1, bad, good2, bad}, &some);
  EXPECT_THAT(mixed.written, ElementsAre(0, 2));
  EXPECT_TRUE(IsKeyError(mixed.errors[0]));
  EXPECT_EQ(mixed.message(),
            "failed to execute (2/4) transactions failed due to: "
            "[couldn't create key for object default/bad: no uid "
            "couldn't create key for object default/bad: no uid]");
  EXPECT_THAT(Show(some.List()), ElementsAre("one@1", "two@1"));
}

TEST(Store, FindsItsObjectsByIndexAndGivesTheirKeys) {
  KeyedStore store({.key = ByUid});
  ASSERT_TRUE(store.indexer().AddIndexer("namespace", IndexByNamespace).ok());
  Ok(store.Replace({Item("2", "a"), Item("1", "b")}, "3"));
  Ok(store.Add(Item("0", "c")));
  EXPECT_THAT(Show(*store.indexer().ByIndex("namespace", "default")),
              ElementsAre("c@1", "b@1", "a@1"));
  EXPECT_THAT(*store.indexer().IndexKeys("namespace", "default"),
              ElementsAre(ObjectKey{"", "0"}, ObjectKey{"", "1"}, ObjectKey{"", "2"}));
}

TEST(Store, GivesTheVeryObjectsThatWerePutIn) {  // STO-08
  KeyedStore store;
  const ObjectRef object = MakeObject("a");
  Ok(store.Add(object));
  EXPECT_EQ(*store.Get(*object), object);
  EXPECT_EQ(store.List().front(), object);
}

}  // namespace store_test
}  // namespace relist
