#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kEndC11 = "90 run phase name=end\n";

TEST(SyncTest, SyncedAfterTheWholeInitialListIsGood) {
  EXPECT_TRUE(Found(CheckSync, kGoodStart + kEndC11).empty());
}

TEST(SyncTest, SyncedBeforeTheListOrBeforeAnObjectWasShownIsFound) {
  std::string early = kGoodStart;
  const std::string b =
      "  1 client callback handler=h type=added key=default/b uid=ub rv=6 initial=true\n";
  early.erase(early.find(b), b.size());
  const auto found = Found(CheckSync, early + b + kEndC11);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("before it was shown default/b"), std::string::npos);

  std::string first = kGoodStart;
  const std::string synced = "  1 client synced\n";
  first.erase(first.find(synced), synced.size());
  first.insert(first.find("  1 client relist"), synced);
  EXPECT_EQ(Found(CheckSync, first + kEndC11).size(), 1u);
}

TEST(SyncTest, NeverSyncedAtTheEndIsFound) {
  EXPECT_EQ(Found(CheckSync, "1 client request n=1 verb=LIST target=/api/v1/configmaps\n" + kEndC11)
                .size(),
            1u);
}

TEST(SyncTest, ALogSaysSyncedBehindAllThatItsFirstListHeldAndSoon) {
  const std::string log = "0 client log file=l agent=client\n";
  EXPECT_TRUE(Found(CheckSync, log + kGoodStart).empty());
  std::string early = kGoodStart;
  const std::string line =
      "  1 client callback handler=h type=added key=default/b uid=ub rv=6 initial=true\n";
  early.erase(early.find(line), line.size());
  EXPECT_EQ(Found(CheckSync, log + early).size(), 1u);
  EXPECT_TRUE(Found(CheckSync, log + early +
                                   "2 server commit rv=7 resource=configmaps key=default/b "
                                   "type=DELETED uid=ub\n2 client relist why=list\n"
                                   "2 client position rv=7\n")
                  .empty())
      << "a later list may have come first";
  std::string never = kGoodStart;
  for (const char* synced : {"  1 client synced\n", "  1 client synced handler=h\n"})
    never.erase(never.find(synced), std::string(synced).size());
  EXPECT_TRUE(Found(CheckSync, log + never + "5 client error message=x\n").empty());
  EXPECT_EQ(Found(CheckSync, log + never + "50 client error message=x\n").size(), 1u);
}

TEST(SyncTest, AClientThatIsStoppedOwesNothingAndTheNextOfItsNameOwesAll) {
  const std::string asked = "1 client request n=1 verb=LIST target=/api/v1/configmaps\n";
  const std::string stopped = "2 client stopped\n";
  EXPECT_TRUE(Found(CheckSync, asked + stopped + kEndC11).empty());
  EXPECT_EQ(
      Found(CheckSync, kGoodStart + stopped + "3 client started\n3" + asked.substr(1) + kEndC11)
          .size(),
      1u);
}

}  // namespace
}  // namespace relist
