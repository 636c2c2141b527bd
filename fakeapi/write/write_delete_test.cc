#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/write/write_bench.h"

namespace relist::fakeapi {
namespace write_delete_test {

using Json = WriteBench::Json;
using Events = std::vector<std::string>;

constexpr const char* kPod =
    R"({"metadata":{"name":"p"},"spec":{"containers":[],"nodeName":"n1"}})";

TEST(Deleting, AnswersAStatusOrWhereTheRealServerDoesTheObject) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  bench.Create("svc", R"({"metadata":{"name":"s"}})");
  EXPECT_EQ(bench.Delete("cm", "a")["status"], "Success");
  EXPECT_EQ(bench.Delete("svc", "s")["kind"], "Service");
  EXPECT_EQ(bench.Find("cm", "a"), nullptr);
  EXPECT_EQ(bench.Find("svc", "s"), nullptr);
}

TEST(Deleting, BackgroundFromABodyIsWhatKubectlSends) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(bench.Delete("cm", "a", R"({"propagationPolicy":"Background"})")["status"], "Success");
}

TEST(Deleting, AHeldObjectIsMarkedOnceAndGoesWithItsLastFinalizer) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a","finalizers":["x/1","x/2"]}})");
  bench.TakeEvents();
  bench.Delete("cm", "a");
  bench.now += Seconds(60);
  const Json again = bench.Delete("cm", "a");
  EXPECT_EQ(again["metadata"]["deletionTimestamp"], "2026-01-01T00:00:00Z");
  EXPECT_EQ(bench.TakeEvents(), Events{"MODIFIED configmaps default/a"});
  bench.Patch("cm", "a", R"({"metadata":{"finalizers":["x/2","x/3"]}})");
  EXPECT_EQ(bench.status(), 422);
  bench.Patch("cm", "a", R"({"metadata":{"finalizers":["x/2"]}})");
  EXPECT_EQ(bench.status(), 200);
  ASSERT_NE(bench.Find("cm", "a"), nullptr);
  bench.Patch("cm", "a", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(bench.Find("cm", "a"), nullptr);
  EXPECT_EQ(bench.TakeEvents(),
            (Events{"MODIFIED configmaps default/a", "DELETED configmaps default/a"}));
}

TEST(Deleting, ANamespaceThatIsGoingIsLeftAsItIs) {
  WriteBench bench;
  bench.ns = "";
  bench.Create("ns", R"({"metadata":{"name":"team"}})");
  bench.Delete("ns", "team");
  bench.TakeEvents();
  const Json again = bench.Delete("ns", "team", "", {{"propagationPolicy", "Foreground"}});
  EXPECT_EQ(bench.status(), 200);
  EXPECT_EQ(again["status"]["phase"], "Terminating");
  EXPECT_FALSE(again["metadata"].contains("finalizers"));
  EXPECT_EQ(bench.TakeEvents(), Events{});
}

TEST(Deleting, ForegroundAndOrphanLeaveAFinalizerForTheCollector) {
  WriteBench bench;
  for (const auto& [policy, finalizer] :
       {std::pair{"Foreground", "foregroundDeletion"}, std::pair{"Orphan", "orphan"}}) {
    bench.Create("cm", R"({"metadata":{"name":"a"}})");
    const Json held = bench.Delete("cm", "a", "", {{"propagationPolicy", policy}});
    EXPECT_EQ(held["metadata"]["finalizers"], Json::array({finalizer}));
    bench.Delete("cm", "a", "", {{"propagationPolicy", "Background"}});
    EXPECT_EQ(bench.Find("cm", "a"), nullptr);
  }
  bench.Create("events", R"({"metadata":{"name":"e"}})");
  bench.Delete("events", "e", "", {{"propagationPolicy", "Foreground"}});
  EXPECT_EQ(bench.Find("events", "e"), nullptr);
}

TEST(Deleting, APodWithANodeGetsItsGracePeriodWhichCanOnlyBeShortened) {
  WriteBench bench;
  bench.Create("pods", kPod);
  Json pod = bench.Delete("pods", "p");
  EXPECT_EQ(pod["metadata"]["deletionGracePeriodSeconds"], 30);
  EXPECT_EQ(pod["metadata"]["deletionTimestamp"], "2026-01-01T00:00:30Z");
  EXPECT_EQ(pod["metadata"]["generation"], 2);
  pod = bench.Delete("pods", "p", "", {{"gracePeriodSeconds", "60"}});
  EXPECT_EQ(pod["metadata"]["deletionGracePeriodSeconds"], 30);
  pod = bench.Delete("pods", "p", R"({"gracePeriodSeconds":5})");
  EXPECT_EQ(pod["metadata"]["deletionTimestamp"], "2026-01-01T00:00:05Z");
  bench.TakeEvents();
  bench.Delete("pods", "p", "", {{"gracePeriodSeconds", "0"}});
  EXPECT_EQ(bench.TakeEvents(), (Events{"MODIFIED pods default/p", "DELETED pods default/p"}));
}

