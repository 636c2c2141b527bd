#include "reflector/stores/indexer.h"

#include <gmock/gmock.h>

#include <thread>

#include "core/choices.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace indexer_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::Show;

TEST(Indexer, SetsDeletesAndListsInKeyOrder) {
  Indexer store;
  EXPECT_EQ(store.Set(MakeObject("b", "1")), nullptr);
  EXPECT_EQ(store.Set(MakeObject("a", "2")), nullptr);
  EXPECT_EQ(Show(store.Set(MakeObject("b", "3"))), "b@1");
  EXPECT_THAT(Show(store.List()), ElementsAre("a@2", "b@3"));
  EXPECT_THAT(store.ListKeys(), ElementsAre(ObjectKey{"default", "a"}, ObjectKey{"default", "b"}));
  EXPECT_EQ(Show(store.Get({"default", "b"})), "b@3");
  EXPECT_EQ(Show(store.Delete({"default", "a"}, "4")), "a@2");
  EXPECT_EQ(store.Delete({"default", "a"}, "5"), nullptr);
  EXPECT_EQ(store.Get({"default", "a"}), nullptr);
  EXPECT_EQ(store.size(), 1u);
}

TEST(Indexer, ListsInTheOrderOfNamespaceSlashName) {
  Indexer store;
  for (const char* ns : {"b", "a", "a-b", ""}) store.Set(MakeObject("x", "1", ns));
  std::vector<std::string> keys;
  for (const ObjectKey& key : store.ListKeys()) keys.push_back(key.ToString());
  EXPECT_THAT(keys, ElementsAre("x", "a-b/x", "a/x", "b/x"));
  std::vector<std::string> visited;
  store.Visit(
      [&visited](const ObjectKey& key, const ObjectRef&) { visited.push_back(key.ToString()); });
  EXPECT_EQ(visited, keys);
}

TEST(Indexer, ReplacesItsWholeContentAndTellsWhatItFound) {  // STO-03
  Indexer store;
  store.Replace({MakeObject("kept", "1"), MakeObject("gone", "2"), MakeObject("also", "3")}, "3");
  const Indexer::Replaced replaced = store.Replace(
      {MakeObject("new", "4"), MakeObject("kept", "5"), MakeObject("kept", "6")}, "9");
  // Of a key that comes twice the later stays; both took the place of what was there before.
  EXPECT_THAT(Show(replaced.before), ElementsAre("none", "kept@1", "kept@1"));
  EXPECT_THAT(Show(replaced.gone), ElementsAre("also@3", "gone@2"));
  EXPECT_THAT(Show(store.List()), ElementsAre("kept@6", "new@4"));
  EXPECT_EQ(store.Get({"default", "gone"}), nullptr);
  EXPECT_EQ(store.resource_version(), "9");
  EXPECT_THAT(Show(store.Replace({}, "10").gone), ElementsAre("kept@6", "new@4"));
  EXPECT_THAT(store.List(), IsEmpty());
}

TEST(Indexer, ReplacesEveryIndexToo) {  // TestIndex
  Indexer store;
  ASSERT_TRUE(store.AddIndexer("namespace", IndexByNamespace).ok());
  store.Set(MakeObject("old", "1", "x"));
  store.Replace({MakeObject("b", "2", "y"), MakeObject("a", "2", "y"), MakeObject("c", "2", "z")},
                "9");
  EXPECT_THAT(*store.IndexValues("namespace"), ElementsAre("y", "z"));
  EXPECT_THAT(Show(*store.ByIndex("namespace", "y")), ElementsAre("a@2", "b@2"));
  EXPECT_THAT(Show(*store.ByIndex("namespace", "x")), IsEmpty());
  EXPECT_THAT(Show(*store.ByIndexOf("namespace", *MakeObject("any", "", "z"))), ElementsAre("c@2"));
}

TEST(Indexer, AppliesATransactionInOrderAndTellsWhatWasThere) {  // STO-05
  Indexer store;
  store.Set(MakeObject("a", "1"));
  const auto before =
      store.Transaction({{.object = MakeObject("a", "2")},
                         {.object = MakeObject("b", "3")},
                         {.kind = Indexer::Write::Kind::kDelete, .object = MakeObject("a", "4")}});
  EXPECT_THAT(Show(before), ElementsAre("a@1", "none", "a@2"));
  EXPECT_THAT(Show(store.List()), ElementsAre("b@3"));
  EXPECT_THAT(store.Transaction({}), IsEmpty());
}

