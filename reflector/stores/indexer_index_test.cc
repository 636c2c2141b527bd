#include <gmock/gmock.h>

#include "reflector/stores/indexer.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace indexer_index_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::Show;

// What stands in an object's uid, cut at commas: "ernie,bert".
std::vector<std::string> Users(const Object& object) {
  std::vector<std::string> out;
  std::string rest(object.uid());
  for (size_t comma; (comma = rest.find(',')) != std::string::npos; rest.erase(0, comma + 1)) {
    out.push_back(rest.substr(0, comma));
  }
  out.push_back(rest);
  return out;
}

ObjectRef Used(const std::string& name, const std::string& users) {
  return MakeObject(name, "1", "default", users);
}

std::vector<std::string> KeysOf(const Indexer& store, const std::string& user) {
  std::vector<std::string> out;
  const Result<std::vector<ObjectKey>> keys = store.IndexKeys("user", user);
  for (const ObjectKey& key : *keys) out.push_back(key.name);
  return out;
}

// TestThreadSafeStoreIndexingFunctionsWithMultipleValues
TEST(Index, FollowsAnObjectThroughAllItsValues) {
  Indexer store;
  ASSERT_TRUE(store.AddIndexer("user", Users).ok());
  store.Set(Used("key1", "foo"));
  store.Set(Used("key2", "bar"));
  EXPECT_THAT(KeysOf(store, "foo"), ElementsAre("key1"));
  EXPECT_THAT(KeysOf(store, "bar"), ElementsAre("key2"));
  store.Set(Used("key2", "foo,bar"));
  EXPECT_THAT(KeysOf(store, "foo"), ElementsAre("key1", "key2"));
  EXPECT_THAT(KeysOf(store, "bar"), ElementsAre("key2"));
  store.Set(Used("key1", "foo,bar,foo"));  // twice is once
  store.Set(Used("key3", "foo,bar,baz"));
  EXPECT_THAT(KeysOf(store, "foo"), ElementsAre("key1", "key2", "key3"));
  EXPECT_THAT(KeysOf(store, "bar"), ElementsAre("key1", "key2", "key3"));
  EXPECT_THAT(KeysOf(store, "baz"), ElementsAre("key3"));
  store.Set(Used("key1", "foo"));
  store.Set(Used("key2", "bar"));
  EXPECT_THAT(KeysOf(store, "foo"), ElementsAre("key1", "key3"));
  EXPECT_THAT(KeysOf(store, "bar"), ElementsAre("key2", "key3"));
  store.Delete({"default", "key1"});
  store.Delete({"default", "key3"});
  EXPECT_THAT(KeysOf(store, "foo"), IsEmpty());
  EXPECT_THAT(KeysOf(store, "bar"), ElementsAre("key2"));
  EXPECT_THAT(*store.IndexValues("user"), ElementsAre("bar"));
}

TEST(Index, FindsObjectsByOneOfSeveralValues) {  // TestMultiIndexKeys, TestGetIndexFuncValues
  Indexer store;
  ASSERT_TRUE(store.AddIndexer("user", Users).ok());
  store.Set(Used("one", "ernie,bert"));
  store.Set(Used("two", "bert,oscar"));
  store.Set(Used("tre", "ernie,elmo"));
  EXPECT_THAT(*store.IndexValues("user"), ElementsAre("bert", "elmo", "ernie", "oscar"));
  EXPECT_THAT(Show(*store.ByIndex("user", "ernie")), ElementsAre("one@1", "tre@1"));
  EXPECT_THAT(Show(*store.ByIndex("user", "bert")), ElementsAre("one@1", "two@1"));
  EXPECT_THAT(*store.ByIndex("user", "elmo1"), IsEmpty());
  // What shares a value with an object that is not stored itself, each once.
  EXPECT_THAT(Show(*store.ByIndexOf("user", *Used("x", "oscar,bert"))),
              ElementsAre("one@1", "two@1"));
  EXPECT_THAT(*store.ValuesFor("user", *Used("x", "b,a,b")), ElementsAre("a", "b"));
  store.Delete({"default", "tre"});
  EXPECT_THAT(Show(*store.ByIndex("user", "ernie")), ElementsAre("one@1"));
  EXPECT_THAT(*store.ByIndex("user", "elmo"), IsEmpty());
  store.Set(Used("two", "oscar"));
  EXPECT_THAT(Show(*store.ByIndex("user", "bert")), ElementsAre("one@1"));
}

