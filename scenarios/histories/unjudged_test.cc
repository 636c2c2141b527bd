#include "scenarios/histories/unjudged.h"

#include <gmock/gmock.h>

#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

std::string UnjudgedOf(const std::string& text, bool compared = true) {
  const History history = HistoryOf(text);
  const HistoryView view(history);
  std::string all;
  for (const std::string& line : Unjudged(view, compared, {})) all += line + "\n";
  return all;
}

TEST(UnjudgedTest, WhatIsNotThereIsTold) {
  EXPECT_EQ(UnjudgedOf("1 client synced\n"),
            "C1, C2, C4, C7, C8, C9, C11, C12, C15-C18, C20, W1-W20: there is no server's history\n"
            "C1 of stores: no log has a `store`\n"
            "C19: no log has a `stop` or a `stopped`\n");
  EXPECT_EQ(UnjudgedOf("0 server history version=1\n"),
            "C1, C2, C7: the server's history tells of no write\n"
            "C1-C20: there is no client's log\n");
  EXPECT_EQ(UnjudgedOf("0 client log file=l\n" + kGoodStart + "2 client dump items=0\n", false),
            "C2 of bodies: no log has a `sha256`\n"
            "C13, C14: they compare two runs (--same-as)\n"
            "C19: no log has a `stop` or a `stopped`\n"
            "C20: no log has a `waited`\n");
  EXPECT_EQ(UnjudgedOf(kGoodStart + "2 client dump items=0\n3 client waited rv=6\n4 client stop\n"),
            "");
}

TEST(UnjudgedTest, AStoreThatCameTooSoonBehindAFaultIsNotJudged) {
  const std::string lines =
      "0 client log file=l\n" + kGoodStart + "10 server fault id=2 point=event verdict=cut_RST\n";
  EXPECT_THAT(UnjudgedOf(lines + "15.5 client dump items=0\n"),
              testing::HasSubstr("C1 of client's store: the last one was printed 5.500 s after the "
                                 "last fault, and a client may need 690.000 s to recover "
                                 "(--recovery)\n"));
  EXPECT_THAT(UnjudgedOf(lines + "715 client dump items=0\n"),
              testing::Not(testing::HasSubstr("C1 of client's store")));
  EXPECT_THAT(
      UnjudgedOf("0 server control action=lag replica=0\n" + lines + "715 client dump items=0\n"),
      testing::HasSubstr("C1 of client's store: caches lagged"));
}

TEST(UnjudgedTest, AHistoryThatEndsBeforeALogDoesIsTold) {
  const std::string lines = "0 client log file=l\n" + kGoodStart;
  const std::string deleted = "20 client callback handler=h type=deleted key=default/a uid=ua rv=";
  EXPECT_THAT(
      UnjudgedOf(lines + deleted + "9\n"),
      testing::HasSubstr("what came after version 6: the server's history ends there, and a "
                         "log tells of version 9; was it cut off"));
  EXPECT_THAT(UnjudgedOf(lines + deleted + "6\n"),
              testing::Not(testing::HasSubstr("what came after")));
}

TEST(UnjudgedTest, WhatWasThereIsCounted) {
  const History history = HistoryOf(kGoodStart);
  EXPECT_EQ(CountsOf(HistoryView(history)), "2 writes, 2 requests, 2 callbacks of 1 client");
}

TEST(UnjudgedTest, ACutIsAFaultThatEndsAConnection) {
  EXPECT_TRUE(WasCut(HistoryOf("1 server fault id=1 point=event verdict=cut_RST\n")));
  EXPECT_FALSE(WasCut(HistoryOf("1 server fault id=1 point=event verdict=split_at_3\n")));
}

}  // namespace
}  // namespace relist
