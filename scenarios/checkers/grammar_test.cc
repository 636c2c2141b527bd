#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

TEST(GrammarTest, AddModifyDeleteAddIsGood) {
  EXPECT_TRUE(Found(CheckGrammar, kGoodStart + R"(
    2 client callback handler=h type=modified key=default/b uid=ub rv=7 old_rv=6
    2 client callback handler=h type=deleted key=default/b uid=ub rv=8
    2 client callback handler=h type=added key=default/b uid=ub2 rv=9
  )")
                  .empty());
}

TEST(GrammarTest, TwoDeletesTwoAddsAndAnUpdateOfNothingAreFound) {
  EXPECT_EQ(Found(CheckGrammar, kGoodStart + R"(
    2 client callback handler=h type=deleted key=default/b uid=ub rv=8
    2 client callback handler=h type=deleted key=default/b uid=ub rv=8
  )")
                .size(),
            1u);
  EXPECT_EQ(Found(CheckGrammar,
                  kGoodStart + "2 client callback handler=h type=added key=default/b uid=ub rv=6\n")
                .size(),
            1u);
  EXPECT_EQ(
      Found(CheckGrammar,
            kGoodStart + "2 client callback handler=h type=modified key=default/z uid=uz rv=6\n")
          .size(),
      1u);
}

TEST(GrammarTest, AnUpdatesOldObjectIsTheLastOneShown) {
  const auto found =
      Found(CheckGrammar,
            kGoodStart +
                "2 client callback handler=h type=modified key=default/b uid=ub rv=9 old_rv=5\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("was at 5"), std::string::npos);
}

TEST(GrammarTest, HandlersAreJudgedEachForItself) {
  EXPECT_TRUE(
      Found(
          CheckGrammar,
          kGoodStart +
              "2 client callback handler=late type=added key=default/b uid=ub rv=6 initial=true\n")
          .empty());
}

TEST(GrammarTest, AClientThatIsStartedAgainKnowsNothing) {
  const std::string added =
      "4 client callback handler=h type=added key=default/b uid=ub rv=6 initial=true\n";
  EXPECT_TRUE(
      Found(CheckGrammar, kGoodStart + "2 client stopped\n3 client started\n" + added).empty());
  EXPECT_EQ(Found(CheckGrammar, kGoodStart + added).size(), 1u);
}

}  // namespace
}  // namespace relist