TEST(Index, KeepsNoValueThatNoObjectHas) {
  // TestThreadSafeStoreDeleteRemovesEmptySetsFromIndex,
  // TestThreadSafeStoreAddKeepsNonEmptySetPostDeleteFromIndex
  Indexer store;
  ASSERT_TRUE(store.AddIndexer("user", Users).ok());
  store.Set(Used("retain", "x"));
  store.Set(Used("delete", "x"));
  store.Set(Used("alone", "y"));
  store.Delete({"default", "delete"});
  store.Delete({"default", "alone"});
  EXPECT_THAT(*store.IndexValues("user"), ElementsAre("x"));
  EXPECT_THAT(KeysOf(store, "x"), ElementsAre("retain"));
}

TEST(Index, IsFilledFromWhatIsThere) {  // STO-04
  Indexer store;
  store.Replace({Used("a", "x"), Used("b", "x,y")}, "2");
  ASSERT_TRUE(store.AddIndexers({{"user", Users}, {"namespace", IndexByNamespace}}).ok());
  EXPECT_THAT(Show(*store.ByIndex("user", "x")), ElementsAre("a@1", "b@1"));
  EXPECT_THAT(Show(*store.ByIndex("namespace", "default")), ElementsAre("a@1", "b@1"));
  EXPECT_THAT(store.IndexNames(), ElementsAre("namespace", "user"));
}

TEST(Index, HasANameOfItsOwnOrNothingIsAdded) {
  Indexer store;
  ASSERT_TRUE(store.AddIndexer("namespace", IndexByNamespace).ok());
  EXPECT_EQ(store.AddIndexer("namespace", IndexByNamespace).error().message(),
            "indexer conflict: namespace");
  EXPECT_FALSE(store.AddIndexers({{"a", Users}, {"namespace", Users}}).ok());
  EXPECT_THAT(store.IndexNames(), ElementsAre("namespace"));
  EXPECT_EQ(store.ByIndex("other", "x").error().message(), "Index with name other does not exist");
  EXPECT_FALSE(store.IndexKeys("other", "x").ok());
  EXPECT_FALSE(store.IndexValues("other").ok());
  EXPECT_FALSE(store.ByIndexOf("other", *MakeObject("a")).ok());
  EXPECT_FALSE(store.ValuesFor("other", *MakeObject("a")).ok());
}

TEST(Index, FunctionThatFailsIsABugAndChangesNothing) {
  Indexer store;
  const auto fails = [](const Object& object) -> std::vector<std::string> {
    if (object.uid() == "bad") throw std::runtime_error("no good");
    return {std::string(object.uid())};
  };
  ASSERT_TRUE(store.AddIndexer("user", fails).ok());
  store.Set(Used("a", "x"));
  try {
    store.Set(Used("a", "bad"));
    FAIL();
  } catch (const CheckFailed& failed) {
    EXPECT_THAT(failed.what(), ::testing::HasSubstr("unable to calculate an index entry for key "
                                                    "default/a on index user: no good"));
  }
  EXPECT_THAT(KeysOf(store, "x"), ElementsAre("a"));
  store.Set(Used("a", "y"));
  EXPECT_THAT(KeysOf(store, "y"), ElementsAre("a"));
}

TEST(Index, FunctionThatGivesOtherValuesForTheSameObjectIsABug) {
  Indexer store;
  std::string value = "x";
  const auto moody = [&value](const Object&) { return std::vector<std::string>{value}; };
  ASSERT_TRUE(store.AddIndexer("mood", moody).ok());
  store.Set(MakeObject("a"));
  value = "y";
  EXPECT_THROW(store.Delete({"default", "a"}), CheckFailed);
}

}  // namespace indexer_index_test
}  // namespace relist
