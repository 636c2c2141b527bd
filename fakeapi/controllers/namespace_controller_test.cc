#include "fakeapi/controllers/namespace_controller.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/controllers_bench.h"
#include "fakeapi/object_loader.h"

namespace relist::fakeapi {
namespace namespace_controller_test {

using Json = ControllersBench::Json;
using Events = std::vector<std::string>;

constexpr const char* kTeam = "/api/v1/namespaces/team";
constexpr const char* kPodOnNode =
    R"({"metadata":{"name":"p"},"spec":{"nodeName":"n1","containers":[{"name":"c","image":"i"}]}})";

// Type, status, reason, message of each.
std::vector<std::vector<std::string>> ConditionsOf(const Json& ns) {
  std::vector<std::vector<std::string>> all;
  for (const Json& one : ns["status"].value("conditions", Json::array())) {
    all.push_back({one["type"], one["status"], one["reason"], one["message"]});
  }
  return all;
}

std::vector<std::string> ConditionOf(const Json& ns, const std::string& type) {
  for (const std::vector<std::string>& one : ConditionsOf(ns)) {
    if (one[0] == "Namespace" + type) return {one[1], one[2], one[3]};
  }
  return {};
}

void MakeTeam(ControllersBench& bench) {
  bench.Send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})");
  ASSERT_EQ(bench.status, 201);
}

