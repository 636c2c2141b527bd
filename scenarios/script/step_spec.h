// What a scenario's script writes and does, and when.
//
//   StepSpec step;
//   step.kind = StepSpec::Kind::kEvict;
//   step.trigger.at = Seconds(10);
//
// README.md ("Steps") has the words of the script for each. Values; no thread affinity.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "scenarios/script/fault_spec.h"

namespace relist {

// An object as a script writes it. `body_json` is the whole object but for apiVersion, kind, and
// metadata's name and namespace, which the world fills in.
struct ObjectSpec {
  std::string resource = "configmaps";
  std::string ns, name;
  std::string body_json = "{}";
  std::string file;          // in which it stands; empty: the scenario's own
  int line = 0, column = 1;  // there
};

// What a client of ours tells of itself. `nth` counts what matches all else.
struct MomentSpec {
  enum class Kind {
    kSynced,  // that it has synced
    kSeen,    // that a handler of its was told of an object
  } kind = Kind::kSynced;
  std::string client;
  int handler = 0;       // which of its handlers, from 1; of kSynced 0: the client itself
  std::string ns, name;  // of the object
  enum class As { kAny, kAdded, kModified, kDeleted } as = As::kAny;
  int first = 1, last = 1;
};

// When a step is due: at a time, when a request comes to a point, or when a client tells something.
struct TriggerSpec {
  bool by_place = false;
  Duration at{};        // by time
  PlaceSpec place;      // by place: before the request is answered ...
  bool opened = false;  // ... or once it is open (a watch) or answered (a list)
  int events = 0;       // ... or once so many lines are queued on that watch
  std::optional<MomentSpec> moment;
  Duration after{};  // by place or moment: then so much later

  bool by_time() const { return !by_place && !moment; }
};

struct StepSpec {
  enum class Kind {
    kWrite,  // create, or replace
    kPatch,  // merge patch
    kDelete,
    kCompact,           // etcd's floor moves to now; `learned`: exact lists and tokens expire, too
    kEvict,             // the watch windows start empty
    kRestart,           // as of the apiserver
    kBookmark,          // to everybody who asked for bookmarks
    kRefuse,            // connections, for `length`
    kPause,             // writes do not come to the caches ...
    kResume,            // ... until now
    kLag,               // they come `length` later
    kWriteStatus,       // of `object`, whose body is {"status": ...}: replaced as a whole
    kDeleteCollection,  // of `object`'s resource and namespace, what the selectors match
    kStop,              // `client`, as its program ends
    kStart,             // `client`, as its program begins: it remembers nothing
    kAsk,               // `target`, as `client`, who is no informer and hangs up after `length`
  } kind = Kind::kWrite;
  TriggerSpec trigger;
  ObjectSpec object;
  bool learned = false;
  Duration length{};              // kRestart: for so long caches are not ready
  std::optional<size_t> replica;  // which one; nothing: each
  std::string label_selector, field_selector;
  std::string client;
  std::string target;  // path and query
  double chance = 1;   // of being done when it is due
  int line = 0, column = 1;

  // It is done to a client of ours, or by one, not to the server.
  bool is_for_client() const { return is_life() || kind == Kind::kAsk; }
  bool is_life() const { return kind == Kind::kStop || kind == Kind::kStart; }
};
std::string_view Name(StepSpec::Kind kind);

}  // namespace relist
