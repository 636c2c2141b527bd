#include "scenarios/histories/client_log.h"

#include <gtest/gtest.h>

namespace relist {
namespace {

// The lines of a log as those of a history.
std::string TextOfLog(const std::string& text) {
  const Result<ClientLog> log = ClientLog::Parse(text, "c.log");
  if (!log.ok()) return log.error().message();
  const History history;
  std::string lines;
  for (const HistoryEntry& line : log->lines) lines += history.LineOf(line) + "\n";
  return lines;
}

TEST(ClientLogTest, EachLineOfTheProtocolIsALineOfAHistory) {
  EXPECT_EQ(
      TextOfLog(
          R"({"type":"added","namespace":"d","name":"a","uid":"u","resourceVersion":"5","t":12,"sha256":"ff"}
{"type":"modified","name":"n","uid":null,"resourceVersion":"7","t":250.4,"old":{"resourceVersion":"5"}}
{"type":"deleted","name":"n","resourceVersion":"7","tombstone":true}
{"type":"synced","t":300}
{"type":"error","terminal":true,"message":"no"}
{"type":"store","items":[{"namespace":"d","name":"a","uid":"u","resourceVersion":"5"}],"t":400}
{"type":"waited","resourceVersion":"7"}
{"type":"stop"}
{"type":"stopped","left":0,"t":500}
)"),
      R"({"t":"0.012","actor":"","what":"callback","handler":"handler","type":"added","key":"d/a","uid":"u","rv":"5","sha256":"ff"}
{"t":"0.250","actor":"","what":"callback","handler":"handler","type":"modified","key":"n","uid":"","rv":"7","old_rv":"5"}
{"t":"0.250","actor":"","what":"callback","handler":"handler","type":"deleted","key":"n","uid":"","rv":"7","tombstone":"true"}
{"t":"0.300","actor":"","what":"synced","handler":"handler"}
{"t":"0.300","actor":"","what":"error","message":"no","terminal":"true"}
{"t":"0.400","actor":"","what":"dump","items":"1"}
{"t":"0.400","actor":"","what":"store","key":"d/a","uid":"u","rv":"5"}
{"t":"0.400","actor":"","what":"waited","rv":"7"}
{"t":"0.400","actor":"","what":"stop"}
{"t":"0.500","actor":"","what":"stopped","left":"0"}
)");
}

TEST(ClientLogTest, WhatItDoesNotKnowIsLeftOut) {
  EXPECT_EQ(
      TextOfLog(
          "\r\n \n{\"type\":\"hello\",\"name\":3}\r\n{\"type\":\"synced\",\"mood\":\"good\"}"),
      "{\"t\":\"0.000\",\"actor\":\"\",\"what\":\"synced\",\"handler\":\"handler\"}\n");
}

TEST(ClientLogTest, LinesOfOtherTypesAreCounted) {
  const Result<ClientLog> log = ClientLog::Parse(
      "{\"type\":\"Store\"}\n{\"type\":\"synced\"}\n{\"type\":\"Store\"}\n", "c.log");
  ASSERT_TRUE(log.ok());
  EXPECT_EQ(log->unread, (std::map<std::string, size_t>{{"Store", 2}}));
}

TEST(ClientLogTest, WhatIsWrongIsToldWithFileAndLine) {
  const std::string good = "{\"type\":\"synced\"}\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"W1201 a warning\n",
       "not a JSON object; each line of a client's log is one: {\"type\":\"added\",...}"},
      {"[]\n", "not a JSON object; each line of a client's log is one: {\"type\":\"added\",...}"},
      {"{\"type\":\"add", "the log ends within this line: it was cut off"},
      {"{}\n", "\"type\" is missing; each line of a client's log has one"},
      {"{\"type\":7}\n", "\"type\" is a text in quotes, not number"},
      {"{\"t\":\"0.000\",\"actor\":\"server\",\"what\":\"commit\"}\n",
       "this is a line of a history, not of a client's log"},
      {"{\"type\":\"added\",\"name\":\"a\",\"resourceVersion\":7}\n",
       "\"resourceVersion\" is a text in quotes, not number"},
      {"{\"type\":\"modified\",\"name\":\"a\",\"rv\":\"7\"}\n",
       "\"resourceVersion\" is missing: an object that is modified has one"},
      {"{\"type\":\"added\",\"name\":\"a\",\"t\":\"1\"}\n",
       "\"t\" is a number of milliseconds since the program's start"},
      {"{\"type\":\"synced\",\"t\":1e99}\n",
       "\"t\" is a number of milliseconds since the program's start"},
      {"{\"type\":\"deleted\",\"name\":\"a\",\"tombstone\":1}\n", "\"tombstone\" is true or false"},
      {"{\"type\":\"store\"}\n", "a store has \"items\", an array"},
      {"{\"type\":\"store\",\"items\":[7]}\n", "an item of a store is an object"},
  };
  for (const auto& [line, why] : cases) EXPECT_EQ(TextOfLog(good + line), "c.log:2: " + why);
}

}  // namespace
}  // namespace relist
