#include "fakeapi/controllers/garbage_collector.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "fakeapi/controllers_bench.h"
#include "fakeapi/object_loader.h"

namespace relist::fakeapi {
namespace garbage_collector_test {

using Json = ControllersBench::Json;
using Events = std::vector<std::string>;

constexpr const char* kConfigMaps = "/api/v1/namespaces/default/configmaps/";
constexpr const char* kNoSuchUid = "11111111-2222-4333-8444-555555555555";

void Delete(ControllersBench& bench, const std::string& name, const std::string& policy) {
  bench.Send("DELETE", kConfigMaps + name, R"({"propagationPolicy":")" + policy + "\"}");
}

Json OwnersOf(ControllersBench& bench, const std::string& name) {
  Json owners = Json::array();
  const Json metadata = bench.Get(kConfigMaps + name)["metadata"];
  for (const Json& one : metadata.value("ownerReferences", Json::array())) {
    owners.push_back(one["name"]);
  }
  return owners;
}

TEST(GarbageCollector, DeletesDependentsAfterTheirOwnerAndTheirsAfterThem) {
  ControllersBench bench;
  const std::string owner = bench.Make("default", "owner");
  const std::string child = bench.Make("default", "child", OwnedBy({{"owner", owner}}));
  bench.Make("default", "grandchild", OwnedBy({{"child", child}}));
  bench.Make("default", "other", OwnedBy({{"owner", owner}}));
  bench.Make("default", "stranger");
  bench.RunFor(Seconds(1));
  bench.TakeEvents();
  Delete(bench, "owner", "Background");
  // The answer comes before the collector has done anything.
  EXPECT_EQ(bench.TakeEvents(), Events{"DELETED configmaps default/owner"});
  EXPECT_EQ(bench.server.NextDeadline(), bench.now + Millis(10));
  bench.RunFor(Millis(10));
  EXPECT_EQ(bench.TakeEvents(),
            (Events{"DELETED configmaps default/child", "DELETED configmaps default/other"}));
  bench.RunFor(Seconds(1));
  EXPECT_EQ(bench.TakeEvents(), Events{"DELETED configmaps default/grandchild"});
  EXPECT_TRUE(bench.Has("default", "stranger"));
  EXPECT_EQ(bench.server.NextDeadline(), kNever);
}

TEST(GarbageCollector, InTheForegroundTheOwnerGoesLast) {
  ControllersBench bench;
  const std::string owner = bench.Make("default", "owner");
  bench.Make("default", "blocking", OwnedBy({{"owner", owner, true}}));
  bench.Make("default", "free", OwnedBy({{"owner", owner}}));
  bench.TakeEvents();
  Delete(bench, "owner", "Foreground");
  EXPECT_EQ(bench.Last()["metadata"]["finalizers"], Json::array({"foregroundDeletion"}));
  bench.RunFor(Seconds(1));
  EXPECT_EQ(bench.TakeEvents(),
            (Events{"MODIFIED configmaps default/owner", "DELETED configmaps default/blocking",
                    "DELETED configmaps default/free", "DELETED configmaps default/owner"}));
}

TEST(GarbageCollector, OnlyWhoBlocksKeepsTheOwner) {
  ControllersBench bench;
  const std::string owner = bench.Make("default", "owner");
  const std::string held = R"(,"finalizers":["example.com/x"])";
  bench.Make("default", "blocking", held + OwnedBy({{"owner", owner, true}}));
  bench.Make("default", "free", held + OwnedBy({{"owner", owner}}));
  Delete(bench, "owner", "Foreground");
  bench.RunFor(Seconds(60));
  EXPECT_TRUE(bench.Has("default", "owner"));
  bench.TakeEvents();
  bench.Patch(std::string(kConfigMaps) + "blocking", R"({"metadata":{"finalizers":null}})");
  bench.RunFor(Seconds(1));
  EXPECT_EQ(bench.TakeEvents(),
            (Events{"DELETED configmaps default/blocking", "DELETED configmaps default/owner"}));
  EXPECT_TRUE(bench.Has("default", "free"));
}

TEST(GarbageCollector, AReferenceThatBlocksNoMoreLetsTheOwnerGo) {
  for (
      const char* patch :
      {R"({"metadata":{"ownerReferences":null}})",
       R"({"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":"UID"}]}})"}) {
    ControllersBench bench;
    const std::string owner = bench.Make("default", "owner");
    bench.Make("default", "blocking",
               R"(,"finalizers":["example.com/x"])" + OwnedBy({{"owner", owner, true}}));
    Delete(bench, "owner", "Foreground");
    bench.RunFor(Seconds(1));
    std::string text = patch;
    if (const size_t at = text.find("UID"); at != std::string::npos) text.replace(at, 3, owner);
    bench.Patch(std::string(kConfigMaps) + "blocking", text);
    bench.TakeEvents();
    bench.RunFor(Seconds(1));
    EXPECT_EQ(bench.TakeEvents(), Events{"DELETED configmaps default/owner"}) << patch;
  }
}

TEST(GarbageCollector, TheForegroundReachesThoseBelow) {
  ControllersBench bench;
  const std::string owner = bench.Make("default", "owner");
  const std::string child = bench.Make("default", "child", OwnedBy({{"owner", owner, true}}));
  bench.Make("default", "grandchild", OwnedBy({{"child", child, true}}));
  bench.TakeEvents();
  Delete(bench, "owner", "Foreground");
  bench.RunFor(Seconds(1));
  EXPECT_EQ(bench.TakeEvents(),
            (Events{"MODIFIED configmaps default/owner", "MODIFIED configmaps default/child",
                    "DELETED configmaps default/grandchild", "DELETED configmaps default/child",
                    "DELETED configmaps default/owner"}));
}

TEST(GarbageCollector, WhoIsGoingAlreadyIsLeftAlone) {
  ControllersBench bench;
  const std::string owner = bench.Make("default", "owner");
  const std::string child = bench.Make(
      "default", "child", R"(,"finalizers":["example.com/x"])" + OwnedBy({{"owner", owner, true}}));
  bench.Make("default", "grandchild", OwnedBy({{"child", child, true}}));
  Delete(bench, "child", "Background");
  Delete(bench, "owner", "Foreground");
  bench.TakeEvents();
  bench.RunFor(Seconds(60));
  EXPECT_EQ(bench.TakeEvents(), Events{});
}

TEST(GarbageCollector, WhoComesLateIsFoundWhenTheOwnerIsLookedAt) {
  ControllersBench bench;
  const std::string owner = bench.Make("default", "owner");
  bench.Make("default", "early",
             R"(,"finalizers":["example.com/x"])" + OwnedBy({{"owner", owner, true}}));
  Delete(bench, "owner", "Foreground");
  bench.RunFor(Seconds(1));
  bench.Make("default", "late", OwnedBy({{"owner", owner, true}}));
  bench.Patch(std::string(kConfigMaps) + "early", R"({"metadata":{"finalizers":null}})");
  bench.TakeEvents();
  bench.RunFor(Seconds(1));
  EXPECT_EQ(bench.TakeEvents(),
            (Events{"DELETED configmaps default/late", "DELETED configmaps default/owner"}));
}

// As the real one, which looks at the coordinates of new references only.
TEST(GarbageCollector, AReferenceThatChangesItsNameIsNotLookedAt) {
  ControllersBench bench;
  const std::string owner = bench.Make("default", "owner");
  bench.Make("default", "a", OwnedBy({{"owner", owner}}));
  bench.Patch(std::string(kConfigMaps) + "a",
              R"({"metadata":{)" + OwnedBy({{"nobody", owner}}).substr(1) + "}}");
  bench.RunFor(Seconds(60));
  EXPECT_TRUE(bench.Has("default", "a"));
}

TEST(GarbageCollector, TwoThatWaitForEachOtherGo) {
  ControllersBench bench;
  const std::string a = bench.Make("default", "a");
  const std::string b = bench.Make("default", "b", OwnedBy({{"a", a, true}}));
  bench.Patch(std::string(kConfigMaps) + "a",
              R"({"metadata":{)" + OwnedBy({{"b", b, true}}).substr(1) + "}}");
  EXPECT_EQ(bench.status, 200);
  Delete(bench, "a", "Foreground");
  bench.RunFor(Seconds(5));
  EXPECT_FALSE(bench.Has("default", "a"));
  EXPECT_FALSE(bench.Has("default", "b"));
  EXPECT_EQ(bench.server.NextDeadline(), kNever);
}

TEST(GarbageCollector, OrphansLoseTheReferenceBeforeTheOwnerGoes) {
  ControllersBench bench;
  const std::string owner = bench.Make("default", "owner");
  const std::string other = bench.Make("default", "other");
  bench.Make("default", "a", OwnedBy({{"owner", owner, true}}));
  bench.Make("default", "b", OwnedBy({{"owner", owner}, {"other", other}}));
  bench.TakeEvents();
  Delete(bench, "owner", "Orphan");
  EXPECT_EQ(bench.Last()["metadata"]["finalizers"], Json::array({"orphan"}));
  bench.RunFor(Seconds(5));
  EXPECT_EQ(bench.TakeEvents(),
            (Events{"MODIFIED configmaps default/owner", "MODIFIED configmaps default/a",
                    "MODIFIED configmaps default/b", "DELETED configmaps default/owner"}));
  EXPECT_FALSE(bench.Get(std::string(kConfigMaps) + "a")["metadata"].contains("ownerReferences"));
  EXPECT_EQ(OwnersOf(bench, "b"), Json::array({"other"}));
}

TEST(GarbageCollector, WhoHasAnotherOwnerLosesTheReferenceOnly) {
  for (const char* policy : {"Background", "Foreground"}) {
    ControllersBench bench;
    const std::string owner = bench.Make("default", "owner");
    const std::string other = bench.Make("default", "other");
    bench.Make("default", "a", OwnedBy({{"owner", owner, true}, {"other", other}}));
    bench.TakeEvents();
    Delete(bench, "owner", policy);
    bench.RunFor(Seconds(5));
    EXPECT_EQ(OwnersOf(bench, "a"), Json::array({"other"})) << policy;
    EXPECT_FALSE(bench.Has("default", "owner")) << policy;
    Delete(bench, "other", "Background");
    bench.RunFor(Seconds(5));
    EXPECT_FALSE(bench.Has("default", "a")) << policy;
  }
}

TEST(GarbageCollector, AnOwnerThatNeverWasIsNone) {
  ControllersBench bench;
  bench.Send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})");
  const std::string owner = bench.Make("default", "owner");
  bench.Make("default", "absent", OwnedBy({{"nobody", kNoSuchUid}}));
  bench.Make("default", "another-uid", OwnedBy({{"owner", kNoSuchUid}}));
  bench.Make("default", "another-name", OwnedBy({{"nobody", owner}}));
  bench.Make("default", "another-kind", OwnedBy({{"owner", owner, false, "Secret"}}));
  bench.Make("team", "another-namespace", OwnedBy({{"owner", owner}}));
  bench.Make("default", "good", OwnedBy({{"owner", owner}}));
  bench.TakeEvents();
  bench.RunFor(Seconds(1));
  EXPECT_EQ(
      bench.TakeEvents(),
      (Events{"DELETED configmaps default/absent", "DELETED configmaps default/another-uid",
              "DELETED configmaps default/another-name", "DELETED configmaps default/another-kind",
              "ADDED events team/another-namespace.18867251ee929680",
              "DELETED configmaps team/another-namespace"}));
}

