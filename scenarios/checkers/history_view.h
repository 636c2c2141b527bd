// A history, read once and sorted by who did what, so that each checker is one pass over what
// concerns it.
//
//   HistoryView view(history);
//   for (const ClientView& client : view.clients()) ...
//
// Points into the history, which must outlive it and stay as it is. Where the two sides' lines were
// merged by their clocks (over HTTP), the order of lines of different actors means little: the view
// offers order within an actor, and versions, which hold in both worlds. Works on partial
// histories: no server's lines, or no reflector's, is fine.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/history.h"
#include "core/wire/watch_event.h"
#include "scenarios/checkers/truth.h"
#include "scenarios/checkers/wire_view.h"

namespace relist {

// How things stood at the server when something happened (WireRequest says more).
struct ServerMoment {
  uint64_t order = 0;  // among all of its lines, from 1
  uint64_t newest = 0;
  uint64_t list_floor = 0, watch_floor = 0;
  uint64_t list_floor_max = 0, watch_floor_max = 0;
};

// What a server saw of a request and did about it.
struct ServerRequest {
  int replica = 0;
  const HistoryEntry* request = nullptr;
  const HistoryEntry* answer = nullptr;  // of what is no watch
  const HistoryEntry* open = nullptr;    // of a watch
  const HistoryEntry* end = nullptr;
  std::vector<const HistoryEntry*> events;  // lines that went out, a fault's own among them
  // Lines that a fault kept. The server made them; no client saw them.
  std::vector<const HistoryEntry*> kept;
  bool unsure = false;  // a fault struck it that may keep queued bytes from the client
  const HistoryEntry* slow_since = nullptr;  // the fault that held bytes back, the last one
  WireFaults faults;
  int answers = 0, ends = 0;  // lines that say so
  ServerMoment received, answered, ended;
  std::vector<uint64_t> event_orders, kept_orders;
};

struct ClientRequest {
  const HistoryEntry* entry = nullptr;
  size_t index = 0;  // of the entry among the client's lines
  bool watch = false, streaming_list = false, list = false;
  std::string_view target, rv;           // the resourceVersion parameter, "" if absent
  const HistoryEntry* answer = nullptr;  // the client's: "answer", or null
  const ServerRequest* server =
      nullptr;  // null where it never arrived, or there are no server's lines
};

struct ClientCallback {
  const HistoryEntry* entry = nullptr;
  size_t index = 0;  // among the client's lines
  std::string_view key, uid;
  uint64_t rv = 0;  // 0 where it is no number
  enum class Type { kAdded, kModified, kDeleted } type = Type::kAdded;
  bool tombstone = false;
  bool same_version = false;  // a modified whose version did not change: a relist, or a resync
};

// A list, or streaming list, that replaced the client's store.
struct ClientList {
  const HistoryEntry* relist = nullptr;
  size_t index = 0;      // of the relist among the client's lines
  uint64_t rv = 0;       // the position that it gave; 0: none (yet)
  uint64_t reached = 0;  // the last position before the next list, or before the end
};

// A client from its start to its stop: one that is stopped and started again is another program,
// which knows nothing of the first.
struct ClientView {
  std::string name;
  // Its callbacks come from a log with a clock of its own, its requests and lists from the server's
  // lines: each has an order, and to each other they have none.
  bool joined = false;
  // A watch without a version began with what was there: there is a state that no list gave.
  bool unlisted_start = false;
  bool stopped = false;                      // before the end: what waited was dropped
  const HistoryEntry* first_stop = nullptr;  // the first word of an end, "stop" or "stopped"
  std::vector<const HistoryEntry*> lines;
  std::vector<ClientRequest> requests;
  std::map<std::string, std::vector<ClientCallback>> callbacks;  // by handler, in order
  std::vector<ClientList> lists;
  std::vector<const HistoryEntry*> synced, store;
  bool store_shown = false;  // "dump" says so even where the store is empty
  uint64_t position = 0;     // the last one

  // The scope, from its first request; `resource` is empty where it made none.
  std::string resource, ns, label_selector, field_selector;
  ScopeSpec scope() const { return {resource, ns, "", label_selector, field_selector}; }
};

class HistoryView {
 public:
  explicit HistoryView(const History& history);
  ~HistoryView();
  HistoryView(const HistoryView&) = delete;
  HistoryView& operator=(const HistoryView&) = delete;