TEST(Indexer, KeepsTheVersionOfTheLastWrite) {  // TestThreadSafeStoreRV, STO-06
  Indexer store;
  EXPECT_EQ(store.resource_version(), "");
  store.Set(MakeObject("1", "10"));
  EXPECT_EQ(store.resource_version(), "10");
  store.Set(MakeObject("2", "20"));
  EXPECT_EQ(store.resource_version(), "20");
  store.Set(MakeObject("3", "15"));  // no comparison
  EXPECT_EQ(store.resource_version(), "15");
  store.Delete({"default", "2"}, "30");
  EXPECT_EQ(store.resource_version(), "30");
  store.Set(MakeObject("4", ""));  // says nothing
  EXPECT_EQ(store.resource_version(), "30");
  store.Delete({"default", "4"});  // neither does this
  EXPECT_EQ(store.resource_version(), "30");
  store.Transaction({{.object = MakeObject("5", "40")},
                     {.object = MakeObject("6", "60")},
                     {.object = MakeObject("7", "50")}});
  EXPECT_EQ(store.resource_version(), "50");
  store.Transaction({{.object = MakeObject("8", "70")},
                     {.kind = Indexer::Write::Kind::kDelete,
                      .object = MakeObject("7", "75"),
                      .final_state_unknown = true}});
  EXPECT_EQ(store.resource_version(), "50");  // the last one says nothing
  store.Bookmark("80");
  EXPECT_EQ(store.resource_version(), "80");
  store.Replace({MakeObject("9", "90")}, "5");
  EXPECT_EQ(store.resource_version(), "5");
}

TEST(Indexer, TellsNoVersionWhereThatIsOff) {
  Indexer store({.tells_resource_version = false});
  store.Replace({MakeObject("a")}, "5");
  EXPECT_EQ(store.resource_version(), "");
}

TEST(Indexer, ServesReadersWhileItIsWritten) {
  Indexer store;
  ASSERT_TRUE(store.AddIndexer("namespace", IndexByNamespace).ok());
  std::thread reader([&store] {
    for (int i = 0; i < 1000; ++i) {
      EXPECT_LE(store.List().size(), 1u);
      EXPECT_TRUE(store.ByIndex("namespace", "default").ok());
    }
  });
  for (int i = 0; i < 1000; ++i) {
    store.Set(MakeObject("a", std::to_string(i)));
    store.Delete({"default", "a"}, "x");
  }
  reader.join();
}

// Against a map that is scanned for each question.
TEST(Indexer, IsAMapWithIndexesThroughRandomWrites) {
  SeededChoices choices(11);
  Indexer store;
  const auto version = [](const Object& object) {
    return std::vector<std::string>{object.resource_version()};
  };
  ASSERT_TRUE(store.AddIndexer("namespace", IndexByNamespace).ok());
  ASSERT_TRUE(store.AddIndexer("version", version).ok());
  std::map<ObjectKey, ObjectRef> model;
  const auto random_object = [&choices] {
    const std::string name = "n" + std::to_string(choices.Below(50, "name"));
    const std::string rv = std::to_string(choices.Below(20, "version"));
    return MakeObject(name, rv, "ns" + std::to_string(choices.Below(4, "namespace")));
  };
  const auto values = [&model](auto of) {
    std::map<std::string, std::vector<ObjectRef>> out;
    for (const auto& [key, object] : model) out[of(*object)].push_back(object);
    return out;
  };
  for (int round = 0; round < 3000; ++round) {
    const uint64_t what = choices.Below(40, "what");
    if (what == 0) {
      std::vector<ObjectRef> all;
      model.clear();
      for (uint64_t n = choices.Below(60, "objects"); n > 0; --n) all.push_back(random_object());
      for (const ObjectRef& object : all) model[object->key()] = object;
      store.Replace(all, "x");
    } else if (const ObjectRef object = random_object(); what < 28) {
      EXPECT_EQ(store.Set(object), model[object->key()]);
      model[object->key()] = object;
    } else {
      store.Delete(object->key());
      model.erase(object->key());
    }
    if (round % 10 != 0) continue;
    std::vector<ObjectRef> all;
    for (const auto& [key, object] : model) all.push_back(object);
    ASSERT_EQ(store.List(), all);
    const auto by_namespace = values([](const Object& object) { return object.key().ns; });
    for (const auto& [ns, objects] : by_namespace) {
      ASSERT_EQ(*store.ByIndex("namespace", ns), objects);
    }
    ASSERT_EQ(store.IndexValues("namespace")->size(), by_namespace.size());
    const auto by_version = values([](const Object& object) { return object.resource_version(); });
    for (const auto& [rv, objects] : by_version) ASSERT_EQ(*store.ByIndex("version", rv), objects);
    ASSERT_EQ(store.IndexValues("version")->size(), by_version.size());
  }
}

}  // namespace indexer_test
}  // namespace relist