TEST(NamespaceController, EmptiesANamespaceAndLetsItGo) {
  ControllersBench bench;
  MakeTeam(bench);
  bench.Make("team", "b");
  bench.Make("team", "a");
  bench.Make("default", "a");
  bench.Send("POST", "/api/v1/namespaces/team/secrets", R"({"metadata":{"name":"s"}})");
  bench.Send("POST", "/api/v1/namespaces/team/pods",
             R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  bench.Send("POST", "/apis/coordination.k8s.io/v1/namespaces/team/leases",
             R"({"metadata":{"name":"l"}})");
  bench.TakeEvents();
  const Json answer = bench.Send("DELETE", kTeam);
  EXPECT_EQ(answer["status"]["phase"], "Terminating");
  EXPECT_EQ(bench.TakeEvents(), Events{"MODIFIED namespaces team"});
  bench.RunFor(Millis(4999));
  EXPECT_EQ(bench.TakeEvents(), Events{});
  bench.RunFor(Millis(1));
  EXPECT_EQ(bench.TakeEvents(),
            (Events{"MODIFIED pods team/p", "DELETED pods team/p", "DELETED configmaps team/a",
                    "DELETED configmaps team/b", "DELETED secrets team/s", "DELETED leases team/l",
                    "MODIFIED namespaces team", "DELETED namespaces team"}));
  EXPECT_TRUE(bench.Has("default", "a"));
  bench.Get(kTeam);
  EXPECT_EQ(bench.status, 404);
}

TEST(NamespaceController, SaysWhatItDidInTheConditionsOfTheLastState) {
  ControllersBench bench;
  MakeTeam(bench);
  bench.Send("DELETE", kTeam);
  bench.RunFor(Seconds(5));
  const std::vector<std::vector<std::string>> wanted = {
      {"NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered",
       "All resources successfully discovered"},
      {"NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions",
       "All legacy kube types successfully parsed"},
      {"NamespaceDeletionContentFailure", "False", "ContentDeleted",
       "All content successfully deleted, may be waiting on finalization"},
      {"NamespaceContentRemaining", "False", "ContentRemoved", "All content successfully removed"},
      {"NamespaceFinalizersRemaining", "False", "ContentRemoved",
       "All content successfully removed"}};
  EXPECT_EQ(ConditionsOf(bench.Last()), wanted);
  EXPECT_EQ(bench.Last()["status"]["conditions"][0]["lastTransitionTime"], "2026-01-01T00:00:05Z");
}

TEST(NamespaceController, WaitsForWhatFinalizersHold) {
  ControllersBench bench;
  MakeTeam(bench);
  bench.Make("team", "a", R"(,"finalizers":["example.com/x"])");
  bench.Make("team", "b", R"(,"finalizers":["example.com/x","example.com/w"])");
  bench.Make("team", "c");
  bench.Send("DELETE", kTeam);
  bench.TakeEvents();
  bench.RunFor(Seconds(5));
  EXPECT_EQ(bench.TakeEvents(), (Events{"MODIFIED configmaps team/a", "MODIFIED configmaps team/b",
                                        "DELETED configmaps team/c", "MODIFIED namespaces team"}));
  Json ns = bench.Get(kTeam);
  EXPECT_EQ(ConditionOf(ns, "ContentRemaining"),
            (Events{"True", "SomeResourcesRemain",
                    "Some resources are remaining: configmaps. has 2 resource instances"}));
  EXPECT_EQ(ConditionOf(ns, "FinalizersRemaining"),
            (Events{"True", "SomeFinalizerRemain",
                    "Some finalizers are remaining: example.com/w in 1 resource instances, "
                    "example.com/x in 2 resource instances"}));
  EXPECT_EQ(ConditionOf(ns, "DeletionContentFailure")[0], "False");
  // It looks again, and has nothing to say.
  bench.RunFor(Seconds(60));
  EXPECT_EQ(bench.TakeEvents(), Events{});
  const auto release = [&bench](const char* name) {
    bench.Patch(std::string(kTeam) + "/configmaps/" + name, R"({"metadata":{"finalizers":null}})");
  };
  // Another text is no turn.
  release("b");
  bench.RunFor(Seconds(8));
  ns = bench.Get(kTeam);
  EXPECT_EQ(ConditionOf(ns, "FinalizersRemaining")[2],
            "Some finalizers are remaining: example.com/x in 1 resource instances");
  EXPECT_EQ(ns["status"]["conditions"][4]["lastTransitionTime"], "2026-01-01T00:00:05Z");
  release("a");
  bench.TakeEvents();
  bench.RunFor(Seconds(8));
  EXPECT_EQ(bench.TakeEvents(), (Events{"MODIFIED namespaces team", "DELETED namespaces team"}));
  EXPECT_EQ(ConditionOf(bench.Last(), "ContentRemaining")[0], "False");
  // Of those that turned the time is new, of the others it is not.
  EXPECT_EQ(bench.Last()["status"]["conditions"][2]["lastTransitionTime"], "2026-01-01T00:00:05Z");
  EXPECT_GT(bench.Last()["status"]["conditions"][3]["lastTransitionTime"], "2026-01-01T00:01:05Z");
}

TEST(NamespaceController, LeavesAllElseAloneWhileAPodIsThere) {
  ControllersBench bench;
  MakeTeam(bench);
  bench.Send("POST", std::string(kTeam) + "/pods", kPodOnNode);
  bench.Make("team", "a");
  bench.Send("DELETE", kTeam);
  bench.TakeEvents();
  bench.RunFor(Seconds(29));
  // Good conditions, as the real one writes them here.
  EXPECT_EQ(bench.TakeEvents(), (Events{"MODIFIED pods team/p", "MODIFIED namespaces team"}));
  EXPECT_EQ(ConditionOf(bench.Get(kTeam), "ContentRemaining")[0], "False");
  // Beyond its grace it is in the way.
  bench.RunFor(Seconds(30));
  EXPECT_EQ(ConditionOf(bench.Get(kTeam), "DeletionContentFailure"),
            (Events{"True", "ContentDeletionFailed",
                    "Failed to delete all resource types, 1 remaining: unexpected items still "
                    "remain in namespace: team for gvr: /v1, Resource=pods"}));
  EXPECT_TRUE(bench.Has("team", "a"));
  bench.Send("DELETE", std::string(kTeam) + "/pods/p?gracePeriodSeconds=0");
  bench.TakeEvents();
  bench.RunFor(Seconds(60));
  EXPECT_EQ(bench.TakeEvents(), (Events{"DELETED configmaps team/a", "MODIFIED namespaces team",
                                        "DELETED namespaces team"}));
}

TEST(NamespaceController, LooksAgainAfterHalfOfWhatFinalizersAreThoughtToTake) {
  ControllersBench bench;
  MakeTeam(bench);
  // It has ended: the time that it would have had does not count.
  bench.Send("POST", std::string(kTeam) + "/pods",
             R"({"metadata":{"name":"p","finalizers":["example.com/x"]},"spec":{"nodeName":"n",)"
             R"("containers":[{"name":"c","image":"i"}]}})");
  bench.Patch(std::string(kTeam) + "/pods/p/status", R"({"status":{"phase":"Succeeded"}})");
  ASSERT_EQ(bench.status, 200);
  bench.Send("DELETE", kTeam);
  bench.RunFor(Seconds(10));  // at 5 s conditions were written, and brought it back at 10 s
  EXPECT_EQ(bench.server.NextDeadline(), bench.now + Seconds(8));
}

TEST(NamespaceController, LeavesTheContentToWhomeverElseHoldsTheNamespace) {
  ControllersBench bench;
  const Result<Loaded> loaded = bench.server.LoadObjects(
      R"({"kind":"List","apiVersion":"v1","items":[{"kind":"Namespace","apiVersion":"v1",)"
      R"("metadata":{"name":"team","deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["example.com/x"]},)"
      R"("spec":{},"status":{"phase":"Terminating"}},)"
      R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"team"}}]})",
      bench.now);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message();
  ASSERT_FALSE(bench.Get(kTeam)["spec"].contains("finalizers"));
  bench.RunFor(Seconds(60));
  EXPECT_TRUE(bench.Has("team", "a"));
}

