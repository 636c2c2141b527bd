#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kStoreC1 = R"(
  90 client dump items=2
  90 client store key=default/a rv=5 uid=ua object={"metadata":{"name":"a","namespace":"default"}}
  90 client store key=default/b rv=6 uid=ub
  90 run phase name=end
)";

TEST(ConvergenceTest, AStoreThatIsTheTruthIsGood) {
  EXPECT_TRUE(Found(CheckConvergence, kGoodStart + kStoreC1).empty());
}

TEST(ConvergenceTest, AMissingAnExtraAndAnOldObjectAreEachToldWithTheirName) {
  const auto lacking = Found(CheckConvergence, kGoodStart + R"(
    2 server commit rv=7 resource=configmaps key=default/c type=ADDED uid=uc
  )" + kStoreC1);
  ASSERT_EQ(lacking.size(), 1u);
  EXPECT_NE(lacking[0].find("lacks default/c"), std::string::npos);

  const auto extra = Found(CheckConvergence, kGoodStart + R"(
    2 server commit rv=7 resource=configmaps key=default/b type=DELETED uid=ub
  )" + kStoreC1);
  ASSERT_EQ(extra.size(), 1u);
  EXPECT_NE(extra[0].find("holds default/b, which is gone"), std::string::npos);

  const auto old = Found(CheckConvergence, kGoodStart + R"(
    2 server commit rv=7 resource=configmaps key=default/b type=MODIFIED uid=ub
  )" + kStoreC1);
  ASSERT_EQ(old.size(), 1u);
  EXPECT_NE(old[0].find("holds default/b at 6, which is at 7"), std::string::npos);
}

TEST(ConvergenceTest, AClientThatNeverHeardOfItsMarkIsTold) {
  const std::string mark = "80 run mark client=client rv=9\n";
  const auto found = Found(CheckConvergence, kGoodStart + mark + kStoreC1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("never heard of 9"), std::string::npos);
  const std::string heard = "81 client position rv=9\n";
  EXPECT_TRUE(Found(CheckConvergence, kGoodStart + mark + heard + kStoreC1).empty());
  const std::string other = "80 run mark client=other rv=9\n";
  EXPECT_TRUE(Found(CheckConvergence, kGoodStart + other + kStoreC1).empty());
}

TEST(ConvergenceTest, ADumpOfAnEmptyStoreIsJudged) {
  const auto found =
      Found(CheckConvergence, kGoodStart + "90 client dump items=0\n90 run phase name=end\n");
  EXPECT_EQ(found.size(), 2u);
}

TEST(ConvergenceTest, ObjectsOutsideTheScopeDoNotMatter) {
  EXPECT_TRUE(Found(CheckConvergence, kGoodStart + R"(
    2 server commit rv=7 resource=configmaps key=other/c type=ADDED uid=uc
    2 server commit rv=8 resource=secrets key=default/c type=ADDED uid=ud
  )" + kStoreC1)
                  .empty());
}

TEST(ConvergenceTest, ABodyThatDiffersIsFoundThoughTheVersionIsRight) {
  const std::string commit =
      R"(0 server commit rv=5 resource=configmaps key=default/a type=ADDED uid=ua object={"metadata":{"name":"a"},"data":{"x":"1"}})";
  const std::string rest = R"(
  1 client request n=1 verb=LIST target=/api/v1/namespaces/default/configmaps?resourceVersion=0
  90 client dump items=1
  90 client store key=default/a rv=5 uid=ua object={"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"x":"VALUE"}}
  90 run phase name=end
)";
  const auto with = [&rest](const std::string& value) {
    std::string text = rest;
    return text.replace(text.find("VALUE"), 5, value);
  };
  EXPECT_TRUE(Found(CheckConvergence, commit + with("1")).empty())
      << "kind and apiVersion are no difference";
  const auto found = Found(CheckConvergence, commit + with("2"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("another body"), std::string::npos);
}

TEST(ConvergenceTest, TooManyRequestsAfterTheLastFaultAreTold) {
  std::string text = kGoodStart + "2 server fault id=2 point=open verdict=cut\n";
  for (int i = 3; i < 50; ++i) text += WatchFrom(i, 6, i);
  const auto found = Found(CheckConvergence, text);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("within 40 requests"), std::string::npos);
}

const std::string kLogC1 = "0 client log file=l agent=client\n";
const std::string kWriteC1 =
    "20 server commit rv=7 resource=configmaps key=default/a type=MODIFIED uid=ua\n";