TEST(GarbageCollector, WarnsOfAnOwnerInAnotherNamespace) {
  ControllersBench bench;
  bench.now += Millis(1);
  bench.Send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})");
  const std::string owner = bench.Make("default", "owner");
  const std::string uid = bench.Make("team", "a", OwnedBy({{"owner", owner}}));
  bench.Send("POST", "/api/v1/nodes",
             R"({"metadata":{"name":"n")" + OwnedBy({{"owner", owner}}) + "}}");
  bench.Make("team", std::string(250, 'a'), OwnedBy({{"owner", owner}}));
  bench.Make("team", "b", OwnedBy({{"nobody", owner}}));
  bench.RunFor(Seconds(1));
  const Json events = bench.Get("/api/v1/namespaces/team/events")["items"];
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0]["metadata"]["name"].get<std::string>().size(), 36u);
  const Json& event = events[1];
  EXPECT_EQ(event["involvedObject"], (Json{{"kind", "ConfigMap"},
                                           {"namespace", "team"},
                                           {"name", "a"},
                                           {"uid", uid},
                                           {"apiVersion", "v1"}}));
  EXPECT_EQ(event["reason"], "OwnerRefInvalidNamespace");
  EXPECT_EQ(event["message"], "ownerRef [v1/ConfigMap, namespace: team, name: owner, uid: " +
                                  owner + "] does not exist in namespace \"team\"");
  EXPECT_EQ(event["source"]["component"], "garbage-collector-controller");
  EXPECT_EQ(event["firstTimestamp"], "2026-01-01T00:00:00Z");
  EXPECT_EQ(event["count"], 1);
  EXPECT_EQ(event["type"], "Warning");
  // Of a node, which stays, in the namespace for those that have none.
  const Json of_node = bench.Get("/api/v1/namespaces/default/events")["items"];
  ASSERT_EQ(of_node.size(), 1u);
  EXPECT_EQ(of_node[0]["involvedObject"]["name"], "n");
}

