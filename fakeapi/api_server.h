// The fake kube-apiserver without any IO: requests in, answers and watch sessions out, time as an
// argument.
//
//   ApiServer server({});
//   Reply reply = server.Handle({"GET", "/api/v1/configmaps", {}, ""}, now, now);
//   std::get<Response>(reply).BodyText();   // {"kind":"ConfigMapList",...}
//
// Behaviour: catalogue section 20 (SRV) and the recordings in testdata/real. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/history.h"
#include "core/result.h"
#include "core/time.h"
#include "fakeapi/api/request_handler.h"
#include "fakeapi/controllers/controller_set.h"
#include "fakeapi/store/server_bug.h"
#include "fakeapi/store/time_budget.h"

namespace relist::fakeapi {

struct Loaded;  // object_loader.h
class Store;

struct ApiServerOptions {
  size_t replicas = 1;  // apiservers over one etcd, each with caches of its own
  // Events kept for each resource before the oldest is evicted; 0: as many as the real server
  // keeps.
  size_t watch_window = 1000;
  // Events that a watch may be behind whose client does not read; 0: as many as at the real server
  // (SRV-29).
  size_t watcher_buffer = 1000;
  TimeBudget::Rules dispatch_budget;  // how long all such are waited for
  Duration not_ready{};               // after the start caches are not ready for so long (SRV-15)
  Duration bookmark_period = Seconds(60);  // SRV-24
  Duration timeout_min =
      Seconds(1800);                 // an unset timeoutSeconds is drawn from [min, 2 min) (SRV-28)
  Duration fresh_wait = Seconds(3);  // how long a read newer than the world waits (SRV-14)
  // etcd is compacted so often, to where it was one period before, as the real server does; the
  // cache learns of it at once. Zero: only when asked to.
  Duration compaction_period = Seconds(300);
  // The world begins here; there is nothing to read below. Where nothing is kept from one life of a
  // server to the next, each has to begin beyond the one before, or a watch from then would go on
  // as if nothing had happened.
  uint64_t start_revision = 1;
  bool system_namespaces = true;  // default, kube-system ... are there, as a real server makes them
  TimePoint started = kSimulationEpoch;  // when it made them
  std::string token;                     // if set, requests must carry it as a bearer token (401)
  Choices* choices = nullptr;            // uids, drawn time-outs; null: a seeded one of its own
  History* history = nullptr;            // commits and control actions; may be null
  ServerBug bug = ServerBug::kNone;      // for tests of tests
  // An apiserver alone has none. Those that run write from within Tick().
  ControllerSet controllers;
};

// Which replica an action is for; nothing: each of them.
using WhichReplica = std::optional<size_t>;

class ApiServer : public RequestHandler {
 public:
  explicit ApiServer(ApiServerOptions options);
  ~ApiServer() override;

  // As replica 0; Front(n) is what to talk to replica n by.
  Reply Handle(const Request& request, TimePoint received, TimePoint now) override;
  uint64_t change_count() const override;
  uint64_t incarnation() const override;
  TimePoint NextDeadline() const override;
  void Tick(TimePoint now) override;
  RequestHandler& Front(size_t replica);
  size_t replicas() const;

  Store& store();
  // For those who write to store() themselves: what they commit happens at `now`.
  void SetTime(TimePoint now);
  uint64_t revision() const;
  // Up to where etcd was compacted.
  uint64_t compacted_revision() const;
  // False: the request lacks the token, or carries another one.
  bool IsAuthorized(const Request& request) const;

  // etcd's floor moves to `revision` (0: now). `learned`: the caches know, so exact lists and
  // tokens below it are 410.
  void Compact(TimePoint now, uint64_t revision = 0, bool learned = false);
  // The watch windows start empty: watches from before now are expired (k_watch), open watches go
  // on.
  void Evict(TimePoint now, WhichReplica which = {});
  // As a restart of the apiserver: open watches end, and with them all connections; windows start
  // empty, snapshots of exact lists are forgotten; the caches are not ready for so long.
  void Restart(TimePoint now, WhichReplica which = {}, Duration not_ready = {});
  // Every watch that asked for bookmarks gets one now; how many those are.
  int Bookmark(TimePoint now, WhichReplica which = {});
  // Commits come to the replica's caches so much later than they were made, or not before Resume.
  void SetLag(TimePoint now, Duration lag, WhichReplica which = {});
  void Pause(TimePoint now, WhichReplica which = {});
  void Resume(TimePoint now, WhichReplica which = {});

  // Remembers what is there, to be gone back to; how many objects those are. A name is used again.
  size_t SaveAs(TimePoint now, const std::string& name);
  bool HasSaved(const std::string& name) const;
  // Empty again, for the next test, or as it was when saved under a name, which there
  // is. Open watches end, lags end, versions and connections go on.
  void Reset(TimePoint now, const std::string& saved = "");
  // What GET /relist/v1/state tells, a line of JSON.
  std::string StateJson(TimePoint now) const;

  // Loads a List, or one object, in YAML or JSON: `relist serve --objects`. Names, labels, uids and
  // creation times are kept, resourceVersions are new, missing namespaces are made. The Error names
  // the item's index. See object_loader.h.
  Result<Loaded> LoadObjects(const std::string& text, TimePoint now);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist::fakeapi