std::string DumpC1(int at) {
  const std::string t = std::to_string(at);
  return t + " client dump items=2\n" + t + " client store key=default/a rv=5 uid=ua\n" + t +
         " client store key=default/b rv=6 uid=ub\n";
}

TEST(ConvergenceTest, TheStoreThatAProgramPrintsHasWhatWasWrittenAWhileBefore) {
  EXPECT_TRUE(Found(CheckConvergence, kLogC1 + kGoodStart + kWriteC1 + DumpC1(25)).empty())
      << "it may be under way";
  const auto found = Found(CheckConvergence, kLogC1 + kGoodStart + kWriteC1 + DumpC1(40));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("holds default/a at 5, after which came MODIFIED at 7"),
            std::string::npos)
      << found[0];
  EXPECT_TRUE(Found(CheckConvergence, kLogC1 + kGoodStart + kWriteC1 +
                                          "30 server fault id=2 point=event verdict=stall\n" +
                                          DumpC1(50))
                  .empty())
      << "a fault may keep it from the client for minutes";
  const History faulty = HistoryOf(kLogC1 + kGoodStart + kWriteC1 +
                                   "30 server fault id=2 point=event verdict=stall\n" + DumpC1(50));
  EXPECT_EQ(CheckConvergence(HistoryView(faulty), {.recovery = Seconds(20)}).size(), 1u)
      << "unless it is known to be back sooner";
  EXPECT_EQ(CheckConvergence(HistoryView(faulty), {.recovery = Seconds(21)}).size(), 0u);
  EXPECT_EQ(Found(CheckConvergence, "0 server history version=1 rate=60\n" + kLogC1 + kGoodStart +
                                        kWriteC1 + DumpC1(40))
                .size(),
            0u)
      << "of whose clock a third of a second has passed";
}

TEST(ConvergenceTest, AProgramsStoreHoldsNothingThatNeverWas) {
  std::string dump = DumpC1(25);
  dump.replace(dump.find("rv=6"), 4, "rv=9");
  const auto found = Found(CheckConvergence, kLogC1 + kGoodStart + dump);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("holds default/b at 9, which never was"), std::string::npos);
}

TEST(ConvergenceTest, TheTailOfALogIsToldSoon) {
  const std::string sent = kLogC1 + kGoodStart + kWriteC1 +
                           "20 server event id=2 type=MODIFIED key=default/a uid=ua rv=7\n";
  EXPECT_TRUE(Found(CheckConvergence, sent + "25 server end id=2 how=client\n").empty());
  const auto found = Found(CheckConvergence, sent + "40 server end id=2 how=client\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("never told of MODIFIED default/a at 7"), std::string::npos);
  EXPECT_TRUE(
      Found(CheckConvergence, sent + "40 server end id=2 how=client\n21 client callback handler=h "
                                     "type=modified key=default/a uid=ua rv=7\n")
          .empty());
}

TEST(ConvergenceTest, AClientThatIsStoppedBehindTheEndIsJudgedByIt) {
  const std::string lacking = kGoodStart +
                              "80 client dump items=1\n"
                              "80 client store key=default/a rv=5 uid=ua\n";
  const std::string end = "90 run phase name=end\n",
                    stopped = "91 client stop\n92 client stopped\n";
  EXPECT_EQ(Found(CheckConvergence, lacking + end + stopped).size(), 1u);
  EXPECT_TRUE(Found(CheckConvergence, lacking + "85 client stopped\n" + end).empty());
}

TEST(ConvergenceTest, BehindAResetNothingIsThere) {
  EXPECT_TRUE(Found(CheckConvergence, kGoodStart +
                                          "40 server control action=reset rv=7\n"
                                          "80 client dump items=0\n90 run phase name=end\n")
                  .empty());
}

TEST(ConvergenceTest, OfAClientsLivesTheLastIsJudged) {
  const std::string mark = "80 run mark client=client rv=9\n";
  const std::string stopped = "70 client stopped\n", end = "90 run phase name=end\n";
  EXPECT_TRUE(Found(CheckConvergence, kGoodStart + stopped + mark + end).empty());
  EXPECT_EQ(Found(CheckConvergence,
                  kGoodStart + stopped + "71 client started\n" + WatchFrom(3, 6, 72) + mark + end)
                .size(),
            1u);
}

}  // namespace
}  // namespace relist
