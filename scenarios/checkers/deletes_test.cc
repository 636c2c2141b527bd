#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kEndC5 = "90 run phase name=end\n";

TEST(DeletesTest, ADeleteThatWasNeverToldIsFound) {
  const std::string gone =
      "2 server commit rv=7 resource=configmaps key=default/b type=DELETED uid=ub\n";
  const auto found = Found(CheckDeletes, kGoodStart + gone + kEndC5);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("never told that default/b went"), std::string::npos);
  EXPECT_TRUE(Found(CheckDeletes, kGoodStart + gone +
                                      "3 client callback handler=h type=deleted key=default/b "
                                      "uid=ub rv=6 tombstone=true\n" +
                                      kEndC5)
                  .empty());
}

TEST(DeletesTest, ANewUidAsAnUpdateNeedsARelist) {
  const std::string again = R"(
    2 server commit rv=7 resource=configmaps key=default/b type=DELETED uid=ub
    2 server commit rv=8 resource=configmaps key=default/b type=ADDED uid=ub2
  )";
  const std::string shown =
      "9 client callback handler=h type=modified key=default/b uid=ub2 rv=8 old_rv=6\n";
  EXPECT_EQ(Found(CheckDeletes, kGoodStart + again + shown + kEndC5).size(), 1u);
  EXPECT_TRUE(
      Found(CheckDeletes,
            kGoodStart + again + "8 client relist why=x\n8 client position rv=8\n" + shown + kEndC5)
          .empty());
}

const std::string kLogC5 = R"(
  0 client log file=l agent=client
  1 client callback handler=h type=added key=default/a uid=ua rv=5
  1 client callback handler=h type=added key=default/b uid=ub rv=6
  5 client dump items=1
  5 client store key=default/b uid=ub rv=6
)";

TEST(DeletesTest, ALogIsHeldAgainstItsOwnStore) {
  const auto found = Found(CheckDeletes, kLogC5 + "30 client error message=x\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("store had no default/a"), std::string::npos);
  EXPECT_TRUE(Found(CheckDeletes, kLogC5 + "6 client error message=x\n").empty())
      << "a handler may be behind the store";
  EXPECT_TRUE(
      Found(CheckDeletes, kLogC5 + "6 client callback handler=h type=deleted key=default/a uid=ua "
                                   "rv=7\n30 client error message=x\n")
          .empty());
}

TEST(DeletesTest, OfALogWithoutAServerAnotherUidMayBeARelists) {
  EXPECT_TRUE(Found(CheckDeletes, "0 client log file=l agent=\n" +
                                      std::string("1 client callback handler=h type=added "
                                                  "key=default/a uid=ua rv=5\n"
                                                  "2 client callback handler=h type=modified "
                                                  "key=default/a uid=ux rv=9\n"))
                  .empty());
}

TEST(DeletesTest, OfALogADeletionIsMissedOnceSomethingNewerIsTold) {
  const std::string log =
      "0 client log file=l agent=client\n" + kGoodStart +
      "2 server commit rv=7 resource=configmaps key=default/b type=DELETED uid=ub\n"
      "2 server commit rv=8 resource=configmaps key=default/a type=MODIFIED uid=ua\n";
  EXPECT_TRUE(Found(CheckDeletes, log).empty()) << "it may yet be told";
  EXPECT_EQ(Found(CheckDeletes, log + "3 client callback handler=h type=modified key=default/a "
                                      "uid=ua rv=8 old_rv=5\n")
                .size(),
            1u);
}

TEST(DeletesTest, AClientThatWasStoppedIsToldNothingMore) {
  const std::string gone =
      "3 server commit rv=7 resource=configmaps key=default/b type=DELETED uid=ub\n";
  EXPECT_TRUE(Found(CheckDeletes, kGoodStart + "2 client stopped\n" + gone + kEndC5).empty());
}

}  // namespace
}  // namespace relist
