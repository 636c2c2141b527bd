#include "reflector/queues/key_set.h"

#include <gmock/gmock.h>

#include <deque>
#include <string>

namespace relist {
namespace key_set_test {

TEST(KeySet, KnowsWhatWasPutInSinceItWasCleared) {
  std::deque<ObjectKey> keys;
  for (int i = 0; i < 3000; ++i) keys.push_back({"ns", "name-" + std::to_string(i)});
  KeySet set;
  for (int round = 0; round < 3; ++round) {
    const size_t begin = round * 500, end = begin + (round == 1 ? 10 : 2000);
    for (size_t i = begin; i < end; ++i) EXPECT_TRUE(set.Insert(keys[i])) << i;
    for (size_t i = begin; i < end; ++i) EXPECT_FALSE(set.Insert(keys[i])) << i;
    const ObjectKey same = keys[begin];
    EXPECT_FALSE(set.Insert(same));
    set.Clear();
  }
}

}  // namespace key_set_test
}  // namespace relist
