#include "reflector/stores/key_order.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>

#include "core/choices.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace key_order_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;

// Entries 0 to n - 1, in key order.
std::deque<StoreEntry> Entries(int n) {
  std::deque<StoreEntry> out;
  for (int i = 0; i < n; ++i) out.emplace_back().object = MakeObject(std::to_string(100000 + i));
  return out;
}

std::vector<std::string> Names(const KeyOrder& order) {
  std::vector<std::string> out;
  order.ForEach([&out](const StoreEntry& entry) { out.push_back(entry.key().name); });
  return out;
}

bool InOrder(const KeyOrder& order) {
  const std::vector<std::string> names = Names(order);
  return names.size() == order.size() && std::is_sorted(names.begin(), names.end());
}

TEST(KeyOrder, TakesEachEntryOnceWhateverTheOrder) {
  for (int step : {1, 7919, 9999}) {
    std::deque<StoreEntry> entries = Entries(10000);
    KeyOrder order;
    for (int i = 0; i < 10000; ++i) EXPECT_TRUE(order.Insert(&entries[i * step % 10000]));
    for (int i = 0; i < 10000; i += 100) EXPECT_FALSE(order.Insert(&entries[i]));
    EXPECT_EQ(order.size(), 10000u);
    EXPECT_TRUE(InOrder(order));
  }
}

TEST(KeyOrder, LosesWhatIsErased) {
  std::deque<StoreEntry> entries = Entries(1000);
  KeyOrder order;
  EXPECT_FALSE(order.Erase(&entries[0]));
  for (StoreEntry& entry : entries) order.Insert(&entry);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(order.Erase(&entries[i * 7 % 1000]));
  EXPECT_FALSE(order.Erase(&entries[500]));
  EXPECT_TRUE(order.empty());
  EXPECT_THAT(Names(order), IsEmpty());
}

TEST(KeyOrder, IsAssignedWhole) {
  std::deque<StoreEntry> entries = Entries(1000);
  KeyOrder order;
  order.Insert(&entries[999]);
  std::vector<StoreEntry*> even;
  for (size_t i = 0; i < entries.size(); i += 2) even.push_back(&entries[i]);
  order.Assign(even);
  EXPECT_EQ(order.size(), 500u);
  EXPECT_TRUE(InOrder(order));
  for (size_t i = 1; i < entries.size(); i += 2) EXPECT_TRUE(order.Insert(&entries[i]));
  EXPECT_EQ(order.size(), 1000u);
  EXPECT_TRUE(InOrder(order));
  order.Assign({&entries[3], &entries[4]});
  EXPECT_THAT(Names(order), ElementsAre("100003", "100004"));
  order.Clear();
  EXPECT_TRUE(order.empty());
}

TEST(KeyOrder, KeepsItsOrderThroughRandomComingAndGoing) {
  SeededChoices choices(7);
  std::deque<StoreEntry> entries = Entries(2000);
  std::vector<bool> in(entries.size());
  KeyOrder order;
  for (int round = 0; round < 20000; ++round) {
    // Phases in which more come than go, and the reverse.
    const bool coming = choices.Below(10, "coming") < (round / 5000 % 2 == 0 ? 8u : 2u);
    const size_t i = choices.Below(static_cast<uint32_t>(entries.size()), "entry");
    EXPECT_EQ(coming ? order.Insert(&entries[i]) : order.Erase(&entries[i]), in[i] != coming);
    in[i] = coming;
  }
  EXPECT_EQ(order.size(), static_cast<size_t>(std::count(in.begin(), in.end(), true)));
  EXPECT_TRUE(InOrder(order));
}

}  // namespace key_order_test
}  // namespace relist
