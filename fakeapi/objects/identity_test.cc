#include "fakeapi/objects/identity.h"

#include <gtest/gtest.h>

#include <set>

namespace relist::fakeapi {
namespace identity_test {

TEST(Identity, UidsAreVersion4AndUniqueEvenWithoutChance) {
  BoringChoices choices;
  std::set<std::string> uids;
  for (uint64_t revision = 0; revision < 1000; ++revision) {
    const std::string uid = MakeUid(revision, choices);
    EXPECT_EQ(uid.size(), 36u);
    EXPECT_EQ(uid[14], '4');
    uids.insert(uid);
  }
  EXPECT_EQ(uids.size(), 1000u);
}

TEST(Identity, SuffixesDifferFromAttemptToAttempt) {
  BoringChoices choices;
  const std::string first = NameSuffix(7, 0, choices);
  EXPECT_EQ(first.size(), 5u);
  EXPECT_NE(first, NameSuffix(7, 1, choices));
}

}  // namespace identity_test
}  // namespace relist::fakeapi
