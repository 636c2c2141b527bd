#include "reflector/stores/indexer.h"

#include <gmock/gmock.h>

#include <thread>

#include "reflector/testing/scripted_server.h"

namespace relist {
namespace indexer_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ObjectRef Make(const std::string& name, const std::string& rv, const std::string& ns = "default") {
  Object::Head head;
  head.key = {ns, name};
  head.resource_version = rv;
  return std::make_shared<Object>("{}", std::move(head));
}

std::vector<std::string> Names(const std::vector<ObjectRef>& objects) {
  std::vector<std::string> out;
  for (const ObjectRef& object : objects) out.push_back(object->key().name);
  return out;
}

TEST(Indexer, SetsDeletesAndListsInKeyOrder) {
  Indexer store;
  EXPECT_EQ(store.Set(Make("b", "1")), nullptr);
  EXPECT_EQ(store.Set(Make("a", "2")), nullptr);
  const ObjectRef before = store.Set(Make("b", "3"));
  ASSERT_NE(before, nullptr);
  EXPECT_EQ(before->resource_version(), "1");
  EXPECT_THAT(Names(store.List()), ElementsAre("a", "b"));
  EXPECT_EQ(store.Get({"default", "b"})->resource_version(), "3");
  EXPECT_NE(store.Delete({"default", "a"}, "4"), nullptr);
  EXPECT_EQ(store.Delete({"default", "a"}, "5"), nullptr);
  EXPECT_EQ(store.size(), 1u);
  EXPECT_EQ(store.resource_version(), "5");
}

TEST(Indexer, ReplacesItsWholeContentAndEveryIndex) {  // STO-03
  Indexer store;
  ASSERT_TRUE(store.AddIndexer("namespace", IndexByNamespace).ok());
  store.Set(Make("old", "1", "x"));
  store.Replace({Make("b", "2", "y"), Make("a", "2", "y")}, "9");
  EXPECT_THAT(Names(store.List()), ElementsAre("a", "b"));
  EXPECT_THAT(*store.IndexValues("namespace"), ElementsAre("y"));
  EXPECT_EQ(store.resource_version(), "9");
}

TEST(Indexer, FindsObjectsUnderEveryValueOfAnIndex) {  // STO-04
  Indexer store;
  store.Set(Make("ab", "1"));
  const auto letters = [](const Object& object) {
    std::vector<std::string> out;
    for (char c : object.key().name) out.emplace_back(1, c);
    return out;
  };
  ASSERT_TRUE(store.AddIndexer("letter", letters).ok());
  store.Set(Make("bb", "2"));
  EXPECT_THAT(Names(*store.ByIndex("letter", "b")), ElementsAre("ab", "bb"));
  EXPECT_THAT(*store.IndexKeys("letter", "a"), ElementsAre(ObjectKey{"default", "ab"}));
  EXPECT_THAT(*store.ByIndex("letter", "z"), IsEmpty());
  store.Delete({"default", "ab"}, "3");
  EXPECT_THAT(*store.IndexValues("letter"), ElementsAre("b"));
}

TEST(Indexer, TakesAnObjectOutOfTheIndexValuesThatItNoLongerHas) {
  Indexer store;
  const auto version = [](const Object& object) {
    return std::vector<std::string>{object.resource_version()};
  };
  ASSERT_TRUE(store.AddIndexer("version", version).ok());
  store.Set(Make("a", "1"));
  store.Set(Make("a", "2"));
  EXPECT_THAT(*store.IndexValues("version"), ElementsAre("2"));
}

TEST(Indexer, RefusesATakenNameAndAnUnknownIndex) {
  Indexer store;
  ASSERT_TRUE(store.AddIndexer("namespace", IndexByNamespace).ok());
  EXPECT_EQ(store.AddIndexer("namespace", IndexByNamespace).error().message(),
            "indexer conflict: namespace");
  EXPECT_EQ(store.ByIndex("other", "x").error().message(), "Index with name other does not exist");
  EXPECT_FALSE(store.IndexKeys("other", "x").ok());
  EXPECT_FALSE(store.IndexValues("other").ok());
}

TEST(Indexer, AppliesATransactionInOrderAndTellsWhatWasThere) {  // STO-05
  Indexer store;
  store.Set(Make("a", "1"));
  const auto before = store.Transaction({{Indexer::Write::Kind::kSet, Make("a", "2")},
                                         {Indexer::Write::Kind::kSet, Make("b", "3")},
                                         {Indexer::Write::Kind::kDelete, Make("a", "4")}});
  EXPECT_EQ(before[0]->resource_version(), "1");
  EXPECT_EQ(before[1], nullptr);
  EXPECT_EQ(before[2]->resource_version(), "2");
  EXPECT_THAT(Names(store.List()), ElementsAre("b"));
  EXPECT_EQ(store.resource_version(), "4");
  store.Bookmark("8");
  EXPECT_EQ(store.resource_version(), "8");
}

TEST(Indexer, ServesReadersWhileItIsWritten) {
  Indexer store;
  ASSERT_TRUE(store.AddIndexer("namespace", IndexByNamespace).ok());
  std::thread reader([&store] {
    for (int i = 0; i < 1000; ++i) {
      EXPECT_EQ(store.List().size() <= 1, true);
      EXPECT_TRUE(store.ByIndex("namespace", "default").ok());
    }
  });
  for (int i = 0; i < 1000; ++i) {
    store.Set(Make("a", std::to_string(i)));
    store.Delete({"default", "a"}, "x");
  }
  reader.join();
}

}  // namespace indexer_test
}  // namespace relist
