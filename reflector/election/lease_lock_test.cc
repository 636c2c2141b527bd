#include "reflector/election/lease_lock.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "reflector/testing/rest_bench.h"

namespace relist {
namespace lease_lock_test {

using nlohmann::json;
using testing::Answer;
using ::testing::ElementsAre;
using testing::Failure;
using ::testing::StartsWith;

constexpr char kLease[] =
    R"({"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"bar","namespace":"foo",)"
    R"("resourceVersion":"7","labels":{"a":"1","b":"2"}},"spec":{"holderIdentity":"bing",)"
    R"("leaseDurationSeconds":15,"acquireTime":"2025-01-01T00:00:00.000001Z",)"
    R"("renewTime":"2025-01-01T00:00:02.000000Z","leaseTransitions":3,"preferredHolder":"p",)"
    R"("strategy":"s"}})";

LeaderElectionRecord RecordOfTest() {
  LeaderElectionRecord record;
  record.holder_identity = "bing";
  record.lease_duration_seconds = 15;
  record.acquire_time = "2025-01-01T00:00:00.000001Z";
  record.renew_time = "2025-01-01T00:00:02.000000Z";
  record.leader_transitions = 3;
  record.preferred_holder = "p";
  record.strategy = "s";
  return record;
}

template <class T>
Task<void> KeepResult(Task<T> task, std::optional<T>* into) {
  into->emplace(co_await task);
}

struct LockBench : testing::RestBench {
  explicit LockBench(LeaseLockOptions options = {}) : lock(rest, Named(std::move(options))) {}
  static LeaseLockOptions Named(LeaseLockOptions options) {
    options.ns = "foo";
    options.name = "bar";
    options.identity = "baz";
    return options;
  }
  template <class T>
  T Finish(Task<T> task) {
    std::optional<T> result;
    scope.Spawn(KeepResult<T>(std::move(task), &result));
    loop.RunUntil([&] { return result.has_value(); }, loop.Now() + Seconds(1000));
    CHECK(result.has_value(), "it never came back");
    return *result;
  }
  LeaseLock lock;
};

TEST(LeaseLock, ReadsTheRecordOfALease) {  // TestGet, TestLeaseConversion
  LockBench bench;
  bench.server.Then(Answer(200, kLease));
  const auto record = bench.Finish(bench.lock.Get(bench.stop));
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(*record, RecordOfTest());
  EXPECT_EQ(bench.server.requests()[0].target,
            "/apis/coordination.k8s.io/v1/namespaces/foo/leases/bar");
  EXPECT_EQ(bench.lock.Describe(), "foo/bar");
}

TEST(LeaseLock, TakesWhatIsMissingForEmpty) {
  for (const char* text : {"{}", R"({"spec":null})", R"({"spec":7})",
                           R"({"spec":{"holderIdentity":7,"leaseDurationSeconds":"x"}})"}) {
    EXPECT_EQ(RecordOfLease(**Object::Parse(text)), LeaderElectionRecord{}) << text;
  }
}

TEST(LeaseLock, MakesALease) {
  LockBench bench({.labels = {{"held", "yes"}}});
  bench.server.Then(Answer(201, kLease));
  ASSERT_TRUE(bench.Finish(bench.lock.Create(RecordOfTest(), bench.stop)).ok());
  const auto& request = bench.server.requests()[0];
  EXPECT_THAT(request.head,
              StartsWith("POST /apis/coordination.k8s.io/v1/namespaces/foo/leases HTTP"));
  const json sent = json::parse(request.body);
  EXPECT_EQ(sent["metadata"],
            json::parse(R"({"name":"bar","namespace":"foo","labels":{"held":"yes"}})"));
  EXPECT_EQ(sent["spec"], json::parse(kLease)["spec"]);
}

TEST(LeaseLock, UpdatesTheLeaseThatItReadLast) {  // TestLabelUpdate, TestUpdateWithNilLabels...
  LockBench bench({.labels = {{"b", "new"}, {"held", "yes"}}});
  bench.server.Then(Answer(200, kLease)).Then(Answer(200, kLease));
  ASSERT_TRUE(bench.Finish(bench.lock.Get(bench.stop)).ok());
  LeaderElectionRecord record = RecordOfTest();
  record.holder_identity = "baz";
  record.strategy.clear();
  ASSERT_TRUE(bench.Finish(bench.lock.Update(record, bench.stop)).ok());
  const auto& request = bench.server.requests()[1];
  EXPECT_TRUE(request.head.starts_with("PUT ")) << request.head;
  json expected = json::parse(kLease);
  expected["spec"]["holderIdentity"] = "baz";
  expected["spec"].erase("strategy");
  expected["metadata"]["labels"] = {{"a", "1"}, {"b", "new"}, {"held", "yes"}};
  EXPECT_EQ(json::parse(request.body), expected);
}

TEST(LeaseLock, DoesNotUpdateWhatItHasNotRead) {  // TestUpdateError
  LockBench bench;
  EXPECT_EQ(bench.Finish(bench.lock.Update(RecordOfTest(), bench.stop)).error().message(),
            "lease not initialized, call get or create first");
  EXPECT_EQ(bench.server.requests().size(), 0u);
}

TEST(LeaseLock, PassesErrorsOn) {  // TestGetError, TestCreateError
  LockBench bench;
  bench.server.Then(Failure(404, "NotFound")).Then(Failure(409, "AlreadyExists"));
  EXPECT_TRUE(IsNotFound(bench.Finish(bench.lock.Get(bench.stop)).error()));
  EXPECT_EQ(bench.Finish(bench.lock.Create({}, bench.stop)).error().status.reason, "AlreadyExists");
}

TEST(LeaseLock, GivesARequestFiveSeconds) {
  LockBench bench;
  EXPECT_EQ(bench.Finish(bench.lock.Get(bench.stop)).error().transport, Transport::kTimeout);
  EXPECT_EQ(bench.Elapsed(), Seconds(5));
}

TEST(LeaseLock, TellsEventsWithItsIdentity) {  // TestRecordEventSuccess, ...NilRecorder
  std::vector<std::string> events;
  LockBench bench({.on_event = [&](const std::string& what) { events.push_back(what); }});
  bench.lock.RecordEvent("became leader");
  EXPECT_THAT(events, ElementsAre("baz became leader"));
  LockBench silent;
  silent.lock.RecordEvent("became leader");
}

TEST(LeaseLock, WritesTimesWithSixDigits) {
  EXPECT_EQ(FormatMicroTime(kSimulationEpoch), "2026-01-01T00:00:00.000000Z");
  EXPECT_EQ(FormatMicroTime(kSimulationEpoch + Millis(1002) + std::chrono::microseconds(3)),
            "2026-01-01T00:00:01.002003Z");
}

}  // namespace lease_lock_test
}  // namespace relist
