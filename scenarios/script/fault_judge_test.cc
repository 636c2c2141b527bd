// Faults that no line of the script makes wrong by itself.
#include "scenarios/script/fault_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/script/scenario.h"
#include "scenarios/script/scenario_test_support.h"

namespace relist {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Flaw(const std::string& fault, bool legal = false) {
  const char* head = legal ? "name: x\nfaults:\n- {" : "name: x\nlegal: false\nfaults:\n- {";
  return MistakesIn(head + fault + "}\n");
}

TEST(FaultJudgeTest, WhatNoLegalServerDoesNeedsAWord) {
  const std::pair<const char*, const char*> all[] = {
      {"on: watch, events: 1, fault: duplicate", "sends a line twice"},
      {"on: watch, events: 1, fault: drop", "leaves a line out"},
      {"on: streaming-list, line: initial-end, fault: drop", "leaves a line out"},
      {"on: watch, events: 1, fault: reorder", "turns lines around"},
      {"on: watch, events: 1, fault: alter, type: A", "sends another line than it should"},
      {"on: watch, events: 1, fault: insert, text: \"\"", "sends a line of its own"},
      {"on: watch, fault: line-ends, as: crlf", "ends its lines like that"},
      {"on: list, fault: gzip", "compresses what nobody asked it to"},
      {"on: list, fault: status, code: 200, body: {}", "refuses with 200"},
  };
  for (const auto& [fault, why] : all) {
    EXPECT_THAT(Flaw(fault, /*legal=*/true), HasSubstr(std::string("no legal server ") + why));
    EXPECT_THAT(Flaw(fault, /*legal=*/true), HasSubstr("\"legal: false\""));
    EXPECT_EQ(Flaw(fault), "") << fault;
  }
}

TEST(FaultJudgeTest, WhatALegalServerMayDoNeedsNone) {
  for (const char* fault :
       {"on: watch, line: bookmark, fault: drop", "on: watch, fault: chunks, lines: 2",
        "on: list, fault: chunks, size: 1", "on: any, fault: http10",
        "on: watch, fault: slow, per_second: 10", "on: list, fault: cut-next",
        "on: update, fault: lost", "on: update, fault: status, code: 409",
        "on: watch, bytes: headers, fault: cut", "on: watch, sent: 1, fault: close",
        "on: list, fault: status, too_large: message", "on: list, chance: 0.1, fault: reset"}) {
    EXPECT_EQ(Flaw(fault, /*legal=*/true), "") << fault;
  }
}

TEST(FaultJudgeTest, WhatHasNoLinesIsNotStruckAtOne) {
  for (const char* fault :
       {"on: list, sent: 1, fault: cut", "on: create, events: 1, fault: cut",
        "on: get, line: added, fault: cut", "on: list, fault: line-ends, as: crlf",
        "on: list, fault: chunks, lines: 2", "on: update, fault: close",
        "on: write, fault: error, code: 500"}) {
    EXPECT_THAT(Flaw(fault), HasSubstr("is no stream of events")) << fault;
  }
  EXPECT_THAT(MistakesIn("name: x\nsteps:\n- {when: {on: update, events: 1}, do: evict}\n"),
              StartsWith("s.yaml:3:3: \"on: update\" has no events"));
}

TEST(FaultJudgeTest, WhatIsDoneToALineSaysToWhich) {
  for (const char* fault : {"fault: drop", "fault: duplicate", "fault: reorder, sent: 2",
                            "fault: alter, type: A, sent: 2"}) {
    EXPECT_THAT(Flaw(std::string("on: watch, ") + fault),
                HasSubstr("which line is meant is missing"))
        << fault;
  }
  EXPECT_THAT(Flaw("on: watch, fault: insert, text: a"), HasSubstr("where it is put is missing"));
}

TEST(FaultJudgeTest, WhatIsDoneToAnAnswerIsDoneToAllOfIt) {
  for (const char* fault :
       {"on: watch, events: 1, fault: http10", "on: watch, sent: 1, fault: gzip",
        "on: any, line: added, fault: lost", "on: watch, events: 1, fault: cut-next"}) {
    EXPECT_THAT(Flaw(fault), HasSubstr("is done to a whole answer")) << fault;
  }
  EXPECT_THAT(Flaw("on: watch, fault: lost"),
              HasSubstr("a watch has no answer that could be lost"));
}

TEST(FaultJudgeTest, AConnectionHasNeitherLinesNorPages) {
  for (const char* more : {"sent: 1", "line: added", "page: 2", "version: 0", "bytes: headers"}) {
    EXPECT_THAT(Flaw(std::string("on: connection, fault: cut, ") + more),
                HasSubstr("a connection has only a number"))
        << more;
  }
  EXPECT_THAT(Flaw("on: connection, fault: http10"), HasSubstr("not by http10"));
}

TEST(FaultJudgeTest, WhatNoInformerDoesMayBeSomebodyElses) {
  EXPECT_EQ(Flaw("on: update, fault: status, code: 409"), "");
  EXPECT_EQ(Flaw("on: create, client: kubectl, resource: pods, fault: lost"), "");
  EXPECT_THAT(Flaw("on: watch, client: kubectl, fault: cut"),
              HasSubstr("no client is called \"kubectl\""));
}

}  // namespace
}  // namespace relist
