// What went over the wire, as plain values: one entry for each request that a server read, with its
// answer or the lines of its stream, and the truth beside it. The ground of W1 to W20
// (wire_checkers.h).
//
//   const HistoryView view(history);
//   const WireView wire = WireOf(view, {.watch_window = 1000});       // from a history
//   for (const Violation& v : CheckWire(wire)) ...
//
//   WireView wire(&truth, {});                                        // or by hand, without one
//   wire.requests.push_back(request);                                 // as WireRequest says
//
// A history is one way to fill it, and fakeapi/http/wire_notes.h writes one for who speaks to a
// sans-IO server. By hand: `answers` and `ends` are 1 where there is one, and `order` is set
// everywhere or nowhere. What is not known is left as it is: no checker blames a server for what it
// cannot see. `order` numbers all that happens at a server, commits too, from 1 upwards: it is what
// "before" means, since much happens at one time. Texts are borrowed. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "scenarios/checkers/truth.h"

namespace relist {

class HistoryView;

// What the server was told to be like; zeros where it is not known.
struct WireKnobs {
  size_t watch_window = 0;  // 0: not known, and an expiry is believed where any window explains it
  Duration timeout_min{};   // an unset timeoutSeconds is drawn from [min, 2 min)
  Duration fresh_wait{};    // what is newer than the world waits for so long
};

// One line of a watch, as it was queued.
struct WireLine {
  EventType type = EventType::kAdded;
  std::string_view key, uid;
  std::string_view rv_text;        // of an event or bookmark
  uint64_t rv = 0;                 // 0: none, or no number
  bool ends_initial = false;       // a bookmark with the annotation
  int code = 0;                    // of an ERROR
  std::optional<uint64_t> body;    // of an event: Digest of the line's text, its newline included
  const Object* object = nullptr;  // of a BOOKMARK the object, of an ERROR the Status
  TimePoint when;
  uint64_t order = 0;
  const HistoryEntry* entry = nullptr;

  bool is_event() const { return type != EventType::kBookmark && type != EventType::kError; }
};

// What struck a request on purpose: of that the server is not the author.
struct WireFaults {
  bool any = false;
  bool answer = false;     // the answer is the fault's
  bool error = false;      // an ERROR line is the fault's
  bool duplicate = false;  // a line was sent twice
  // Lines were kept, or put there: `lines` of the request are those that the server made, all of
  // them and no others.
  bool lines = false;
  bool ended = false;  // it was cut: how it ended is the fault's
  bool slow = false;   // what was queued did not leave: a reader that does not read
};

// What a read asks for, taken apart once.
struct WireAsk {
  enum class Kind { kOther, kList, kWatch } kind = Kind::kOther;
  ScopeSpec scope;
  bool plain = true;           // JSON objects: no Table, no PartialObjectMetadata, no YAML
  bool legacy_watch = false;   // a path under watch/, whose parameters are not defaulted
  std::string rv_text;         // the parameter; "" where it is absent
  std::optional<uint64_t> rv;  // its number, 0 where it is absent; nothing where it is none
  std::string match, continue_token;
  int64_t limit = 0;
  std::optional<int64_t> timeout_seconds;
  bool bookmarks = false;
  std::optional<bool> send_initial_events;
  bool single = false;  // only one object can be meant

  // Of a watch: the objects that are there come first.
  bool WantsInitial() const;
  // Events beyond a version that it names, and nothing else.
  bool StartsExactly() const {
    return kind == Kind::kWatch && !WantsInitial() && rv.value_or(0) > 0;
  }
};
// Of a request line; `accept` is its header.
WireAsk AskOf(std::string_view method, std::string_view target, std::string_view accept = {});

struct WireRequest {
  uint64_t id = 0;
  int replica = 0;
  WireAsk ask;
  TimePoint received;
  uint64_t received_order = 0;
  uint64_t newest_before = 0;  // the store's revision when it was received