  const std::vector<ClientView>& clients() const { return clients_; }
  const Truth& truth() const { return truth_; }
  const std::vector<TruthCommit>& commits() const { return truth_.commits(); }
  const std::unordered_map<uint64_t, ServerRequest>& server_requests() const { return requests_; }
  // Their ids, in the order in which they were read.
  const std::vector<uint64_t>& server_request_order() const { return request_order_; }
  uint64_t first_revision() const { return first_revision_; }  // the store's at the first request
  bool lag_possible() const { return lag_possible_; }  // there is more than one front, or a lag
  // Caches were not ready for a while, in which etcd answered some reads.
  bool unready_possible() const { return unready_possible_; }
  TimePoint start() const { return start_; }
  TimePoint end() const { return end_; }
  bool has_server() const { return has_server_; }
  bool ended() const { return ended_; }  // the run came to its end: the stores are final
  // Of its own time, what a program that knows no rate takes for `real`.
  Duration InRealTime(Duration real) const {
    return Duration(static_cast<Duration::rep>(static_cast<double>(real.count()) * rate_));
  }
  // All that the scope saw up to there was told to the client, or never will be; 0: nobody knows.
  uint64_t HeardUpTo(const ClientView& client) const;
  // The same with this client, which was not stopped before.
  bool EndedWith(const ClientView& client) const { return ended_ && !client.stopped; }
  const HistoryEntry* last_fault() const { return last_fault_; }
  const HistoryEntry* converged() const { return converged_; }
  const std::vector<const HistoryEntry*>& marks() const { return marks_; }
  // The write of that version; null if there is none.
  const TruthCommit* CommitAt(uint64_t rv) const { return truth_.CommitAt(rv); }

  // What a client's scope saw of the truth (E of properties.md): for each commit at most one event,
  // in order.
  using ScopedEvent = relist::ScopedEvent;
  const std::vector<ScopedEvent>& EventsOf(const ClientView& client) const {
    return truth_.Of(client.scope()).events();
  }
  // S of properties.md: the commits that are the state of the scope at `rv`, by key.
  using State = std::map<std::string_view, const TruthCommit*>;
  State StateAt(const ClientView& client, uint64_t rv) const;

 private:
  struct Floors {
    uint64_t list = 0, watch = 0;
    // After a restart a cache may take its time: its window begins at the first watch at the
    // latest.
    bool filling = false;
    uint64_t watch_max = 0;
  };
  void ReadServerLine(const HistoryEntry& entry);
  void ReadControl(const HistoryEntry& entry);
  void ReadRequestLine(const HistoryEntry& entry, ServerRequest* request);
  Floors& FloorsOf(int replica);
  ServerMoment Now(int replica);
  void ReadClientLine(const HistoryEntry& entry);
  void ReadRequest(ClientView* client, const HistoryEntry& entry);
  void ReadCallback(ClientView* client, const HistoryEntry& entry);
  void ReadPosition(ClientView* client, const HistoryEntry& entry);
  void FinishJoined(ClientView* client) const;
  ClientView& ClientOf(const std::string& name);
  void MatchRequests();

  std::vector<ClientView> clients_;
  Truth truth_;
  std::unordered_map<uint64_t, ServerRequest> requests_;
  std::vector<uint64_t> request_order_;
  const HistoryEntry* last_fault_ = nullptr;
  const HistoryEntry* converged_ = nullptr;
  std::vector<const HistoryEntry*> marks_;
  bool has_server_ = false, ended_ = false, lag_possible_ = false;
  bool unready_possible_ = false;
  uint64_t order_ = 0, newest_ = 0, first_revision_ = 0;
  double rate_ = 1;
  uint64_t etcd_floor_ = 0, reset_floor_ = 0;
  uint64_t common_floor_ = 0;   // of windows, by an action that names no replica: perhaps of all
  std::vector<Floors> floors_;  // by replica
  TimePoint start_, end_;
};

// What a history's first line says: how many of its seconds pass in a real one, from 1 to 60.
double RateOf(const HistoryEntry& head);

// The value of a query parameter in a request's target, still escaped; "" where it is absent.
std::string_view QueryValue(std::string_view target, std::string_view name);

}  // namespace relist
