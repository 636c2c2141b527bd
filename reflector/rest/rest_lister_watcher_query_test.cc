// What a lister asks for, and for how long.
#include <gmock/gmock.h>

#include "reflector/rest/rest_lister_watcher.h"
#include "reflector/testing/rest_bench.h"
#include "reflector/watches/retry_watcher.h"

namespace relist {
namespace rest_lister_watcher_query_test {

using ::testing::ElementsAre;
using testing::Failure;
using testing::ListOf;
using testing::WatchOf;
using Bench = testing::RestBench;

Task<void> ListInto(RestListerWatcher& lister, ListOptions options, Signal& stop,
                    std::optional<Result<ListPage>>* into) {
  Task<Result<ListPage>> list = lister.List(std::move(options), stop);
  into->emplace(co_await list);
}
Task<void> OpenInto(RestListerWatcher& lister, ListOptions options, Signal& stop,
                    std::optional<Result<std::unique_ptr<WatchStream>>>* into) {
  Task<Result<std::unique_ptr<WatchStream>>> watch = lister.Watch(std::move(options), stop);
  into->emplace(co_await watch);
}

struct Lister {
  explicit Lister(RestClientOptions options)
      : bench(std::move(options)),
        lister(bench.rest, {"apps", "v1", "deployments", "Deployment"}, "team", {"app=x", "a!=b"},
               nullptr) {}
  Result<ListPage> List(ListOptions options) {
    std::optional<Result<ListPage>> result;
    bench.scope.Spawn(ListInto(lister, std::move(options), bench.stop, &result));
    bench.loop.RunUntil([&] { return result.has_value(); }, bench.loop.Now() + Seconds(1000));
    CHECK(result.has_value(), "it never came back");
    return std::move(*result);
  }
  void Watch(ListOptions options) {
    std::optional<Result<std::unique_ptr<WatchStream>>> result;
    bench.scope.Spawn(OpenInto(lister, std::move(options), bench.stop, &result));
    bench.loop.RunUntil([&] { return result.has_value(); }, bench.loop.Now() + Seconds(1000));
    CHECK(result.has_value() && result->ok(), "it did not open");
  }
  std::vector<std::string> Targets() {
    std::vector<std::string> out;
    for (const auto& request : bench.server.requests()) out.push_back(request.target);
    return out;
  }
  Bench bench;
  RestListerWatcher lister;
};

const std::string kPath = "/apis/apps/v1/namespaces/team/deployments?";
const std::string kSelectors = "fieldSelector=a%21%3Db&labelSelector=app%3Dx";

// RetryWatcher and Until do not say so (RTW-01): as in client-go, it is the client that does.
TEST(RestListerWatcher, AWatchIsAWatchWhoeverAsks) {
  Lister world({});
  world.bench.server.Then(WatchOf({testing::EventLine("DELETED", "a", "6")}));
  auto watcher = RetryWatcher::Make(world.bench.loop, world.lister, "5");
  ASSERT_TRUE(watcher.ok());
  world.bench.RunFor(Seconds(1));
  EXPECT_THAT(world.Targets(), ElementsAre(kPath + "allowWatchBookmarks=true&" + kSelectors +
                                           "&resourceVersion=5&watch=true"));
  const std::optional<WatchEvent> event = (*watcher)->TryNext();
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->type, EventType::kDeleted);
}

TEST(RestListerWatcher, AsksAsTheDynamicClientDoes) {  // NET-01
  Lister world({});
  world.bench.server.Then(ListOf("1", {})).Then(WatchOf({}));
  ASSERT_TRUE(world.List({.resource_version = "0", .limit = 500, .timeout_seconds = 7}).ok());
  world.Watch({.resource_version = "1",
               .watch = true,
               .allow_watch_bookmarks = true,
               .send_initial_events = false,
               .timeout_seconds = 432});
  EXPECT_THAT(world.Targets(),
              ElementsAre(kPath + kSelectors + "&limit=500&resourceVersion=0&timeoutSeconds=7",
                          kPath + "allowWatchBookmarks=true&" + kSelectors +
                              "&resourceVersion=1&sendInitialEvents=false&timeoutSeconds=432"
                              "&watch=true"));
}

TEST(RestListerWatcher, SendsTheTimeoutParameterOfTypedClientsWhereItIsTold) {  // NET-01
  Lister world({.timeout_parameter = true});
  world.bench.server.Then(ListOf("1", {})).Then(WatchOf({})).Then(WatchOf({}));
  ASSERT_TRUE(world.List({.timeout_seconds = 7}).ok());
  world.Watch({.watch = true, .timeout_seconds = 432});
  world.Watch({.watch = true, .timeout_seconds = 3600});
  EXPECT_THAT(world.Targets(),
              ElementsAre(kPath + kSelectors + "&timeout=7s&timeoutSeconds=7",
                          kPath + kSelectors + "&timeout=7m12s&timeoutSeconds=432&watch=true",
                          kPath + kSelectors + "&timeout=1h0m0s&timeoutSeconds=3600&watch=true"));
}

TEST(RestListerWatcher, BoundsAListByItsTimeoutParameter) {  // NET-01
  Lister world({.timeout_parameter = true});
  for (int i = 0; i < 5; ++i) {
    world.bench.server.Then(Failure(503, "ServiceUnavailable", "Retry-After: 3\r\n"));
  }
  const auto page = world.List({.timeout_seconds = 7});
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().transport, Transport::kTimeout);
  EXPECT_EQ(page.error().message(), "context deadline exceeded");
  EXPECT_EQ(world.bench.Elapsed(), Seconds(7)) << "retries and all";
  EXPECT_EQ(world.bench.server.requests().size(), 3u);

  const auto hung = world.List({.timeout_seconds = 60});  // the script has two answers left
  EXPECT_EQ(hung.error().transport, Transport::kTimeout);
  EXPECT_EQ(world.bench.Elapsed(), Seconds(67));
}

}  // namespace rest_lister_watcher_query_test
}  // namespace relist
