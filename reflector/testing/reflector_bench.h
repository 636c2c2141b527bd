// A reflector between a lister and a store of the test's own, on virtual time and without HTTP.
//
//   ReflectorBench bench;
//   bench.lister.Lists({Page("10", {"a@7"})});
//   bench.lister.Watches({Stream({Ev("ADDED", "b@11")})});
//   bench.RunFor(Seconds(1));
//   bench.lister.asked;     // "list limit=500&resourceVersion=0", "watch ...", without time-outs
//   bench.store.calls;      // "replace 10: a@7", "add b@11", "rv 11"
//   bench.log->lines();
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/sim_port.h"
#include "reflector/reflector.h"

namespace relist::testing {

// "a@7": a configmap of that name and version.
inline ObjectRef ObjectOf(const std::string& name_and_version) {
  const size_t at = name_and_version.find('@');
  const std::string name = name_and_version.substr(0, at);
  return *Object::Parse(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name +
                        R"(","uid":"uid-)" + name + R"(","resourceVersion":")" +
                        name_and_version.substr(at + 1) + "\"}}");
}

inline std::string TextOf(const Object& object) {
  return object.key().ToString() + "@" + object.resource_version();
}

inline WatchEvent Ev(const std::string& type, const std::string& name_and_version) {
  return {*ParseEventType(type), ObjectOf(name_and_version)};
}

// `end`: the value of the annotation that ends initial events; empty: none.
inline WatchEvent BookmarkAt(const std::string& version, const std::string& end = "") {
  std::string annotations;
  if (!end.empty()) annotations = R"(,"annotations":{"k8s.io/initial-events-end":")" + end + "\"}";
  return {
      EventType::kBookmark,
      *Object::Parse(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":")" +
                     version + "\"" + annotations + "}}")};
}

inline WatchEvent ErrorEvent(int code, const std::string& reason) {
  Status status;
  status.code = code;
  status.reason = reason;
  status.message = "from the script";
  return {EventType::kError, *Object::Parse(status.ToJson())};
}

inline ListPage Page(const std::string& version, const std::vector<std::string>& items,
                     const std::string& continue_token = "") {
  ListPage page;
  page.resource_version = version;
  page.continue_token = continue_token;
  for (const std::string& item : items) page.items.push_back(ObjectOf(item));
  return page;
}

// Gives what was pushed into `events`; ends when that is closed and empty.
class QueueStream : public WatchStream {
 public:
  ~QueueStream() override {
    if (closed) ++*closed;
  }
  std::optional<WatchEvent> TryNext() override { return events.TryPop(); }
  bool ended() const override { return events.closed() && events.size() == 0; }
  Source& source() override { return events; }
  void Stop() override { events.Close(); }
  Channel<WatchEvent> events;
  std::shared_ptr<int> closed;  // counts the streams that are gone
};

// A stream of these events, which stays open or ends at once.
inline std::unique_ptr<QueueStream> Stream(std::vector<WatchEvent> events, bool ends = false) {
  auto stream = std::make_unique<QueueStream>();
  for (WatchEvent& event : events) stream->events.Push(std::move(event));
  if (ends) stream->events.Close();
  return stream;
}

// Answers in the order of a script. After its end a list is empty, at version 10, and a watch is
// open and silent.
class ScriptedLister : public ListerWatcher {
 public:
  using Opened = Result<std::unique_ptr<WatchStream>>;

  void Lists(Result<ListPage> page) { lists_.push_back(std::move(page)); }
  void Watches(std::unique_ptr<QueueStream> stream) {
    stream->closed = closed;
    watches_.push_back(std::unique_ptr<WatchStream>(std::move(stream)));
  }
  void WatchFails(Error error) { watches_.push_back(std::move(error)); }

