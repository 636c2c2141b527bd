// Steps and faults that happened to nobody, or less often than they say: good is only what was
// met.
#include "scenarios/play/fault_script.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "fakeapi/api/resources.h"
#include "fakeapi/api_server.h"
#include "fakeapi/http/server_connection.h"
#include "fakeapi/store/store.h"
#include "scenarios/runner.h"

namespace relist {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

RunResult RunInVain(const std::string& text, WorldKind world = WorldKind::kSim) {
  const Result<Scenario> scenario = ParseScenario(
      "name: a test\nclients: [{streaming_list: false, namespace: default}]\n" + text, "s.yaml");
  if (!scenario.ok()) {
    ADD_FAILURE() << scenario.error().message();
    return {};
  }
  return RunScenario(*scenario, {.world = world});
}

TEST(InVainTest, ARefusalThatRefusedNobodyIsTold) {
  const RunResult run = RunInVain("steps: [{at: 2s, do: refuse, for: 5s}]\n");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("s.yaml:3:9: this step (refuse) refused nobody: no client "
                                    "opened a connection while it lasted"));
}

TEST(InVainTest, ARefusalThatMetSomebodyIsGood) {
  const std::string good = R"(
objects: [{object: default/a}]
steps:
- {at: 2s, do: refuse, for: 5s}
- {at: 2s, do: delete, object: default/a}
faults: [{on: watch, events: 0, fault: cut}]
)";
  const RunResult met = RunInVain(good);
  EXPECT_EQ(met.exit_status, 0) << met.report;
}

TEST(InVainTest, OfTwoRefusalsTheOneThatMetNobodyIsTold) {
  const RunResult run = RunInVain(R"(
objects: [{object: default/a}]
steps:
- {at: 2s, do: refuse, for: 5s}
- {at: 2s, do: delete, object: default/a}
- {at: 50s, do: refuse, for: 5s}
faults: [{on: watch, events: 0, fault: cut}]
)");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, testing::StartsWith("s.yaml:8:3: this step (refuse) refused nobody"));
}

TEST(InVainTest, ABookmarkThatReachedNobodyIsTold) {
  const RunResult run = RunInVain("steps: [{when: {on: list, nth: 1}, do: bookmark}]\n");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("s.yaml:3:9: this step (bookmark) reached nobody: no watch "
                                    "that asks for bookmarks was open"));
  EXPECT_EQ(RunInVain("steps: [{at: 2s, do: bookmark}]\n").exit_status, 0);
}

// Before a watch is answered there is nobody yet, or nobody any more.
TEST(InVainTest, OfTwoBookmarksTheOneThatReachedNobodyIsTold) {
  const RunResult run = RunInVain(R"(
objects: [{object: default/a}]
steps:
- {when: {on: watch, nth: every}, do: bookmark}
- {when: {on: watch, nth: every, once: open}, do: bookmark}
- {at: 9s, do: delete, object: default/a}
faults: [{on: watch, events: 1, fault: close}]
)");
  EXPECT_EQ(run.exit_status, 1) << run.report;
  EXPECT_THAT(run.report, testing::StartsWith("s.yaml:6:3: this step (bookmark) reached nobody"));
}

// Why a fault or step of two lines did not come to pass.
std::string WhyNot(const std::string& parts) {
  const RunResult run = RunInVain("objects: [{object: default/a}]\n" + parts);
  EXPECT_EQ(run.exit_status, 1) << run.report;
  const size_t begin = run.report.find(" never ");
  return begin == std::string::npos ? run.report
                                    : run.report.substr(begin, run.report.find('\n') - begin);
}

// How many requests the calm sees depends on the time-outs that a client draws.
TEST(InVainTest, AFaultInTheWayOfAnotherIsNamed) {
  EXPECT_EQ(WhyNot("faults:\n- {on: list, fault: cut}\n"
                   "- {on: list, fault: reset}\n"),
            " never struck: there were 2 lists, and the fault in line 5 (cut) struck there first");
  EXPECT_THAT(WhyNot("faults:\n- {on: watch, fault: status, code: 429}\n"
                     "- {on: watch, events: 0, fault: close}\n"),
              EndsWith("watches, and the fault in line 5 (status) struck there first"));
  EXPECT_THAT(WhyNot("faults:\n- {on: watch, fault: status, code: 429}\nsteps:\n"
                     "- {when: {on: watch, once: open}, do: evict}\n"),
              EndsWith("watches, and the fault in line 5 (status) struck there first"));
}

TEST(InVainTest, WhatItWaitsForIsTold) {
  EXPECT_THAT(WhyNot("faults: [{on: watch, client: client, events: 7, fault: cut}]\n"),
              EndsWith(" watches by a client whose User-Agent is \"client\", and no line came "
                       "after its \"events: 7\""));
  EXPECT_THAT(WhyNot("steps: [{when: {on: any, nth: 12-13}, do: evict}]\n"),
              EndsWith(" requests, and it waits for the 12th to 13th"));
  EXPECT_EQ(WhyNot("steps: [{when: {on: list, continued: true, nth: every}, do: evict}]\n"),
            " never happened: there was no later page of a list");
  EXPECT_THAT(
      WhyNot("steps: [{when: {on: watch, resource: configmaps, events: 22}, do: evict}]\n"),
      EndsWith(" watches of configmaps, and fewer lines than its \"events: 22\" were sent"));
}

