// Which requests and lines a script's faults strike, asked as a server asks.
#include "scenarios/play/fault_places.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "scenarios/play/fault_script.h"

namespace relist {
namespace {

using fakeapi::FaultPlace;
using fakeapi::FaultPoint;
using fakeapi::Request;
using fakeapi::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FaultPlacesTest : public testing::Test {
 protected:
  void Load(const std::string& faults, uint64_t seed = 1) {
    Result<Scenario> scenario =
        ParseScenario("name: x\nlegal: false\nfaults:\n" + faults, "s.yaml");
    ASSERT_TRUE(scenario.ok()) << scenario.error().message();
    script_.reset();
    scenario_ = *scenario;
    script_ = std::make_unique<FaultScript>(scenario_, seed);
  }
  // A request, which is read.
  Verdict Read(const std::string& method, const std::string& target) {
    request_ = {method, target, {}, ""};
    place_ = fakeapi::PlaceOf(request_);
    place_.request_id = ++requests_;
    place_.now = kSimulationEpoch;
    return At(FaultPoint::kRequestRead);
  }
  bool Strikes(const std::string& method, const std::string& target) {
    return Read(method, target).kind != Verdict::Kind::kPass;
  }
  Verdict At(FaultPoint point, int nth = 0) {
    place_.point = point;
    place_.nth_event = nth;
    return script_->At(place_);
  }
  // Line `nth` + 1 of the watch that was read.
  bool StrikesLine(int nth, EventType type, bool ends_initial = false) {
    fakeapi::WatchLine line;
    line.type = type;
    line.initial_events_end = ends_initial;
    place_.line = &line;
    const Verdict verdict = At(FaultPoint::kBeforeEvent, nth);
    place_.line = nullptr;
    return verdict.kind != Verdict::Kind::kPass;
  }
  std::vector<std::string> NeverStruck() { return script_->NeverStruck(kSimulationEpoch); }

  Scenario scenario_;
  std::unique_ptr<FaultScript> script_;
  Request request_;
  FaultPlace place_;
  uint64_t requests_ = 0;
};

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";
constexpr char kMap[] = "/api/v1/namespaces/default/configmaps/a";

TEST_F(FaultPlacesTest, AVerbMeansItsRequests) {
  const std::pair<const char*, std::pair<const char*, const char*>> all[] = {
      {"get", {"GET", kMap}},     {"create", {"POST", kMaps}},  {"update", {"PUT", kMap}},
      {"patch", {"PATCH", kMap}}, {"delete", {"DELETE", kMap}}, {"list", {"GET", kMaps}}};
  for (const auto& [word, request] : all) {
    Load(fmt::format("- {{on: {}, nth: every, fault: cut}}\n", word));
    for (const auto& [other, asked] : all)
      EXPECT_EQ(Strikes(asked.first, asked.second), std::string(word) == other) << word << other;
  }
  Load("- {on: write, nth: every, fault: cut}\n");
  for (const auto& [word, asked] : all) {
    const bool is_write = word != std::string("get") && word != std::string("list");
    EXPECT_EQ(Strikes(asked.first, asked.second), is_write) << word;
  }
  Load("- {on: any, nth: every, fault: cut}\n");
  EXPECT_FALSE(Strikes("PUT", kMap)) << "any is a list or a watch";
}

TEST_F(FaultPlacesTest, AWriteIsMeantByItsNumberItsResourceAndItsClient) {
  Load("- {on: update, resource: configmaps, nth: 2, fault: status, code: 409}\n");
  EXPECT_FALSE(Strikes("PUT", kMap));
  EXPECT_FALSE(Strikes("PUT", "/api/v1/namespaces/default/pods/a"));
  const Verdict verdict = Read("PUT", kMap);
  EXPECT_EQ(verdict.answer.status, 409);
  EXPECT_THAT(verdict.answer.BodyText(), HasSubstr("\"reason\":\"Conflict\""));
  Load("- {on: update, client: me, nth: every, fault: cut}\n");
  EXPECT_FALSE(Strikes("PUT", kMap));
}

TEST_F(FaultPlacesTest, AVersionIsTheOneThatIsAskedFor) {
  Load("- {on: any, version: 0, nth: every, fault: cut}\n");
  EXPECT_TRUE(Strikes("GET", std::string(kMaps) + "?resourceVersion=0"));
  EXPECT_FALSE(Strikes("GET", kMaps));
  EXPECT_FALSE(Strikes("GET", std::string(kMaps) + "?watch=1&resourceVersion=10"));
  Load("- {on: any, version: none, nth: every, fault: cut}\n");
  EXPECT_TRUE(Strikes("GET", kMaps));
  EXPECT_TRUE(Strikes("GET", std::string(kMaps) + "?watch=1&resourceVersion="));
  EXPECT_FALSE(Strikes("GET", std::string(kMaps) + "?resourceVersion=0"));
  Load("- {on: watch, version: 7, fault: cut}\n");
  EXPECT_THAT(NeverStruck(), ElementsAre(HasSubstr("there was no watch with resourceVersion=7")));
}

TEST_F(FaultPlacesTest, APageIsKnownByTheTokenOfTheOneBefore) {
  Load("- {on: list, page: 3, nth: every, fault: cut}\n");
  const auto answer = [&](const std::string& token) {
    fakeapi::Response response;
    response.continue_token = token;
    place_.answer = &response;
    At(FaultPoint::kBeforeAnswer);
    place_.answer = nullptr;
  };
  const std::string page = std::string(kMaps) + "?continue=";
  EXPECT_FALSE(Strikes("GET", kMaps));
  answer("one");
  EXPECT_FALSE(Strikes("GET", kMaps)) << "somebody else's first page";
  answer("another");
  EXPECT_FALSE(Strikes("GET", page + "one"));
  answer("two");
  EXPECT_TRUE(Strikes("GET", page + "two"));
  EXPECT_TRUE(Strikes("GET", page + "two")) << "asked for again";
  EXPECT_FALSE(Strikes("GET", page + "another"));
  EXPECT_FALSE(Strikes("GET", page + "unheard")) << "nobody knows which page that is";
  Load("- {on: list, page: 1, fault: cut}\n");
  EXPECT_FALSE(Strikes("GET", page + "one"));
  EXPECT_TRUE(Strikes("GET", kMaps));
}

TEST_F(FaultPlacesTest, ASortOfLinesIsStruckEachTime) {
  Load("- {on: watch, line: bookmark, fault: drop}\n");
  Read("GET", std::string(kMaps) + "?watch=1");
  EXPECT_FALSE(StrikesLine(0, EventType::kAdded));
  EXPECT_FALSE(StrikesLine(1, EventType::kBookmark, /*ends_initial=*/true));
  EXPECT_THAT(NeverStruck(), ElementsAre(HasSubstr("no line of its sort came")));
  EXPECT_TRUE(StrikesLine(2, EventType::kBookmark));
  EXPECT_TRUE(StrikesLine(3, EventType::kBookmark));
  EXPECT_THAT(NeverStruck(), IsEmpty());
  Load("- {on: watch, line: initial-end, fault: drop}\n");
  Read("GET", std::string(kMaps) + "?watch=1");
  EXPECT_FALSE(StrikesLine(0, EventType::kBookmark));
  EXPECT_TRUE(StrikesLine(1, EventType::kBookmark, /*ends_initial=*/true));
}

TEST_F(FaultPlacesTest, BehindALineIsNotBeforeTheNext) {
  Load("- {on: watch, sent: 2, fault: close}\n");
  Read("GET", std::string(kMaps) + "?watch=1");
  EXPECT_FALSE(StrikesLine(2, EventType::kAdded));
  EXPECT_EQ(At(FaultPoint::kAfterEvent, 1).kind, Verdict::Kind::kPass);
  EXPECT_THAT(NeverStruck(), ElementsAre(HasSubstr("fewer lines than its \"sent: 2\" were sent")));
  EXPECT_EQ(At(FaultPoint::kAfterEvent, 2).kind, Verdict::Kind::kCut);
}

// What chance strikes of a hundred lists, by seed.
TEST_F(FaultPlacesTest, ChanceStrikesTheSameForTheSameSeed) {
  const auto struck = [&](const std::string& faults, uint64_t seed, const char* target) {
    Load(faults, seed);
    std::string all;
    for (int i = 0; i < 100; ++i)
      all += Read("GET", target).kind == Verdict::Kind::kCut ? 'x' : '.';
    return all;
  };
  const std::string lists = "- {on: list, chance: 0.2, fault: cut}\n";
  const std::string one = struck(lists, 1, kMaps);
  EXPECT_EQ(one, struck(lists, 1, kMaps));
  EXPECT_NE(one, struck(lists, 2, kMaps));
  const auto count = std::count(one.begin(), one.end(), 'x');
  EXPECT_GT(count, 8);
  EXPECT_LT(count, 35);
  EXPECT_EQ(one, struck(lists + "- {on: list, chance: 0.5, fault: delay, for: 1s}\n", 1, kMaps))
      << "another fault draws from a stream of its own";
  // Each strikes or not by itself: neither as another does, nor as another did a request before.
  const auto delayed = [&](uint64_t seed) {
    Load(lists + "- {on: list, chance: 0.2, fault: status, code: 500}\n", seed);
    std::string all;
    for (int i = 0; i < 100; ++i)
      all += Read("GET", kMaps).kind == Verdict::Kind::kAnswer ? 'x' : '.';
    return all;
  };
  const std::string two = delayed(1);
  for (const int later : {-1, 0, 1}) {
    int both = 0;
    for (int i = 1; i < 99; ++i)
      both += two[static_cast<size_t>(i)] == 'x' && one[static_cast<size_t>(i + later)] == 'x';
    EXPECT_LT(both, 10) << later;
  }
  EXPECT_EQ(struck("- {on: list, nth: 3-4, chance: 0.999, fault: cut}\n", 1, kMaps).substr(0, 6),
            "..xx..");
}

TEST_F(FaultPlacesTest, AChanceThatNeverCameIsTold) {
  Load("- {on: list, chance: 0.000001, fault: cut}\n");
  EXPECT_FALSE(Strikes("GET", kMaps));
  EXPECT_FALSE(Strikes("GET", kMaps));
  EXPECT_THAT(NeverStruck(), ElementsAre(HasSubstr("(cut) never struck: its chance of 1e-06 did "
                                                   "not come in 2 times")));
}

TEST_F(FaultPlacesTest, WhatComesLaterCountsWhenItComes) {
  Load(
      "- {on: watch, events: 0, fault: reorder, behind: 2}\n"
      "- {on: list, fault: cut-next}\n"
      "- {on: watch, nth: 2, bytes: headers, fault: cut}\n"
      "- {on: watch, nth: 3, events: 0, inside: character, fault: cut}\n");
  const std::string watch = std::string(kMaps) + "?watch=1";
  Read("GET", watch);
  EXPECT_TRUE(StrikesLine(0, EventType::kAdded));
  EXPECT_TRUE(Strikes("GET", kMaps));
  EXPECT_TRUE(Strikes("GET", watch));
  Read("GET", watch);
  EXPECT_TRUE(StrikesLine(0, EventType::kAdded));
  EXPECT_THAT(
      NeverStruck(),
      ElementsAre(HasSubstr("(reorder) never struck: no 2 lines came behind its line"),
                  HasSubstr("(cut-next) never struck: no request came after its own"),
                  HasSubstr("(cut) never struck: no head was sent"),
                  HasSubstr("(cut) never struck: its line has only characters of one byte")));
  for (int tag = 1; tag <= 4; ++tag) script_->Struck(tag, kSimulationEpoch);
  EXPECT_THAT(NeverStruck(), IsEmpty());
}

TEST_F(FaultPlacesTest, AnAnswerIsLostOnceItIsMade) {
  Load("- {on: update, fault: lost, how: reset}\n");
  EXPECT_FALSE(Strikes("PUT", kMap));
  EXPECT_THAT(NeverStruck(), ElementsAre(HasSubstr("no answer was given where it was due")));
  const Verdict verdict = At(FaultPoint::kBeforeAnswer);
  EXPECT_EQ(verdict.kind, Verdict::Kind::kCut);
  EXPECT_EQ(verdict.how, fakeapi::CutHow::kReset);
}

}  // namespace
}  // namespace relist