TEST(GarbageCollector, WhatCannotBeToldIsKept) {
  ControllersBench bench;
  const std::string owner = bench.Make("default", "owner");
  bench.Make("default", "a", OwnedBy({{"web", kNoSuchUid, false, "ReplicaSet", "apps/v1"}}));
  bench.Make(
      "default", "b",
      OwnedBy({{"web", kNoSuchUid, false, "ReplicaSet", "apps/v1"}, {"nobody", kNoSuchUid}}));
  bench.Send("POST", "/api/v1/nodes",
             R"({"metadata":{"name":"n")" + OwnedBy({{"owner", owner}}) + "}}");
  bench.TakeEvents();
  bench.RunFor(Seconds(60));
  // One is warned of the namespaced owner, and that is all.
  EXPECT_EQ(bench.TakeEvents(), Events{"ADDED events default/n.18867251ee929680"});
}

TEST(GarbageCollector, OwnersWithoutANamespaceHaveDependentsInAll) {
  ControllersBench bench;
  const Json node = bench.Send("POST", "/api/v1/nodes", R"({"metadata":{"name":"n"}})");
  const std::string uid = node["metadata"]["uid"];
  bench.Make("default", "a", OwnedBy({{"n", uid, false, "Node"}}));
  bench.Make("kube-system", "b", OwnedBy({{"n", uid, false, "Node"}}));
  bench.Send("POST", "/api/v1/nodes",
             R"({"metadata":{"name":"m")" + OwnedBy({{"n", uid, false, "Node"}}) + "}}");
  bench.RunFor(Seconds(1));
  EXPECT_TRUE(bench.Has("default", "a"));
  bench.TakeEvents();
  bench.Send("DELETE", "/api/v1/nodes/n");
  bench.RunFor(Seconds(1));
  EXPECT_EQ(bench.TakeEvents(), (Events{"DELETED nodes n", "DELETED configmaps default/a",
                                        "DELETED configmaps kube-system/b", "DELETED nodes m"}));
}

