// The keys of a client, as a scenario writes them.
#include "scenarios/script/client_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/script/scenario.h"
#include "scenarios/script/scenario_test_support.h"

namespace relist {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

ClientSpec ReadOne(const std::string& keys) {
  const Result<Scenario> scenario =
      ParseScenario("name: x\nclients:\n- {" + keys + "}\n", "s.yaml");
  if (scenario.ok()) return scenario->clients[0];
  ADD_FAILURE() << scenario.error().message();
  return {};
}

std::string MistakesInClient(const std::string& keys) {
  return MistakesIn("name: x\nclients:\n- {" + keys + "}\n");
}

TEST(ClientPartsTest, WhatIsNotSaidIsAsInClientGoOrAsParityNames) {
  const ClientSpec client = ReadOne("");
  EXPECT_EQ(client.handlers.size(), 1u);
  EXPECT_FALSE(client.handlers[0].fails());
  EXPECT_EQ(client.resync, Duration{});
  EXPECT_EQ(client.list_deadline, Seconds(90));
  EXPECT_EQ(client.streaming_list_patience, Seconds(30));
  EXPECT_EQ(client.backoff.cap, Seconds(30));
  EXPECT_EQ(client.backoff.jitter, 1.0);
  EXPECT_TRUE(client.in_order_informers && client.atomic_fifo &&
              client.in_order_informers_batch_process);
  EXPECT_FALSE(client.fresh_relists || client.pace_reopening || client.started_by_step);
}

TEST(ClientPartsTest, EveryKeyIsRead) {
  const ClientSpec client = ReadOne(
      "resync: 30s, list_deadline: none, streaming_list_patience: 5s, fresh_relists: true, "
      "pace_reopening: true, internal_error_retry: 7s, backoff: {initial: 1s, cap: 9s, "
      "reset_after: "
      "1m, jitter: false}, in_order_informers: false, atomic_fifo: false, "
      "in_order_informers_batch_process: false, handlers: [{delay: 2s, fails: 2-4, resync: 1m}, "
      "{}]");
  EXPECT_EQ(client.resync, Seconds(30));
  EXPECT_FALSE(client.list_deadline.has_value());
  EXPECT_EQ(client.streaming_list_patience, Seconds(5));
  EXPECT_TRUE(client.fresh_relists && client.pace_reopening);
  EXPECT_EQ(client.internal_error_retry, Seconds(7));
  EXPECT_EQ(client.backoff.initial, Seconds(1));
  EXPECT_EQ(client.backoff.cap, Seconds(9));
  EXPECT_EQ(client.backoff.reset_after, Seconds(60));
  EXPECT_EQ(client.backoff.jitter, 0.0);
  EXPECT_FALSE(client.in_order_informers || client.atomic_fifo ||
               client.in_order_informers_batch_process);
  ASSERT_EQ(client.handlers.size(), 2u);
  EXPECT_EQ(client.handlers[0].delay, Seconds(2));
  EXPECT_EQ(client.handlers[0].fails_first, 2);
  EXPECT_EQ(client.handlers[0].fails_last, 4);
  EXPECT_EQ(client.handlers[0].resync, Seconds(60));
  EXPECT_FALSE(client.handlers[1].resync.has_value());
  EXPECT_EQ(ReadOne("handlers: 3").handlers.size(), 3u);
  EXPECT_EQ(ReadOne("handlers: [{fails: every}]").handlers[0].fails_last, kEvery);
}

TEST(ClientPartsTest, AMistakeIsToldWithItsPlaceAndWhatWouldBeRight) {
  EXPECT_THAT(MistakesInClient("resync: 500ms"),
              StartsWith("s.yaml:3:12: \"resync\" is at least 1s, or 0 for none"));
  EXPECT_THAT(MistakesInClient("list_deadline: never"), HasSubstr("\"list_deadline\" is a time"));
  EXPECT_THAT(MistakesInClient("list_deadline: 2h"), HasSubstr("at most 1h"));
  EXPECT_THAT(MistakesInClient("backoff: {initial: 40s}"),
              StartsWith("s.yaml:3:13: \"cap\" is the longest delay"));
  EXPECT_THAT(MistakesInClient("backoff: {cap: 2h}"), HasSubstr("at most 1h"));
  EXPECT_THAT(MistakesInClient("backoff: {first: 1s}"),
              HasSubstr("unknown key \"first\" in \"backoff\""));
  EXPECT_THAT(MistakesInClient("handlers: []"), HasSubstr("1 to 20 handlers, not 0"));
  EXPECT_THAT(MistakesInClient("handlers: [{delay: 2m}]"), HasSubstr("at most 1m"));
  EXPECT_THAT(
      MistakesInClient("handlers: [{fails: 0}]"),
      StartsWith("s.yaml:3:23: \"fails\" is a number from 1 to 100000, a range such as 2-4, "
                 "or every, not \"0\""));
  EXPECT_THAT(MistakesInClient("handlers: [{fail: 1}]"),
              HasSubstr("unknown key \"fail\" in a handler, did you mean \"fails\"?"));
  EXPECT_THAT(MistakesInClient("handlers: [slow]"),
              HasSubstr("a handler is a map of keys and values, not \"slow\""));
  EXPECT_THAT(MistakesInClient("start: soon"), HasSubstr("\"start\" is a time with its unit"));
}

TEST(ClientPartsTest, AHandlersResyncNeedsOneOfItsClient) {
  EXPECT_THAT(MistakesInClient("handlers: [{resync: 30s}]"),
              StartsWith("s.yaml:3:15: this handler's \"resync\" is without effect (INF-05): give "
                         "its client one"));
  EXPECT_EQ(MistakesInClient("resync: 1m, handlers: [{resync: 30s}]"), "");
  EXPECT_EQ(MistakesInClient("handlers: [{resync: 0s}]"), "");
}

TEST(ClientPartsTest, AClientThatAStepStartsNeedsOne) {
  const std::string text = "name: x\nclients:\n- {start: step}\n";
  EXPECT_THAT(MistakesIn(text),
              StartsWith("s.yaml:3:3: no step starts the client \"client\": it would never run"));
  EXPECT_EQ(MistakesIn(text + "steps: [{at: 1s, do: start}]\n"), "");
}

}  // namespace
}  // namespace relist
