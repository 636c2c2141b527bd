#include "reflector/stores/object_table.h"

#include <gmock/gmock.h>

#include <map>

#include "core/choices.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace object_table_test {

using ::testing::ElementsAre;
using testing::MakeObject;
using testing::Show;

std::vector<std::string> Listed(const ObjectTable& table) {
  std::vector<std::string> out;
  table.order().ForEach([&out](const StoreEntry& entry) { out.push_back(Show(entry.object)); });
  return out;
}

TEST(ObjectTable, FindsWhatIsInIt) {
  ObjectTable table;
  EXPECT_EQ(table.Find({"default", "a"}), nullptr);
  const ObjectRef a = MakeObject("a");
  StoreEntry* entry = table.Add(a->key(), a);
  EXPECT_EQ(table.Find({"default", "a"}), entry);
  EXPECT_EQ(table.Find({"default", "b"}), nullptr);
  EXPECT_EQ(table.Find({"", "a"}), nullptr);
  EXPECT_EQ(table.Exchange(entry, a->key(), MakeObject("a", "2")), a);
  EXPECT_EQ(Show(table.Find({"default", "a"})->object), "a@2");
  EXPECT_EQ(Show(table.Erase(entry)), "a@2");
  EXPECT_EQ(table.Find({"default", "a"}), nullptr);
  EXPECT_EQ(table.size(), 0u);
}

TEST(ObjectTable, TakesKeysThatAreNotTheObjectsOwn) {
  ObjectTable table;
  StoreEntry* entry = table.Add({"", "uid-1"}, MakeObject("a"));
  EXPECT_EQ(table.Find({"", "uid-1"}), entry);
  EXPECT_EQ(table.Find({"default", "a"}), nullptr);
  // An object whose own key is the key, then one whose own key is not.
  const ObjectRef own = MakeObject("uid-2", "1", "");
  entry = table.Add({"", "uid-2"}, own);
  table.Exchange(entry, {"", "uid-2"}, MakeObject("b", "2"));
  EXPECT_EQ(table.Find({"", "uid-2"}), entry);
  EXPECT_EQ(Show(table.Erase(entry)), "b@2");
  entry = table.Add({"default", "c"}, MakeObject("c"));  // in the place of the one before
  EXPECT_EQ(entry->key().name, "c");
}

TEST(ObjectTable, KeepsWhatIsMarkedAndTellsTheRest) {
  ObjectTable table;
  for (const char* name : {"a", "b", "c", "d"}) table.Add({"default", name}, MakeObject(name));
  StoreEntry* c = table.Find({"default", "c"});
  StoreEntry* a = table.Find({"default", "a"});
  StoreEntry* bb = table.AddUnordered({"default", "bb"}, MakeObject("bb"));
  for (StoreEntry* entry : {a, bb, c}) entry->mark = 1;
  EXPECT_THAT(Show(table.KeepMarked({c, a, bb})), ElementsAre("b@1", "d@1"));
  EXPECT_THAT(Listed(table), ElementsAre("a@1", "bb@1", "c@1"));
  EXPECT_EQ(table.Find({"default", "d"}), nullptr);
  EXPECT_EQ(table.Find({"default", "bb"}), bb);
  EXPECT_EQ(bb->mark, 0u);
}

TEST(ObjectTable, GivesMemoryBackWhereLittleIsLeft) {
  ObjectTable table;
  for (int i = 0; i < 5000; ++i) {
    table.Add({"", std::to_string(i)}, MakeObject("own " + std::to_string(i)));
  }
  std::vector<StoreEntry*> few;
  for (const char* name : {"4711", "17", "8"}) few.push_back(table.Find({"", name}));
  for (StoreEntry* entry : few) entry->mark = 1;
  EXPECT_EQ(table.KeepMarked(few).size(), 4997u);
  EXPECT_THAT(Listed(table), ElementsAre("own 17@1", "own 4711@1", "own 8@1"));
  StoreEntry* entry = table.Find({"", "17"});
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(table.Find({"", "18"}), nullptr);
  EXPECT_EQ(Show(table.Erase(entry)), "own 17@1");
  for (int i = 0; i < 100; ++i) table.Add({"", "new " + std::to_string(i)}, MakeObject("x"));
  EXPECT_EQ(table.size(), 102u);
}

TEST(ObjectTable, IsAMapThroughRandomComingAndGoing) {
  SeededChoices choices(3);
  ObjectTable table;
  std::map<ObjectKey, std::string> model;
  for (int round = 0; round < 30000; ++round) {
    const bool coming = choices.Below(10, "coming") < (round / 7500 % 2 == 0 ? 7u : 3u);
    const ObjectRef object =
        MakeObject("n" + std::to_string(choices.Below(700, "name")), std::to_string(round),
                   "ns" + std::to_string(choices.Below(3, "namespace")));
    StoreEntry* entry = table.Find(object->key());
    ASSERT_EQ(entry != nullptr, model.contains(object->key()));
    if (coming) {
      if (entry) {
        table.Exchange(entry, object->key(), object);
      } else {
        table.Add(object->key(), object);
      }
      model[object->key()] = object->resource_version();
    } else if (entry) {
      table.Erase(entry);
      model.erase(object->key());
    }
    ASSERT_EQ(table.size(), model.size());
  }
  std::vector<std::string> expected;
  for (const auto& [key, version] : model) expected.push_back(key.name + "@" + version);
  EXPECT_EQ(Listed(table), expected);
}

}  // namespace object_table_test
}  // namespace relist