TEST(GarbageCollector, EventsAreNotCollected) {
  ControllersBench bench;
  bench.Send("POST", "/api/v1/namespaces/default/events",
             R"({"metadata":{"name":"e")" + OwnedBy({{"nobody", kNoSuchUid}}) +
                 R"(},"involvedObject":{"namespace":"default"}})");
  ASSERT_EQ(bench.status, 201);
  bench.RunFor(Seconds(60));
  bench.Get("/api/v1/namespaces/default/events/e");
  EXPECT_EQ(bench.status, 200);
}

TEST(GarbageCollector, TheDependentsOwnFinalizersSayHowItGoes) {
  ControllersBench bench;
  const std::string owner = bench.Make("default", "owner");
  const std::string child =
      bench.Make("default", "child", R"(,"finalizers":["orphan"])" + OwnedBy({{"owner", owner}}));
  bench.Make("default", "grandchild", OwnedBy({{"child", child}}));
  bench.TakeEvents();
  Delete(bench, "owner", "Background");
  bench.RunFor(Seconds(5));
  EXPECT_EQ(bench.TakeEvents(),
            (Events{"DELETED configmaps default/owner", "MODIFIED configmaps default/child",
                    "MODIFIED configmaps default/grandchild", "DELETED configmaps default/child"}));
}