TEST(InVainTest, ARangeMeansEachOfItsRequests) {
  const RunResult two = RunInVain("faults: [{on: list, nth: 1-3, fault: status, code: 500}]\n");
  EXPECT_EQ(two.exit_status, 0) << two.report;
  const auto told = [](const std::string& parts) {
    const RunResult run = RunInVain(parts);
    EXPECT_EQ(run.exit_status, 1) << run.report;
    return run.report;
  };
  EXPECT_THAT(told("faults: [{on: list, nth: 1-2, fault: delay, for: 1s}]\n"),
              testing::StartsWith("s.yaml:3:10: this fault (delay) struck 1 of 2 times: there was "
                                  "1 list, and it waits for the 1st to 2nd\n"));
  EXPECT_THAT(told("steps: [{when: {on: list, nth: 1-2}, do: evict}]\n"),
              testing::StartsWith("s.yaml:3:9: this step (evict) happened 1 of 2 times: there was "
                                  "1 list, and it waits for the 1st to 2nd\n"));
  EXPECT_THAT(told("objects: [{object: default/a}]\nfaults: [{on: watch, nth: 1-2, events: 0, "
                   "fault: split, every: 1}]\n"
                   "steps: [{when: {on: watch, nth: 2, once: open}, do: delete, object: "
                   "default/a}]\n"),
              HasSubstr("this fault (split) struck 1 of 2 times: there were 2 watches, and in 1 of "
                        "them no line came after its \"events: 0\""));
  const RunResult shared = RunInVain(
      "faults:\n- {on: list, nth: 2, fault: reset}\n"
      "- {on: list, nth: 1-3, fault: status, code: 500}\n");
  EXPECT_EQ(shared.exit_status, 0) << shared.report;
}

// A script's faults on writes, by a connection to a server with a store: what no informer asks for.
using Fate = fakeapi::ServerConnection::Fate;

class FaultWritesTest : public testing::Test {
 protected:
  void Load(const std::string& faults) {
    Result<Scenario> scenario = ParseScenario("name: x\nfaults:\n" + faults, "s.yaml");
    ASSERT_TRUE(scenario.ok()) << scenario.error().message();
    scenario_ = *scenario;
    script_ = std::make_unique<FaultScript>(scenario_);
  }
  // What comes back on a connection of its own.
  std::string Send(const std::string& method, const std::string& path, const std::string& body) {
    fakeapi::ServerConnection connection(server_, script_.get(), nullptr, counters_,
                                         kSimulationEpoch);
    connection.Receive(kSimulationEpoch,
                       fmt::format("{} {} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                                   "Content-Length: {}\r\n\r\n{}",
                                   method, path, body.size(), body));
    std::string answer;
    while (connection.HasOutput()) {
      std::array<iovec, 16> pieces;
      const int count = connection.Gather(pieces.data(), static_cast<int>(pieces.size()));
      std::string piece;
      for (int i = 0; i < count; ++i)
        piece.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
      answer += piece;
      connection.Sent(kSimulationEpoch, piece.size());
    }
    fate_ = connection.fate();
    return answer;
  }
  std::string Create(const std::string& name) { return Send("POST", kMapsPath, Body(name, "")); }
  std::string Update(const std::string& name, const std::string& value) {
    return Send("PUT", std::string(kMapsPath) + "/" + name, Body(name, value));
  }
  static std::string Body(const std::string& name, const std::string& value) {
    return fmt::format(
        R"({{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"{}"}},"data":{{"k":"{}"}}}})",
        name, value);
  }
  // What the store holds; "" if nothing.
  std::string Stored(const std::string& name) {
    const auto object = server_.store().Find(*fakeapi::FindByName("configmaps"), {"default", name});
    return object ? object->bytes : "";
  }

  static constexpr char kMapsPath[] = "/api/v1/namespaces/default/configmaps";
  fakeapi::ApiServer server_{{}};
  fakeapi::ServerCounters counters_;
  Scenario scenario_;
  std::unique_ptr<FaultScript> script_;
  Fate fate_ = Fate::kOpen;
};

TEST_F(FaultWritesTest, AWriteIsCommittedAndItsAnswerLost) {
  Load("- {on: create, fault: lost}\n- {on: update, nth: 2, fault: lost, how: reset}\n");
  EXPECT_EQ(Create("a"), "");
  EXPECT_EQ(fate_, Fate::kCloseWhenSent);
  EXPECT_THAT(Stored("a"), HasSubstr("\"name\":\"a\""));
  EXPECT_THAT(Create("a"), StartsWith("HTTP/1.1 409 "))
      << "it is there, whatever its writer thinks";
  EXPECT_THAT(Update("a", "one"), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(Update("a", "two"), "");
  EXPECT_EQ(fate_, Fate::kReset);
  EXPECT_THAT(Stored("a"), HasSubstr("two"));
  EXPECT_THAT(script_->NeverStruck(kSimulationEpoch), IsEmpty());
}

TEST_F(FaultWritesTest, AWriteThatIsRefusedIsNotDone) {
  Load(
      "- {on: update, resource: configmaps, nth: 2, fault: status, code: 409}\n"
      "- {on: delete, fault: status, code: 503}\n- {on: create, nth: 2, fault: cut}\n");
  EXPECT_THAT(Create("a"), StartsWith("HTTP/1.1 201 "));
  EXPECT_THAT(Update("a", "one"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(Update("a", "two"), HasSubstr("\"reason\":\"Conflict\""));
  EXPECT_THAT(Stored("a"), HasSubstr("one"));
  EXPECT_THAT(Update("a", "three"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(Send("DELETE", std::string(kMapsPath) + "/a", ""), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(Stored("a"), HasSubstr("three"));
  EXPECT_EQ(Create("b"), "");
  EXPECT_EQ(Stored("b"), "");
}

}  // namespace
}  // namespace relist
