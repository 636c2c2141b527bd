#include "fakeapi/controllers/controllers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/controllers_bench.h"

namespace relist::fakeapi {
namespace controllers_test {

using Events = std::vector<std::string>;

// A namespace that is deleted, and an owner with a dependent that is.
void Stir(ControllersBench& bench) {
  bench.Send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})");
  bench.Send("DELETE", "/api/v1/namespaces/team");
  const std::string owner = bench.Make("default", "owner");
  bench.Make("default", "child", OwnedBy({{"owner", owner}}));
  bench.Send("DELETE", "/api/v1/namespaces/default/configmaps/owner");
  bench.TakeEvents();
}

TEST(Controllers, EachDoesItsOwn) {
  for (const ControllerSet which :
       {ControllerSet{}, {true, false}, ControllerSet{false, true}, kAllControllers}) {
    ControllersBench bench(which);
    Stir(bench);
    Events wanted;
    if (which.garbage) wanted.push_back("DELETED configmaps default/child");
    if (which.namespaces) wanted.push_back("MODIFIED namespaces team");
    if (which.namespaces) wanted.push_back("DELETED namespaces team");
    EXPECT_EQ(bench.server.NextDeadline() == kNever, !which.any());
    bench.RunFor(Seconds(60));
    EXPECT_EQ(bench.TakeEvents(), wanted);
  }
}

TEST(Controllers, ANamespaceGoesWhateverIsSaidOfItsDependents) {
  for (const char* policy : {"Foreground", "Orphan", "Background"}) {
    ControllersBench bench;
    bench.Send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})");
    bench.Make("team", "a");
    bench.TakeEvents();
    bench.Send("DELETE", "/api/v1/namespaces/team",
               std::string(R"({"propagationPolicy":")") + policy + "\"}");
    bench.RunFor(Seconds(6));
    Events wanted = {"MODIFIED namespaces team", "DELETED configmaps team/a",
                     "MODIFIED namespaces team", "DELETED namespaces team"};
    // The collector takes its finalizer off at once.
    if (policy != std::string("Background")) {
      wanted.insert(wanted.begin(), "MODIFIED namespaces team");
    }
    EXPECT_EQ(bench.TakeEvents(), wanted) << policy;
  }
}

TEST(Controllers, AResetMakesThemForget) {
  ControllersBench bench;
  Stir(bench);
  const std::string owner = bench.Make("default", "owner");
  bench.Make("default", "late", OwnedBy({{"owner", owner}}));
  bench.server.Reset(bench.now);
  EXPECT_EQ(bench.server.NextDeadline(), kNever);
  // What comes after it under the same names is another's.
  bench.Send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})");
  bench.Make("default", "owner");
  bench.Make("default", "late");
  bench.Send("DELETE", "/api/v1/namespaces/default/configmaps/owner");
  bench.TakeEvents();
  bench.RunFor(Seconds(60));
  EXPECT_EQ(bench.TakeEvents(), Events{});
}

TEST(Controllers, WhatTheyWriteHappensWhenTheyWriteIt) {
  ControllersBench bench;
  bench.Send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})");
  bench.Make("team", "a", R"(,"finalizers":["example.com/x"])");
  bench.now += Seconds(100);
  bench.Send("DELETE", "/api/v1/namespaces/team");
  const uint64_t before = bench.server.change_count();
  bench.RunFor(Seconds(7));
  EXPECT_GT(bench.server.change_count(), before);
  EXPECT_EQ(bench.Get("/api/v1/namespaces/team/configmaps/a")["metadata"]["deletionTimestamp"],
            "2026-01-01T00:01:45Z");
}

}  // namespace controllers_test
}  // namespace relist::fakeapi