  Task<Result<ListPage>> List(ListOptions options, Signal&) override {
    Ask("list ", std::move(options));
    if (lists_.empty()) co_return Page("10", {});
    Result<ListPage> page = std::move(lists_.front());
    lists_.pop_front();
    co_return page;
  }
  Task<Opened> Watch(ListOptions options, Signal&) override {
    timeouts.push_back(options.timeout_seconds.value_or(-1));
    options.timeout_seconds.reset();
    Ask("watch ", std::move(options));
    if (watches_.empty()) Watches(Stream({}));
    Opened opened = std::move(watches_.front());
    watches_.pop_front();
    co_return opened;
  }
  bool SupportsStreamingList() const override { return streaming; }

  bool streaming = false;
  std::vector<std::string> asked;
  std::vector<int64_t> timeouts;
  std::function<void()> on_request;  // before it is answered; may be empty
  std::shared_ptr<int> closed = std::make_shared<int>(0);

 private:
  void Ask(const std::string& verb, ListOptions options) {
    options.watch = false;  // `verb` says it
    asked.push_back(verb + options.ToQuery());
    if (on_request) on_request();
  }
  std::deque<Result<ListPage>> lists_;
  std::deque<Opened> watches_;
};

// Keeps what it is told, and fails where `refuse` says so.
class KeptStore : public ReflectorStore {
 public:
  Result<void> Add(ObjectRef object) override { return Put("add", std::move(object)); }
  Result<void> Update(ObjectRef object) override { return Put("update", std::move(object)); }
  Result<void> Delete(ObjectRef object) override {
    Result<void> done = Call("delete " + TextOf(*object));
    if (done.ok()) objects.erase(object->key());
    return done;
  }
  Result<void> Replace(std::vector<ObjectRef> all, const std::string& version) override {
    std::string call = "replace " + version + ":";
    for (const ObjectRef& object : all) call += " " + TextOf(*object);
    Result<void> done = Call(call);
    if (!done.ok()) return done;
    objects.clear();
    for (ObjectRef& object : all) objects[object->key()] = std::move(object);
    return done;
  }
  Result<void> Resync() override { return Call("resync"); }
  void Bookmark(const std::string& version) override { calls.push_back("bookmark " + version); }
  void UpdateResourceVersion(const std::string& version) override {
    calls.push_back("rv " + version);
  }
  const Transform& transform() const override { return transform_; }

  std::map<ObjectKey, ObjectRef> objects;
  std::vector<std::string> calls;
  std::function<Result<void>(const std::string& call)> refuse;  // may be empty
  Transform transform_;

 private:
  Result<void> Put(const std::string& verb, ObjectRef object) {
    Result<void> done = Call(verb + " " + TextOf(*object));
    if (done.ok()) objects[object->key()] = std::move(object);
    return done;
  }
  Result<void> Call(const std::string& call) {
    calls.push_back(call);
    return refuse ? refuse(call) : Result<void>();
  }
};

struct ReflectorBench {
  explicit ReflectorBench(ReflectorOptions options = {})
      : loop(port), reflector(loop, lister, store, Filled(std::move(options))), scope(loop) {}

  void RunFor(Duration d) {
    if (!std::exchange(started_, true)) scope.Spawn(reflector.Run(stop));
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }
  // Until Run has returned, after a stop.
  bool RunToItsEnd() {
    RunFor(Duration{});
    loop.RunUntil([this] { return scope.empty(); }, loop.Now() + Seconds(100));
    return scope.empty();
  }
  Duration Elapsed() const { return loop.Now() - kSimulationEpoch; }
  size_t Asked(const std::string& verb) const {
    size_t n = 0;
    for (const std::string& request : lister.asked) n += request.starts_with(verb);
    return n;
  }

  BoringChoices boring;
  SimPort port;
  Loop loop;
  std::shared_ptr<CollectedLog> log = std::make_shared<CollectedLog>();
  ScriptedLister lister;
  KeptStore store;
  Reflector reflector;
  Signal stop;
  TaskScope scope;

 private:
  ReflectorOptions Filled(ReflectorOptions options) {
    if (!options.choices) options.choices = &boring;
    options.log = log;
    return options;
  }
  bool started_ = false;
};

}  // namespace relist::testing
