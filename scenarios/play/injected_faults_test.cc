#include "scenarios/play/injected_faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace relist {
namespace {

using fakeapi::FaultPlace;
using fakeapi::FaultPoint;
using fakeapi::Request;
using fakeapi::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kBusy[] = R"({"faults": [{"fault": "status", "on": "list", "code": 429}]})";

class InjectedFaultsTest : public testing::Test {
 protected:
  // The status with which the next list is answered; 0: the server's own.
  int List(InjectedFaults& faults, const std::string& user_agent = "test") {
    const Request request{"GET", "/api/v1/configmaps", {{"User-Agent", user_agent}}, ""};
    FaultPlace place = fakeapi::PlaceOf(request);
    place.request_id = ++requests_;
    place.now = kSimulationEpoch;
    place.point = FaultPoint::kRequestRead;
    const Verdict verdict = faults.At(place);
    return verdict.kind == Verdict::Kind::kAnswer ? verdict.answer.status : 0;
  }

  uint64_t requests_ = 0;
  InjectedFaults faults_{nullptr};
};

TEST_F(InjectedFaultsTest, StrikeFromWhenTheyCame) {
  EXPECT_FALSE(faults_.MayStrike());
  EXPECT_EQ(List(faults_), 0);
  ASSERT_EQ(*faults_.Add(kBusy), 1);
  EXPECT_TRUE(faults_.MayStrike());
  EXPECT_THAT(faults_.NeverStruck(kSimulationEpoch),
              ElementsAre(HasSubstr("inject-1:1:13: this fault (status) never struck")));
  EXPECT_EQ(List(faults_), 429) << "the first from now on";
  EXPECT_EQ(List(faults_), 0);
  EXPECT_THAT(faults_.NeverStruck(kSimulationEpoch), IsEmpty());
}

TEST_F(InjectedFaultsTest, ComeInAnyNumberAndGo) {
  ASSERT_TRUE(faults_.Add(kBusy).ok());
  ASSERT_EQ(
      *faults_.Add(R"({"faults": [{"fault": "status", "on": "list", "nth": "2-3", "code": 500},
                                         {"fault": "cut", "on": "watch"}]})"),
      2);
  EXPECT_EQ(List(faults_), 429);
  EXPECT_EQ(List(faults_), 500) << "it counted the one that another answered";
  faults_.Clear();
  EXPECT_EQ(List(faults_), 0);
  EXPECT_FALSE(faults_.MayStrike());
}

TEST_F(InjectedFaultsTest, EachLotThrowsDiceOfItsOwn) {
  for (int lot = 0; lot < 2; ++lot) {
    const int code = 500 + lot;
    ASSERT_TRUE(
        faults_
            .Add(R"({"faults": [{"fault": "status", "on": "list", "chance": 0.5, "code": )" +
                 std::to_string(code) + "}]}")
            .ok());
  }
  std::map<int, int> answered;
  for (int i = 0; i < 100; ++i) ++answered[List(faults_)];
  EXPECT_GT(answered[500], 25);
  EXPECT_GT(answered[501], 10) << "where the first one did not strike";
  EXPECT_GT(answered[0], 10);
}

TEST_F(InjectedFaultsTest, HaveANameByWhichTheyEnd) {
  ASSERT_TRUE(faults_.Add(kBusy).ok());
  EXPECT_EQ(faults_.newest(), "inject-1");
  ASSERT_TRUE(faults_
                  .Add(R"({"faults": [{"fault": "cut", "on": "watch"},
                                         {"fault": "close", "on": "watch"}]})")
                  .ok());
  EXPECT_THAT(faults_.NeverStruck(kSimulationEpoch),
              ElementsAre(HasSubstr("inject-1:1:13: "), HasSubstr("inject-2:1:13: "),
                          HasSubstr("inject-2:2:")));
  EXPECT_EQ(*faults_.End("inject-1"), 1);
  EXPECT_EQ(List(faults_), 0);
  ASSERT_EQ(faults_.InForce().size(), 1u);
  EXPECT_EQ(faults_.InForce()[0].name, "inject-2");
  EXPECT_EQ(faults_.InForce()[0].faults, 2);
  const Result<int> again = faults_.End("inject-1");
  ASSERT_FALSE(again.ok());
  EXPECT_THAT(again.error().message(), HasSubstr("no \"inject-1\" is in force"));
  EXPECT_EQ(*faults_.End(""), 2);
  EXPECT_EQ(*faults_.End(""), 0);
  ASSERT_TRUE(faults_.Add(kBusy).ok());
  EXPECT_EQ(faults_.newest(), "inject-3") << "a name is given once";
}

