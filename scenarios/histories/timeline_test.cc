#include "scenarios/histories/timeline.h"

#include <gmock/gmock.h>

#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

History OfAllSorts() {
  return HistoryOf(R"(
    0 run phase name=chaos
    1 server fault id=1 point=event verdict=stall
    2 server event id=1 type=ADDED key=default/a rv=6
    3 client callback handler=handler type=deleted key=default/a rv=6
    4 client position rv=6
    5 server event id=1 type=ERROR code=410
    6 client answer n=2 error=refused message=refused
  )");
}

TEST(TimelineColors, EachSortOfLineHasItsOwn) {
  const std::string timeline = Timeline(OfAllSorts(), {.color = true});
  EXPECT_THAT(timeline, HasSubstr("\033[1m---- chaos"));
  EXPECT_THAT(timeline, HasSubstr("\033[31m! #1 nothing more is sent"));
  EXPECT_THAT(timeline, HasSubstr("\033[2m~ #1 ADDED default/a at 6\033[0m\n"));
  EXPECT_THAT(timeline, HasSubstr("\033[32m- default/a at 6\033[0m\n"));
  EXPECT_THAT(timeline, HasSubstr("\033[31m~ #1 ERROR 410"));
  EXPECT_THAT(timeline, HasSubstr("\033[31m< no answer: refused (refused)\033[0m\n"));
  EXPECT_THAT(timeline, HasSubstr("\033[2m     4.000\033[0m  client    is at 6\n"));
}

TEST(TimelineWords, AFaultSaysOnceWhereItStrikes) {
  const std::string timeline = Timeline(HistoryOf(R"(
    1 server fault id=1 point=event verdict=duplicate
    2 server fault id=2 point=event verdict=cut_FIN_after_12
  )"));
  EXPECT_THAT(timeline, HasSubstr("! #1 the next line is sent twice\n"));
  EXPECT_THAT(timeline,
              HasSubstr("! #2 the connection is cut (FIN) after 12 bytes, before the next line\n"));
}

TEST(TimelineWords, WhatIsDoneToAServerIsExplained) {
  for (const auto& [action, words] :
       {std::pair{"pause", "! replica 1: pause: its caches stand still, at 6\n"},
        {"resume", "! replica 1: resume: its caches, at 6, go on\n"},
        {"lag", "! replica 1: lag: how late writes come to its caches, at 6\n"},
        {"bookmark", "! replica 1: bookmark: to all who asked for them, at 6\n"},
        {"ready", "! replica 1: ready at 6\n"}}) {
    const std::string line = std::string("1 server control replica=1 rv=6 action=") + action;
    EXPECT_THAT(Timeline(HistoryOf(line)), HasSubstr(words));
  }
}

TEST(TimelineWords, OneObjectIsOne) {
  const std::string timeline = Timeline(HistoryOf(R"(
    1 client answer n=1 status=200 rv=6 items=1
    2 client dump items=2
  )"));
  EXPECT_THAT(timeline, HasSubstr("< 200: 1 object, as of version 6\n"));
  EXPECT_THAT(timeline, HasSubstr("holds 2 objects:\n"));
}

TEST(TimelineColors, WithoutThemTheLinesAreTheSame) {
  const std::string plain = Timeline(OfAllSorts());
  EXPECT_THAT(plain, Not(HasSubstr("\033")));
  std::string colored = Timeline(OfAllSorts(), {.color = true});
  for (size_t at; (at = colored.find('\033')) != std::string::npos;)
    colored.erase(at, colored.find('m', at) + 1 - at);
  EXPECT_EQ(colored, plain);
}

}  // namespace
}  // namespace relist
