#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

TEST(KeyOrderTest, VersionsOfAKeyMayRepeatButNotGoBack) {
  EXPECT_TRUE(
      Found(CheckKeyOrder,
            kGoodStart +
                "2 client callback handler=h type=modified key=default/b uid=ub rv=6 old_rv=6\n")
          .empty());
  const auto found =
      Found(CheckKeyOrder,
            kGoodStart +
                "2 client callback handler=h type=modified key=default/b uid=ub rv=5 old_rv=6\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("default/b at 5 after 6"), std::string::npos);
}

TEST(KeyOrderTest, OldDataThatTheServerMayServeExcusesTheClient) {
  const auto found = Found(CheckKeyOrder, kGoodStart + R"(
    2 client request n=3 verb=LIST target=/api/v1/namespaces/default/configmaps?resourceVersion=0
    2 client answer n=3 status=200 rv=5 items=1
    2 client callback handler=h type=modified key=default/b uid=ub rv=5 old_rv=6
  )");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].find("stale-served"), 0u);
}

TEST(KeyOrderTest, OfALogNobodyKnowsWhenTheOldListCame) {
  const std::string back =
      "0 client callback handler=h type=added key=default/a uid=ua rv=7\n"
      "0 client callback handler=h type=modified key=default/a uid=ua rv=5 old_rv=7\n";
  const auto own = Found(CheckKeyOrder, kGoodStart + back);
  ASSERT_EQ(own.size(), 1u);
  EXPECT_EQ(own[0].find("the versions"), 0u) << own[0];
  const auto log = Found(CheckKeyOrder, "0 client log file=l agent=client\n" + kGoodStart + back);
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(log[0].find("stale-served"), 0u) << log[0];
}

}  // namespace
}  // namespace relist
