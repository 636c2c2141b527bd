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
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/history.h"
#include "core/result.h"
#include "core/time.h"
#include "fakeapi/api/request_handler.h"
#include "fakeapi/controllers/controller_set.h"

namespace relist::fakeapi {

struct Loaded;  // object_loader.h
class Store;

struct ApiServerOptions {
  size_t watch_window = 1000;  // events kept for each resource before the oldest is evicted
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
  // An apiserver alone has none. Those that run write from within Tick().
  ControllerSet controllers;
};

class ApiServer : public RequestHandler {
 public:
  explicit ApiServer(ApiServerOptions options);
  ~ApiServer() override;

  Reply Handle(const Request& request, TimePoint received, TimePoint now) override;
  uint64_t change_count() const override;
  TimePoint NextDeadline() const override;  // the controllers'
  void Tick(TimePoint now) override;

  Store& store();
  // For those who write to store() themselves: what they commit happens at `now`.
  void SetTime(TimePoint now);
  uint64_t revision() const;
  // Up to where etcd was compacted.
  uint64_t compacted_revision() const;
  // False: the request lacks the token, or carries another one.
  bool IsAuthorized(const Request& request) const;

  // etcd's floor moves to `revision` (0: now). `learned`: the cache knows, so exact lists and
  // tokens below it are 410.
  void Compact(TimePoint now, uint64_t revision = 0, bool learned = false);
  // The watch windows start empty: watches from before now are expired (k_watch), open watches go
  // on.
  void Evict(TimePoint now);
  // As a restart of the apiserver: open watches end, windows start empty, snapshots of exact lists
  // are forgotten.
  void Restart(TimePoint now);
  // Every watch that asked for bookmarks gets one now; how many those are.
  int Bookmark(TimePoint now);
  // Empty again, for the next test; open watches end.
  void Reset(TimePoint now);

  // Loads a List, or one object, in YAML or JSON: `relist serve --objects`. Names, labels, uids and
  // creation times are kept, resourceVersions are new, missing namespaces are made. The Error names
  // the item's index. See object_loader.h.
  Result<Loaded> LoadObjects(const std::string& text, TimePoint now);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist::fakeapi
