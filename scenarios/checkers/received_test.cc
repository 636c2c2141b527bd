#include "scenarios/checkers/received.h"

#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kCommitsOfReceived = R"(
  2 server commit rv=7 resource=configmaps key=default/a type=MODIFIED uid=ua
  2 server commit rv=8 resource=configmaps key=default/b type=DELETED uid=ub
)";
const std::string kSevenKept =
    "2 server fault id=2 point=event verdict=drop\n"
    "2 server event id=2 type=MODIFIED key=default/a uid=ua rv=7 kept=true\n";
const std::string kEightSent = "2 server event id=2 type=DELETED key=default/b uid=ub rv=8\n";
const std::string kListAtEight = "5 client relist why=list:_it_ended\n5 client position rv=8\n";

bool MayHave(uint64_t rv, const std::string& text) {
  const History history = HistoryOf(kGoodStart + kCommitsOfReceived + text);
  const HistoryView view(history);
  return ReceivedBy(view, view.clients().at(0)).MayHave(rv);
}

TEST(ReceivedTest, WhatNoStreamAndNoListBroughtWasNotReceived) {
  EXPECT_TRUE(MayHave(8, kEightSent));
  EXPECT_FALSE(MayHave(7, kEightSent));
  EXPECT_TRUE(MayHave(7, kEightSent + kListAtEight)) << "the list may have told of it";
  EXPECT_TRUE(MayHave(7, "")) << "there is no stream to look at";
}

TEST(ReceivedTest, WhatAFaultKeptALaterListTellsOfOutOfItsTurn) {
  EXPECT_FALSE(MayHave(7, kSevenKept + kEightSent + kListAtEight));
  EXPECT_FALSE(MayHave(7, kSevenKept)) << "though nothing else was sent";
  EXPECT_TRUE(
      MayHave(7, kSevenKept + "3 server event id=2 type=MODIFIED key=default/a uid=ua rv=7\n"))
      << "it came after all";
}

}  // namespace
}  // namespace relist