TEST_F(InjectedFaultsTest, WaitBehindTheScript) {
  const Result<Scenario> scenario =
      ParseScenario("name: x\nfaults: [{fault: status, on: list, code: 503}]\n", "s.yaml");
  ASSERT_TRUE(scenario.ok());
  FaultScript script(*scenario);
  InjectedFaults both(&script);
  ASSERT_TRUE(
      both.Add(R"({"faults": [{"fault": "status", "on": "list", "nth": "every", "code": 429}]})")
          .ok());
  EXPECT_EQ(List(both), 503);
  EXPECT_EQ(List(both), 429);
  EXPECT_TRUE(both.AcceptsConnections(kSimulationEpoch));
}

TEST_F(InjectedFaultsTest, AtAByteCountWhenItIsReached) {
  ASSERT_TRUE(faults_.Add(kBusy).ok());
  ASSERT_TRUE(
      faults_.Add(R"({"faults": [{"fault": "cut", "on": "list", "nth": 2, "bytes": 10}]})").ok());
  EXPECT_EQ(List(faults_), 429);
  const Request request{"GET", "/api/v1/configmaps", {}, ""};
  FaultPlace place = fakeapi::PlaceOf(request);
  place.request_id = ++requests_;
  place.point = FaultPoint::kRequestRead;
  Verdict verdict = faults_.At(place);
  place.point = FaultPoint::kBeforeAnswer;
  if (verdict.kind == Verdict::Kind::kPass) verdict = faults_.At(place);
  ASSERT_EQ(verdict.kind, Verdict::Kind::kCut);
  EXPECT_EQ(faults_.NeverStruck(kSimulationEpoch).size(), 1u);
  faults_.Struck(verdict.tag, kSimulationEpoch);
  EXPECT_THAT(faults_.NeverStruck(kSimulationEpoch), IsEmpty());
}

TEST_F(InjectedFaultsTest, ThatAreWrongAreToldWithTheirPlace) {
  const auto mistake = [&](const std::string& body) {
    const Result<int> added = faults_.Add(body);
    return added.ok() ? "" : added.error().message();
  };
  EXPECT_THAT(mistake(R"({"faults": [{"fault": "staus", "on": "list"}]})"), HasSubstr("inject:1:"));
  EXPECT_THAT(mistake(R"({"faults": [{"fault": "staus", "on": "list"}]})"), HasSubstr("status"));
  EXPECT_THAT(mistake(R"({"faults": [{"fault": "cut", "on": "watch", "resource": "gizmos"}]})"),
              HasSubstr("no resource is called \"gizmos\""));
  EXPECT_THAT(mistake(R"({"steps": [], "faults": []})"), HasSubstr("\"steps\""));
  EXPECT_THAT(mistake("[]"), HasSubstr("inject:1:1: "));
  EXPECT_THAT(mistake(""), HasSubstr("inject:1:1: "));
  EXPECT_THAT(faults_.NeverStruck(kSimulationEpoch), IsEmpty()) << "nothing of the wrong ones";
}

TEST_F(InjectedFaultsTest, MeetWhoeverComesAndWhatNoRightServerDoes) {
  ASSERT_TRUE(faults_
                  .Add(R"({"faults": [
    {"fault": "status", "on": "list", "resource": "cm", "client": "kubectl/v1 [linux]", "code": 500},
    {"fault": "status", "on": "list", "resource": "configmaps", "client": "", "code": 300},
    {"fault": "duplicate", "on": "watch", "resource": "pods", "events": 2}]
})")
                  .ok());
  EXPECT_EQ(List(faults_, "kubectl/v2 [linux]"), 300);
  EXPECT_EQ(List(faults_, "kubectl/v1 [linux]"), 500);
  EXPECT_THAT(faults_.NeverStruck(kSimulationEpoch), ElementsAre(HasSubstr("(duplicate)")));
}

}  // namespace
}  // namespace relist