TEST(Deleting, APodThatIsDoneGoesAtOnce) {
  WriteBench bench;
  bench.Create("pods", kPod);
  bench.subresource = "status";
  bench.Patch("pods", "p", R"({"status":{"phase":"Succeeded"}})");
  bench.Delete("pods", "p");
  EXPECT_EQ(bench.Find("pods", "p"), nullptr);
}

TEST(Deleting, PreconditionsAreCheckedFirst) {
  WriteBench bench;
  const Json made = bench.Create("deploy", R"({"metadata":{"name":"a"}})");
  const Json refused = bench.Delete("deploy", "a", R"({"preconditions":{"uid":"x"}})");
  EXPECT_EQ(bench.status(), 409);
  EXPECT_TRUE(refused["message"].get<std::string>().starts_with(
      "Operation cannot be fulfilled on Deployment.apps \"a\": the UID in the precondition (x)"));
  const std::string good = R"({"preconditions":{"uid":")" +
                           made["metadata"]["uid"].get<std::string>() + R"(","resourceVersion":")" +
                           made["metadata"]["resourceVersion"].get<std::string>() + "\"}}";
  bench.Delete("deploy", "a", good);
  EXPECT_EQ(bench.status(), 200);
}

TEST(Deleting, ADryRunLeavesEverything) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  bench.Create("pods", kPod);
  const uint64_t before = bench.store.revision();
  bench.Delete("cm", "a", "", {{"dryRun", "All"}});
  EXPECT_EQ(bench.status(), 200);
  bench.Delete("pods", "p", R"({"dryRun":["All"]})");
  EXPECT_EQ(bench.store.revision(), before);
  bench.Delete("cm", "a", "", {{"dryRun", "Some"}});
  EXPECT_EQ(bench.status(), 422);
}

TEST(Deleting, OptionsThatContradictOrAreNoneAreRefused) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  bench.Delete("cm", "a", R"({"orphanDependents":true,"propagationPolicy":"Orphan"})");
  EXPECT_EQ(bench.status(), 422);
  bench.Delete("cm", "a", "{nonsense");
  EXPECT_EQ(bench.status(), 400);
  bench.Delete("cm", "a", R"({"gracePeriodSeconds":"x"})");
  EXPECT_EQ(bench.status(), 400);
  bench.Delete("cm", "a", std::string(1000, '['));
  EXPECT_EQ(bench.status(), 400);
  EXPECT_NE(bench.Find("cm", "a"), nullptr);
}

TEST(Deleting, ANamespaceTerminatesUntilItIsFinalized) {
  WriteBench bench;
  bench.Create("ns", R"({"metadata":{"name":"n"}})");
  EXPECT_EQ(bench.Delete("ns", "n")["status"]["phase"], "Terminating");
  bench.subresource = "finalize";
  bench.Replace("ns", "n", R"({"metadata":{"name":"n"},"spec":{"finalizers":[]}})");
  EXPECT_EQ(bench.status(), 200);
  EXPECT_EQ(bench.Find("ns", "n"), nullptr);
}

TEST(Deleting, TheClustersOwnNamespacesStay) {
  WriteBench bench;
  for (const char* name : {"default", "kube-system", "kube-public"}) {
    EXPECT_EQ(
        bench.Delete("ns", name)["message"],
        "namespaces \"" + std::string(name) + "\" is forbidden: this namespace may not be deleted");
    EXPECT_EQ(bench.status(), 403);
  }
}

TEST(Deleting, ACollectionGoesBySelectorsAndOnlyInItsNamespace) {
  WriteBench bench;
  bench.Create("ns", R"({"metadata":{"name":"other"}})");
  for (const char* ns : {"default", "other"}) {
    bench.ns = ns;
    bench.Create("cm", R"({"metadata":{"name":"a","labels":{"x":"1"}}})");
    bench.Create("cm", R"({"metadata":{"name":"b","labels":{"x":"1"}}})");
    bench.Create("cm", R"({"metadata":{"name":"c"}})");
  }
  const Json gone = bench.Send(WriteVerb::kDeleteCollection, "cm", "", "",
                               {{"labelSelector", "x"}, {"fieldSelector", "metadata.name!=b"}}, "");
  EXPECT_EQ(gone["kind"], "ConfigMapList");
  EXPECT_EQ(gone["items"].size(), 1u);
  EXPECT_EQ(bench.store.All(*FindByName("cm")).size(), 5u);
  bench.Send(WriteVerb::kDeleteCollection, "cm", "", "", {{"labelSelector", "=="}}, "");
  EXPECT_EQ(bench.status(), 400);
  bench.Send(WriteVerb::kDeleteCollection, "cm", "", "", {{"limit", "1"}}, "");
  EXPECT_EQ(bench.status(), 501);
}

}  // namespace write_delete_test
}  // namespace relist::fakeapi
