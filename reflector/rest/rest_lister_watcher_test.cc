// The whole client over real sockets, each handler on a thread of its own.
#include "reflector/rest/rest_lister_watcher.h"

#include <gmock/gmock.h>

#include <mutex>

#include "core/runtime/socket_port.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/testing/scripted_server.h"
#include "reflector/testing/tcp_server.h"

namespace relist {
namespace rest_lister_watcher_test {

using testing::BookmarkLine;
using testing::BytesOf;
using ::testing::ElementsAre;
using testing::EventLine;
using testing::Failure;
using ::testing::HasSubstr;
using testing::Item;
using testing::ListOf;
using testing::TcpServer;
using testing::WatchOf;

class ThreadedHandler : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef& object, bool) override { Note("add " + object->key().name); }
  void OnUpdate(const ObjectRef&, const ObjectRef& object) override {
    Note("update " + object->key().name);
  }
  void OnDelete(const Deleted& deleted) override { Note("delete " + deleted.key.name); }
  std::vector<std::string> calls() {
    std::lock_guard lock(mutex_);
    return calls_;
  }

 private:
  void Note(std::string call) {
    std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
  }
  std::mutex mutex_;
  std::vector<std::string> calls_;
};

struct RealWorld {
  explicit RealWorld(TcpServer& server, bool streaming_list)
      : port({.rate = 60}),
        loop(port),
        choices(1),
        history(loop.Now()),
        recorder(std::make_shared<Recorder>(loop, &history, "client")),
        rest(loop, {.endpoint = {"127.0.0.1", server.port(), nullptr}}),
        lister(rest, {"", "v1", "configmaps", "ConfigMap"}, "default", {"app=x", "a!=b"}, recorder),
        informer(loop, lister, Options(streaming_list)),
        scope(loop) {
    listener = *informer.AddEventHandler(handler);
  }
  InformerOptions Options(bool streaming_list) {
    InformerOptions options;
    options.reflector.choices = &choices;
    options.reflector.recorder = recorder;
    options.reflector.streaming_list = streaming_list;
    options.handler_threads = HandlerThreads::kOwnThread;
    return options;
  }
  bool Until(const std::function<bool()>& done) {
    return loop.RunUntil(done, loop.Now() + Seconds(3000));
  }
  void StopAndWait() {
    stop.Set();
    EXPECT_TRUE(Until([this] { return scope.empty(); }));
  }

  SocketPort port;
  Loop loop;
  SeededChoices choices;
  History history;
  std::shared_ptr<Recorder> recorder;
  RestClient rest;
  RestListerWatcher lister;
  ThreadedHandler handler;
  SharedInformer informer;
  std::shared_ptr<Listener> listener;
  Signal stop;
  TaskScope scope;
};

TEST(RestListerWatcher, ServesAnInformerOverRealSocketsAcrossACut) {
  std::vector<std::string> targets;
  int watches = 0;
  std::optional<TcpServer> server;
  server.emplace([&](const std::string& head) {
    targets.push_back(head.substr(4, head.find(" HTTP") - 4));
    if (head.find("watch=true") == std::string::npos) {
      return BytesOf(ListOf("10", {Item("a", "7"), Item("b", "8")}));
    }
    if (++watches == 1) return BytesOf(WatchOf({EventLine("MODIFIED", "a", "11")}));
    return BytesOf(WatchOf({EventLine("DELETED", "b", "12")}));
  });
  RealWorld world(*server, /*streaming_list=*/false);
  world.scope.Spawn(world.informer.Run(world.stop));
  ASSERT_TRUE(world.Until([&] { return world.handler.calls().size() == 3; }));
  server->CutAll();
  ASSERT_TRUE(world.Until([&] { return world.handler.calls().size() == 4; }));
  EXPECT_THAT(world.handler.calls(), ElementsAre("add a", "add b", "update a", "delete b"));
  EXPECT_TRUE(world.listener->HasSynced());
  world.StopAndWait();
  server.reset();
  EXPECT_THAT(targets[0], HasSubstr("?fieldSelector=a%21%3Db&labelSelector=app%3Dx&limit=500"));
  EXPECT_THAT(targets[2], HasSubstr("resourceVersion=11&"));
  int callbacks = 0;
  for (const HistoryEntry& line : world.history.entries()) callbacks += line.what() == "callback";
  EXPECT_EQ(callbacks, 4);
}

TEST(RestListerWatcher, SurvivesAServerThatIsAwayForAWhile) {
  int requests = 0;
  TcpServer server([&](const std::string&) {
    ++requests;
    if (requests <= 2) return BytesOf(Failure(503, "ServiceUnavailable"));
    return BytesOf(WatchOf({EventLine("ADDED", "a", "9"), BookmarkLine("10", "true")}));
  });
  RealWorld world(server, /*streaming_list=*/true);
  world.scope.Spawn(world.informer.Run(world.stop));
  ASSERT_TRUE(world.Until([&] { return world.listener->HasSynced(); }));
  EXPECT_THAT(world.handler.calls(), ElementsAre("add a"));
  world.StopAndWait();
}

TEST(RestListerWatcher, StopsAtOnceWhileNothingAnswers) {
  bool asked = false;
  std::mutex mutex;
  TcpServer server([&](const std::string&) {
    std::lock_guard lock(mutex);
    asked = true;
    return std::string(" ");  // no answer yet
  });
  RealWorld world(server, /*streaming_list=*/false);
  world.scope.Spawn(world.informer.Run(world.stop));
  ASSERT_TRUE(world.Until([&] {
    std::lock_guard lock(mutex);
    return asked;
  }));
  world.StopAndWait();
  EXPECT_TRUE(world.informer.stopped());
}

TEST(RestListerWatcher, FeedsAThousandEventsToAHandlersThread) {
  std::vector<std::string> lines;
  for (int i = 0; i < 3000; ++i) {
    lines.push_back(EventLine("ADDED", "o" + std::to_string(i), std::to_string(100 + i)));
  }
  TcpServer server([&](const std::string& head) {
    if (head.find("watch=true") == std::string::npos) return BytesOf(ListOf("10", {}));
    return BytesOf(WatchOf(lines));
  });
  RealWorld world(server, /*streaming_list=*/false);
  ThreadedHandler second;
  ASSERT_TRUE(world.informer.AddEventHandler(second, {"second", Seconds(0)}).ok());
  world.scope.Spawn(world.informer.Run(world.stop));
  ASSERT_TRUE(world.Until(
      [&] { return world.handler.calls().size() == 3000 && second.calls().size() == 3000; }));
  EXPECT_EQ(world.handler.calls(), second.calls());
  EXPECT_EQ(world.informer.indexer().size(), 3000u);
  world.StopAndWait();
}

}  // namespace rest_lister_watcher_test
}  // namespace relist
