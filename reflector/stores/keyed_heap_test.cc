#include "reflector/stores/keyed_heap.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <thread>

#include "core/choices.h"

namespace relist {
namespace keyed_heap_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Item {
  std::string name;
  int value = 0;
};
using Heap = KeyedHeap<Item>;

Heap::Options ByValue() {
  return {.key = [](const Item& item) -> Result<std::string> {
            if (item.name.empty()) return Error::Net(Transport::kOther, "no name");
            return item.name;
          },
          .less = [](const Item& a, const Item& b) { return a.value < b.value; }};
}

void Add(Heap* heap, const std::string& name, int value) {
  EXPECT_TRUE(heap->Add({name, value}).ok());
}

std::vector<int> PopAll(Heap* heap) {
  std::vector<int> out;
  while (std::optional<Item> item = heap->TryPop()) out.push_back(item->value);
  return out;
}

TEST(KeyedHeap, GivesTheFirstFirstWhoeverPutItIn) {  // TestHeapBasic
  Heap heap(ByValue());
  std::thread down([&heap] {
    for (int i = 500; i > 0; --i) Add(&heap, "a" + std::to_string(i), i);
  });
  std::thread up([&heap] {
    for (int i = 0; i < 500; ++i) Add(&heap, "b" + std::to_string(i), i + 1);
  });
  down.join();
  up.join();
  int before = 0;
  for (int i = 0; i < 1000; ++i) {
    const Result<Item> item = heap.Pop();
    ASSERT_TRUE(item.ok());
    EXPECT_LE(before, item->value);
    before = item->value;
  }
}

TEST(KeyedHeap, MovesWhatIsAddedAgain) {  // TestHeap_Add
  Heap heap(ByValue());
  Add(&heap, "foo", 10);
  Add(&heap, "bar", 1);
  Add(&heap, "baz", 11);
  Add(&heap, "zab", 30);
  Add(&heap, "foo", 13);
  EXPECT_EQ(heap.TryPop()->value, 1);
  EXPECT_EQ(heap.TryPop()->value, 11);
  EXPECT_FALSE(heap.Delete({"baz", 11}).ok());
  Add(&heap, "foo", 14);
  EXPECT_THAT(PopAll(&heap), ElementsAre(14, 30));
}

TEST(KeyedHeap, TakesManyBeforeAnybodyPops) {  // TestHeap_BulkAdd
  Heap heap(ByValue());
  std::thread writer([&heap] {
    std::vector<Item> all;
    for (int i = 500; i > 0; --i) all.push_back({"a" + std::to_string(i), i});
    EXPECT_TRUE(heap.BulkAdd(std::move(all)).ok());
  });
  for (int i = 1; i <= 500; ++i) EXPECT_EQ(heap.Pop()->value, i);
  writer.join();
}

TEST(KeyedHeap, WakesWhoWaitsWhenItIsClosed) {  // TestHeapEmptyPop, TestHeap_Close
  Heap heap(ByValue());
  EXPECT_FALSE(heap.closed());
  std::thread closer([&heap] { heap.Close(); });
  const Result<Item> item = heap.Pop();
  closer.join();
  ASSERT_FALSE(item.ok());
  EXPECT_EQ(item.error().message(), "heap is closed");
  EXPECT_TRUE(heap.closed());
}

TEST(KeyedHeap, TakesNothingOnceItIsClosed) {  // TestHeapAddAfterClose
  Heap heap(ByValue());
  Add(&heap, "before", 1);
  heap.Close();
  EXPECT_EQ(heap.Add({"test", 1}).error().message(), "heap is closed");
  EXPECT_EQ(heap.AddIfNotPresent({"test", 1}).error().message(), "heap is closed");
  EXPECT_EQ(heap.BulkAdd({{"test", 1}}).error().message(), "heap is closed");
  EXPECT_EQ(heap.Pop()->name, "before");  // what was there still comes out
}

TEST(KeyedHeap, LeavesWhatIsThereWhereThatIsAskedFor) {  // TestHeap_AddIfNotPresent
  Heap heap(ByValue());
  for (const Item& item : {Item{"foo", 10}, {"bar", 1}, {"baz", 11}, {"zab", 30}, {"foo", 13}}) {
    EXPECT_TRUE(heap.AddIfNotPresent(item).ok());
  }
  EXPECT_EQ(heap.List().size(), 4u);
  EXPECT_EQ(heap.GetByKey("foo")->value, 10);
  EXPECT_EQ(heap.TryPop()->value, 1);
  EXPECT_EQ(heap.TryPop()->value, 10);
  EXPECT_TRUE(heap.AddIfNotPresent({"bar", 14}).ok());
  EXPECT_THAT(PopAll(&heap), ElementsAre(11, 14, 30));
}

TEST(KeyedHeap, LosesWhatIsDeletedWhereverItStands) {  // TestHeap_Delete
  Heap heap(ByValue());
  Add(&heap, "foo", 10);
  Add(&heap, "bar", 1);
  Add(&heap, "bal", 31);
  Add(&heap, "baz", 11);
  EXPECT_TRUE(heap.Delete({"bar", 200}).ok());  // the head; by its key alone
  EXPECT_EQ(heap.TryPop()->value, 10);
  Add(&heap, "zab", 30);
  Add(&heap, "faz", 30);
  EXPECT_EQ(heap.Delete({"non-existent", 10}).error().message(), "object not found");
  EXPECT_EQ(heap.List().size(), 4u);
  EXPECT_TRUE(heap.Delete({"bal", 31}).ok());  // the tail
  EXPECT_TRUE(heap.Delete({"zab", 30}).ok());  // one of two equal ones
  EXPECT_THAT(PopAll(&heap), ElementsAre(11, 30));
}

TEST(KeyedHeap, MovesWhatIsUpdatedForwardAndBack) {  // TestHeap_Update
  Heap heap(ByValue());
  Add(&heap, "foo", 10);
  Add(&heap, "bar", 1);
  Add(&heap, "bal", 31);
  Add(&heap, "baz", 11);
  Add(&heap, "baz", 0);
  EXPECT_EQ(heap.TryPop()->name, "baz");
  Add(&heap, "bar", 100);
  EXPECT_EQ(heap.TryPop()->name, "foo");
}

TEST(KeyedHeap, ShowsWhatItHoldsByKey) {
  // TestHeap_Get, TestHeap_GetByKey, TestHeap_List, TestHeap_ListKeys
  Heap heap(ByValue());
  EXPECT_THAT(heap.List(), IsEmpty());
  EXPECT_THAT(heap.ListKeys(), IsEmpty());
  for (const Item& item : {Item{"foo", 10}, {"bar", 1}, {"bal", 30}, {"baz", 11}, {"faz", 30}}) {
    Add(&heap, item.name, item.value);
  }
  EXPECT_EQ(heap.Get({"baz", 0})->value, 11);
  EXPECT_FALSE(heap.Get({"non-existing", 0}).has_value());
  EXPECT_EQ(heap.GetByKey("baz")->value, 11);
  EXPECT_FALSE(heap.GetByKey("non-existing").has_value());
  EXPECT_THAT(heap.ListKeys(), ElementsAre("bal", "bar", "baz", "faz", "foo"));
  std::vector<int> values;
  for (const Item& item : heap.List()) values.push_back(item.value);
  EXPECT_THAT(values, ElementsAre(30, 1, 11, 30, 10));
}

TEST(KeyedHeap, RefusesWhatHasNoKey) {
  Heap heap(ByValue());
  EXPECT_EQ(heap.Add({"", 1}).error().message(), "no name");
  EXPECT_EQ(heap.BulkAdd({{"a", 1}, {"", 2}, {"b", 3}}).error().message(), "no name");
  EXPECT_THAT(PopAll(&heap), ElementsAre(1));  // what came before it
}

TEST(KeyedHeap, StaysAHeapThroughRandomComingAndGoing) {
  SeededChoices choices(5);
  Heap heap(ByValue());
  std::map<std::string, int> model;
  for (int round = 0; round < 5000; ++round) {
    const std::string name = "n" + std::to_string(choices.Below(60, "name"));
    const int value = static_cast<int>(choices.Below(1000, "value"));
    if (choices.Below(3, "what") > 0) {
      Add(&heap, name, value);
      model[name] = value;
    } else {
      EXPECT_EQ(heap.Delete({name, 0}).ok(), model.erase(name) > 0);
    }
  }
  std::vector<int> expected;
  for (const auto& [name, value] : model) expected.push_back(value);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(PopAll(&heap), expected);
}

}  // namespace keyed_heap_test
}  // namespace relist