TEST(NamespaceController, TriesAgainAtLongerAndLongerIntervals) {
  ControllersBench bench;
  MakeTeam(bench);
  bench.Send("POST", std::string(kTeam) + "/pods",
             R"({"metadata":{"name":"p"},"spec":{"terminationGracePeriodSeconds":1,"nodeName":"n",
                 "containers":[{"name":"c","image":"i"}]}})");
  bench.Send("DELETE", kTeam);
  bench.RunFor(Seconds(5));
  const std::vector<int64_t> waits = bench.Waits(20);
  EXPECT_EQ(waits[0], 5);
  EXPECT_EQ(waits[1], 10);
  EXPECT_EQ(waits.back(), 60000);
}

TEST(NamespaceController, TakesItsOwnFinalizerOnly) {
  ControllersBench bench;
  bench.Send(
      "POST", "/api/v1/namespaces",
      R"({"metadata":{"name":"team"},"spec":{"finalizers":["example.com/z","example.com/y"]}})");
  bench.Send("DELETE", kTeam);
  bench.TakeEvents();
  bench.RunFor(Seconds(120));
  EXPECT_EQ(bench.TakeEvents(), (Events{"MODIFIED namespaces team", "MODIFIED namespaces team"}));
  EXPECT_EQ(bench.Get(kTeam)["spec"]["finalizers"],
            Json::array({"example.com/y", "example.com/z"}));
  EXPECT_EQ(bench.server.NextDeadline() > bench.now, true);
}

TEST(NamespaceController, AMarkedNamespaceThatIsNotTerminatingBecomesSo) {
  ControllersBench bench;
  const Result<Loaded> loaded = bench.server.LoadObjects(
      R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":"team","deletionTimestamp":"2026-01-01T00:00:00Z"},)"
      R"("spec":{"finalizers":["kubernetes","example.com/z"]},"status":{"phase":"Active"}})",
      bench.now);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message();
  bench.TakeEvents();
  bench.RunFor(Seconds(5));
  EXPECT_EQ(bench.Get(kTeam)["status"]["phase"], "Terminating");
  EXPECT_EQ(bench.TakeEvents(), (Events{"MODIFIED namespaces team", "MODIFIED namespaces team",
                                        "MODIFIED namespaces team"}));
}

TEST(NamespaceController, LeavesANewNamespaceOfTheSameNameAlone) {
  ControllersBench bench;
  MakeTeam(bench);
  bench.Send("DELETE", kTeam);
  bench.RunFor(Seconds(5));
  MakeTeam(bench);
  bench.Make("team", "a");
  bench.RunFor(Seconds(60));
  EXPECT_TRUE(bench.Has("team", "a"));
  EXPECT_EQ(bench.server.NextDeadline(), kNever);
}

}  // namespace namespace_controller_test
}  // namespace relist::fakeapi