  // The answer, or the opening of a stream.
  enum class State { kNone, kAnswered, kOpen } state = State::kNone;
  int status = 0;
  int answers = 0;  // times that it was answered or opened
  TimePoint answered;
  uint64_t answered_order = 0;
  uint64_t newest_then = 0;  // the store's revision when it was answered or opened
  // Floors of its replica at that moment, as far as they were told (control actions); 0: never.
  uint64_t list_floor = 0;   // exact reads below are gone
  uint64_t watch_floor = 0;  // the cache's window began there, or later
  // Where higher: they may be gone up to there, for another replica, or etcd, was told so.
  uint64_t list_floor_max = 0, watch_floor_max = 0;
  std::string_view retry_after;   // the header
  const Object* error = nullptr;  // the Status of an answer that is none

  // Of a list.
  std::string_view rv_text;
  uint64_t rv = 0;
  int items = -1;                  // -1: not told
  std::optional<uint64_t> digest;  // ListDigest of its items
  std::string_view next;           // its continue token

  // Of a stream.
  std::vector<WireLine> lines;
  enum class End { kNone, kClean, kCut, kClient } end = End::kNone;
  int ends = 0;
  TimePoint ended;
  uint64_t ended_order = 0;
  bool slow = false;  // its reader is known not to keep up; a fault that holds bytes back says so

  WireFaults faults;
  // Lines of the history; null without one.
  const HistoryEntry *request_entry = nullptr, *answer_entry = nullptr, *end_entry = nullptr;

  bool Is(WireAsk::Kind kind) const { return ask.kind == kind; }
  // What its initial objects may not be older than.
  uint64_t OldestInitial() const {
    if (ask.rv_text.empty()) return ask.legacy_watch ? 0 : newest_before;
    return ask.rv.value_or(0);
  }
  // A list that its replica's cache answers, as long as the server has one.
  bool IsFromCache() const {
    return Is(WireAsk::Kind::kList) && !ask.rv_text.empty() && ask.continue_token.empty() &&
           ask.match != "Exact" && !IsLegacyList();
  }
  // A limit makes a version exact. Where only one object can be meant, it is etcd's newest.
  bool IsLegacyList() const { return ask.match.empty() && ask.limit > 0 && ask.rv.value_or(0) > 0; }
  bool IsExactList() const { return ask.match == "Exact" || (IsLegacyList() && !ask.single); }
  bool opened() const { return state == State::kOpen; }
};

// Where the events of a stream begin: what all checks of its lines stand on.
struct StreamShape {
  bool initial = false;     // objects that are there come first ...
  bool ended = false;       // ... and a bookmark says where they end
  size_t first_live = 0;    // the first line that is none of them
  bool start_known = true;  // false: what comes first is no state, and nothing follows from it
  uint64_t start = 0;       // events beyond it are due
  bool whole = true;        // false: it ended, or ends here, within the initial objects
};

class WireView;
StreamShape ReckonShape(const WireView& view, const WireRequest& stream);

class WireView {
 public:
  // Null: there is no truth to compare with.
  WireView(const Truth* truth, const WireKnobs& knobs) : truth_(truth), knobs_(knobs) {}

  std::vector<WireRequest> requests;  // in the order in which they were read
  TimePoint end;                      // of all that is known
  uint64_t first_revision = 0;        // the store's when the first request came
  bool lag_possible = false;          // a replica may be behind the store
  bool unready_possible = false;      // etcd may have answered for a replica that was not ready

  bool has_truth() const { return truth_ && !truth_->commits().empty(); }
  const Truth& truth() const { return *truth_; }
  const ScopedTruth& TruthOf(const WireRequest& request) const {
    return truth_->Of(request.ask.scope);
  }
  const WireKnobs& knobs() const { return knobs_; }

  // The newest version of its resource that its replica had shown before `order`: the replica is
  // not behind that.
  uint64_t ShownBefore(const WireRequest& request, uint64_t order) const;

  // Reckoned once for each stream; the requests must not change any more.
  const StreamShape& ShapeOf(const WireRequest& stream) const;

 private:
  const Truth* truth_;
  WireKnobs knobs_;
  mutable std::vector<std::optional<StreamShape>> shapes_;
};

WireView WireOf(const HistoryView& history, const WireKnobs& knobs);

// The line that tells of an event, as a server of plain JSON writes it; nothing where the history
// does not hold the object.
std::optional<uint64_t> LineDigest(const ScopedEvent& event, EventType type);

}  // namespace relist
