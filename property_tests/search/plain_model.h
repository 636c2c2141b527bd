// The apiserver as the catalogue describes it (SRV), as plainly as can be: all commits in a vector,
// states by replaying them. It knows nothing of the server's code, and says what the server must.
//
//   PlainModel model({.replicas = 2, .window = 6, .buffer = 4}, server.revision(), now);
//   model.Create(Thing{...}, now);
//   model.List(ask, received, now);      // "200 rv=7: default/a x 1 @7"; nothing: not yet
//
// Answers are text in which everything that a client can see has its place. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "property_tests/search/asks.h"

namespace relist::search {

// How often each of the rare things came to pass.
using Counts = std::map<std::string, uint64_t>;

// What an open watch must say: all lines so far, but for plain bookmarks.
struct ModelWatch {
  WatchAsk ask;
  TimePoint deadline = kNever;
  uint64_t position = 0;
  bool live = false;  // events are appended
  std::vector<std::string> lines;
  bool over = false;  // the server ended it: an ERROR, the deadline, a restart
  // Events that came to its replica since its client had read everything, and whether the window
  // has passed where it began: then the server may end it.
  size_t unread = 0;
  bool may_be_ended = false;
  size_t read = 0;      // lines that its client has
  size_t replayed = 0;  // lines that were old when it opened
};

class PlainModel {
 public:
  struct Knobs {
    size_t replicas = 1, window = 6, buffer = 4;
  };
  PlainModel(const Knobs& knobs, uint64_t revision, TimePoint now);

  uint64_t revision() const { return revision_; }
  std::optional<Thing> Find(const Key& key) const { return StateAt(revision_, key); }

  std::string Create(const Thing& thing, TimePoint now);
  // `given`: the resourceVersion that was sent; 0: none.
  std::string Update(const Thing& thing, uint64_t given, TimePoint now);
  std::string Delete(const Key& key, TimePoint now);
  void Elsewhere(TimePoint now);

  void Compact(uint64_t revision, bool learned);
  void Evict(size_t replica);
  void Restart(size_t replica, Duration not_ready, TimePoint now);
  void Pause(size_t replica) { replicas_[replica].paused = true; }
  void Resume(size_t replica, TimePoint now);
  void Lag(size_t replica, Duration lag, TimePoint now);
  // Time has come to `now`.
  void Advance(TimePoint now);
  TimePoint NextChange() const;

  std::optional<std::string> List(const ListAsk& ask, TimePoint received, TimePoint now);
  std::optional<std::string> Get(const GetAsk& ask, TimePoint received, TimePoint now);
  // "429", or "200" and the watch; nothing: not yet.
  std::optional<std::string> Watch(const WatchAsk& ask, TimePoint received, TimePoint now,
                                   ModelWatch* watch);
  // Watches hear of commits from then on; the caller keeps them.
  void Open(ModelWatch* watch) { watches_.push_back(watch); }
  void Close(ModelWatch* watch) { std::erase(watches_, watch); }

  Counts counts;

 private:
  struct Commit {
    uint64_t rv;
    std::optional<Thing> before, after;
  };
  struct Pending {
    uint64_t rv;
    TimePoint when;
  };
  struct Replica {
    uint64_t applied = 0;
    std::deque<Pending> pending;
    Duration lag{};
    bool paused = false, ready = true;
    TimePoint ready_at;
    std::deque<uint64_t> window;  // versions of the events in it
    bool evicted = false;
    uint64_t listed = 0;          // of the last full list
    uint64_t snapshots_from = 0;  // older ones are gone
    uint64_t OldestStart() const { return evicted ? window.front() - 1 : listed; }
  };
  using State = std::map<Key, Thing>;
  struct Plan;

  void Write(std::optional<Thing> before, std::optional<Thing> after, TimePoint now);
  void Arrive(size_t number, uint64_t rv);
  void Relist(size_t number);
  void Tell(ModelWatch& watch, const Commit& commit);
  State StateAt(uint64_t rv) const;
  std::optional<Thing> StateAt(uint64_t rv, const Key& key) const;
  uint64_t Missed(const Replica& replica, TimePoint when) const;
  std::string TooLarge(const char* of, bool retry);
  std::string Page(const ListAsk& ask, const Plan& plan);
  std::string FromEtcd(const ListAsk& ask, Plan plan);

  const Knobs knobs_;
  uint64_t revision_;
  uint64_t floor_ = 0;
  std::vector<Commit> commits_;
  std::vector<Replica> replicas_;
  std::vector<ModelWatch*> watches_;
  uint64_t shown_ = 0;  // the newest version that a list of any version gave
};

}  // namespace relist::search
