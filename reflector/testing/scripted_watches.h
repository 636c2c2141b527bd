// A ListerWatcher for tests of what only watches: each Watch gets what a script says.
//
//   ScriptedWatches lister([](const ListOptions& options, int call) { return OpenWatch({...}); });
//
// No HTTP, no time.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/wire/resource_version.h"
#include "reflector/lister_watcher.h"

namespace relist::testing {

// Gives the events it was made with and those that are pushed later; ends when it is closed.
class QueuedWatch : public WatchStream {
 public:
  std::optional<WatchEvent> TryNext() override { return events.TryPop(); }
  bool ended() const override { return events.closed() && events.size() == 0; }
  Source& source() override { return events; }
  void Stop() override { events.Close(); }
  Channel<WatchEvent> events;
};

using OpenedWatch = Result<std::unique_ptr<WatchStream>>;

inline std::unique_ptr<QueuedWatch> MakeWatch(const std::vector<WatchEvent>& events) {
  auto stream = std::make_unique<QueuedWatch>();
  for (const WatchEvent& event : events) stream->events.Push(event);
  return stream;
}
// Stays open after its events.
inline OpenedWatch OpenWatch(const std::vector<WatchEvent>& events) {
  return std::unique_ptr<WatchStream>(MakeWatch(events));
}
// Ends after `n` events; stays open where there are fewer.
inline OpenedWatch CloseAfter(size_t n, std::vector<WatchEvent> events) {
  const bool enough = events.size() >= n;
  if (enough) events.resize(n);
  std::unique_ptr<QueuedWatch> stream = MakeWatch(events);
  if (enough) stream->events.Close();
  return std::unique_ptr<WatchStream>(std::move(stream));
}

inline WatchEvent VersionEvent(EventType type, const std::string& rv,
                               const std::string& name = "a") {
  return {type, *Object::Parse(fmt::format(
                    R"({{"metadata":{{"name":"{}","resourceVersion":"{}"}}}})", name, rv))};
}
inline WatchEvent AddedAt(int rv) {
  return VersionEvent(EventType::kAdded, std::to_string(rv));
}
inline WatchEvent StatusEvent(const Status& status) {
  Object::Head head;
  head.kind = "Status";
  head.api_version = "v1";
  return {EventType::kError, std::make_shared<Object>(status.ToJson(), std::move(head))};
}

// What a server would send to who asks from `rv` on; errors before the first such event are not
// sent again.
inline std::vector<WatchEvent> EventsFrom(const std::string& rv,
                                          const std::vector<WatchEvent>& events) {
  std::vector<WatchEvent> out;
  const uint64_t from = ParseResourceVersion(rv).value_or(0);
  for (const WatchEvent& event : events) {
    if (event.type == EventType::kError) {
      if (!out.empty()) out.push_back(event);
    } else if (ParseResourceVersion(event.object->resource_version()).value_or(0) > from) {
      out.push_back(event);
    }
  }
  return out;
}

class ScriptedWatches : public ListerWatcher {
 public:
  // `call` counts from 1.
  using Script = std::function<OpenedWatch(const ListOptions& options, int call)>;
  explicit ScriptedWatches(Script script) : script_(std::move(script)) {}

  Task<Result<ListPage>> List(ListOptions, Signal&) override {
    CHECK(false, "nobody lists here");
    co_return Error::Net(Transport::kOther, "no list here");
  }
  Task<Result<std::unique_ptr<WatchStream>>> Watch(ListOptions options, Signal&) override {
    asked.push_back(options.ToQuery());
    const int call = static_cast<int>(asked.size());
    co_return script_(options, call);
  }
  std::vector<std::string> asked;

 private:
  Script script_;
};

}  // namespace relist::testing