TEST(GarbageCollector, AForegroundFinalizerOfTheDependentsOwnIsHonoured) {
  ControllersBench bench;
  const std::string owner = bench.Make("default", "owner");
  const std::string child = bench.Make(
      "default", "child", R"(,"finalizers":["foregroundDeletion"])" + OwnedBy({{"owner", owner}}));
  bench.Make("default", "grandchild", OwnedBy({{"child", child, true}}));
  bench.TakeEvents();
  Delete(bench, "owner", "Background");
  bench.RunFor(Seconds(5));
  EXPECT_EQ(bench.TakeEvents(),
            (Events{"DELETED configmaps default/owner", "MODIFIED configmaps default/child",
                    "DELETED configmaps default/grandchild", "DELETED configmaps default/child"}));
}

TEST(GarbageCollector, WhatIsRefusedIsTriedAgainLessAndLessOften) {
  ControllersBench bench;
  bench.Patch(
      "/api/v1/namespaces/kube-system",
      R"({"metadata":{)" + OwnedBy({{"nobody", kNoSuchUid, false, "Node"}}).substr(1) + "}}");
  ASSERT_EQ(bench.status, 200);
  bench.RunFor(Millis(10));
  const std::vector<int64_t> waits = bench.Waits(25);
  EXPECT_EQ(waits[0], 5);
  EXPECT_EQ(waits[3], 40);
  EXPECT_EQ(waits.back(), 1000000);
}

TEST(GarbageCollector, AnOwnerThatComesInTimeKeepsItsDependents) {
  ControllersBench bench;
  const auto loaded = bench.server.LoadObjects(
      R"({"kind":"List","apiVersion":"v1","items":[{"kind":"ConfigMap","apiVersion":"v1","metadata":)"
      R"({"name":"child","namespace":"default")" +
          OwnedBy({{"owner", kNoSuchUid}}) +
          R"(}},{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"owner",)"
          R"("namespace":"default","uid":")" +
          kNoSuchUid + R"("}}]})",
      bench.now);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message();
  bench.RunFor(Seconds(5));
  EXPECT_TRUE(bench.Has("default", "child"));
  Delete(bench, "owner", "Background");
  bench.RunFor(Seconds(5));
  EXPECT_FALSE(bench.Has("default", "child"));
}

TEST(GarbageCollector, ADrawnLagTurnsTheOrderOfNeighboursAndNothingElse) {
  const auto run = [](uint64_t seed) {
    SeededChoices choices(seed);
    ControllersBench bench(kAllControllers, &choices);
    const std::string owner = bench.Make("default", "owner");
    for (const char* name : {"a", "b", "c", "d"}) {
      bench.Make("default", name, OwnedBy({{"owner", owner, true}}));
    }
    bench.TakeEvents();
    Delete(bench, "owner", "Foreground");
    bench.RunFor(Seconds(5));
    return bench.TakeEvents();
  };
  std::set<Events> orders;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Events events = run(seed);
    ASSERT_EQ(events.size(), 6u);
    EXPECT_EQ(events.back(), "DELETED configmaps default/owner");
    EXPECT_EQ(run(seed), events);
    orders.insert(events);
  }
  EXPECT_GT(orders.size(), 5u);
}

}  // namespace garbage_collector_test
}  // namespace relist::fakeapi
