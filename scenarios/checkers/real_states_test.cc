#include "core/net/canonical_sha256.h"
#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

TEST(RealStatesTest, WhatWasCommittedMayBeShownAndADeletionCarriesItsVersion) {
  EXPECT_TRUE(Found(CheckRealStates, kGoodStart + R"(
    2 server commit rv=7 resource=configmaps key=default/b type=DELETED uid=ub
    2 client callback handler=h type=deleted key=default/b uid=ub rv=7
    3 client callback handler=h type=deleted key=default/a uid=ua rv=5 tombstone=true
  )")
                  .empty());
}

TEST(RealStatesTest, AVersionThatNeverWasIsFound) {
  const auto found =
      Found(CheckRealStates,
            kGoodStart +
                "2 client callback handler=h type=modified key=default/b uid=ub rv=9 old_rv=6\n"
                "2 client callback handler=h type=modified key=default/b uid=ua rv=5 old_rv=9\n");
  EXPECT_EQ(found.size(), 2u);
}

const std::string kThreeC2 = R"(
  2 server commit rv=7 resource=configmaps key=default/a type=MODIFIED uid=ua
  2 server commit rv=8 resource=configmaps key=default/b type=DELETED uid=ub
  2 server commit rv=9 resource=configmaps key=default/c type=ADDED uid=uc
)";
const std::string kShownA7C2 =
    "3 client callback handler=h type=modified key=default/a uid=ua rv=7 old_rv=5\n";
const std::string kShownB8C2 =
    "3 client callback handler=h type=deleted key=default/b uid=ub rv=8\n";
const std::string kShownC9C2 = "3 client callback handler=h type=added key=default/c uid=uc rv=9\n";

TEST(RealStatesTest, AtEachEventAllThatWasShownIsWhatWasThere) {
  EXPECT_TRUE(
      Found(CheckRealStates, kGoodStart + kThreeC2 + kShownA7C2 + kShownB8C2 + kShownC9C2).empty());
  const auto stale = Found(CheckRealStates, kGoodStart + kThreeC2 + kShownB8C2 + kShownC9C2);
  ASSERT_EQ(stale.size(), 1u) << "told once";
  EXPECT_NE(stale[0].find("at 8 \"h\" had version 5 of default/a where there was version 7"),
            std::string::npos)
      << stale[0];
  const auto kept = Found(CheckRealStates, kGoodStart + kThreeC2 + kShownA7C2 + kShownC9C2);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_NE(kept[0].find("at 9 \"h\" had version 6 of default/b where there was nothing"),
            std::string::npos)
      << kept[0];
}

TEST(RealStatesTest, WhileAListIsShownTheStatesMayBeOfDifferentMoments) {
  const std::string relist = "3 client relist why=list:_expired\n3 client position rv=9\n";
  EXPECT_TRUE(Found(CheckRealStates, kGoodStart + kThreeC2 + relist + kShownC9C2 + kShownA7C2 +
                                         "3 client callback handler=h type=deleted key=default/b "
                                         "uid=ub rv=6 tombstone=true\n")
                  .empty());
  const std::string later =
      "4 server commit rv=10 resource=configmaps key=default/c type=DELETED uid=uc\n"
      "5 client callback handler=h type=deleted key=default/c uid=uc rv=10\n";
  const auto lost =
      Found(CheckRealStates, kGoodStart + kThreeC2 + relist + kShownC9C2 + kShownA7C2 + later);
  ASSERT_EQ(lost.size(), 1u) << "and once it is shown, of one";
  EXPECT_NE(lost[0].find("default/b"), std::string::npos);
}

TEST(RealStatesTest, AStateThatTheScopeNeverSawIsFound) {
  const std::string elsewhere =
      "2 server commit rv=7 resource=configmaps key=other/z type=ADDED uid=uz\n"
      "3 client callback handler=h type=added key=other/z uid=uz rv=7\n";
  const auto found = Found(CheckRealStates, kGoodStart + elsewhere);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("which its scope never saw"), std::string::npos);
}

TEST(RealStatesTest, WhatTheServerNeverSentIsItsLoss) {
  const std::string sent =
      "3 server event id=2 type=DELETED key=default/b uid=ub rv=8\n"
      "3 server event id=2 type=ADDED key=default/c uid=uc rv=9\n";
  EXPECT_TRUE(
      Found(CheckRealStates, kGoodStart + kThreeC2 + sent + kShownB8C2 + kShownC9C2).empty());
}

TEST(RealStatesTest, ABodyIsToldByItsHashToo) {
  const std::string hash(64, 'f');
  const std::string start = R"(
    0 server commit rv=5 resource=configmaps key=default/a type=ADDED uid=ua object={"metadata":{"name":"a"},"data":{"x":"1"}}
    1 client request n=1 verb=LIST target=/api/v1/configmaps
    1 client callback handler=h type=added key=default/a uid=ua rv=5 sha256=)";
  const std::string good =
      CanonicalSha256(**Object::Parse(R"({"metadata":{"name":"a"},"data":{"x":"1"}})"));
  EXPECT_TRUE(Found(CheckRealStates, start + good + "\n").empty());
  const auto found = Found(CheckRealStates, start + hash + "\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("with another body"), std::string::npos);
}

TEST(RealStatesTest, WhatLeavesTheSelectorIsShownAsItWasAtTheVersionOfItsGoing) {
  const std::string start = R"(
    0 server commit rv=5 resource=configmaps key=default/a type=ADDED uid=ua object={"metadata":{"name":"a","resourceVersion":"5","labels":{"app":"web"}}}
    1 client request n=1 verb=LIST target=/api/v1/configmaps?labelSelector=app%3Dweb
    1 client callback handler=h type=added key=default/a uid=ua rv=5
    2 server commit rv=6 resource=configmaps key=default/a type=MODIFIED uid=ua object={"metadata":{"name":"a","resourceVersion":"6"}}
    2 client callback handler=h type=deleted key=default/a uid=ua rv=6 object=)";
  EXPECT_TRUE(
      Found(CheckRealStates,
            start + R"({"metadata":{"name":"a","resourceVersion":"6","labels":{"app":"web"}}})" +
                "\n")
          .empty());
  EXPECT_EQ(
      Found(CheckRealStates, start + R"({"metadata":{"name":"a","resourceVersion":"6"}})" + "\n")
          .size(),
      1u);
}

}  // namespace
}  // namespace relist
