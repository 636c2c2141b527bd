// A small store with its caches, for tests of the read side: configmaps in namespaces, written
// without going through requests.
//
//   ReadTestWorld world;
//   uint64_t revision = world.Put("default/a", "1", {{"app", "x"}});
//   Reply reply = world.List("resourceVersion=0");
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/choices.h"
#include "fakeapi/api/request_handler.h"
#include "fakeapi/read/replica.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

struct ReadTestWorld : CommitSink {
  explicit ReadTestWorld(size_t window = 1000)
      : ReadTestWorld(WatchCacheOptions{.window = window}) {}
  explicit ReadTestWorld(const WatchCacheOptions& options);
  ~ReadTestWorld() override;
  void OnCommit(const Commit& commit) override;

  // Creates or replaces a configmap with {"n": value}; its revision.
  uint64_t Put(const std::string& key, const std::string& value,
               const std::map<std::string, std::string>& labels = {});
  uint64_t Remove(const std::string& key);
  // Something else happens: the clock moves, no configmap does.
  uint64_t Elsewhere();
  // etcd's floor moves; `learned`: the replica knows.
  void Compact(uint64_t revision, bool learned);

  // The query without its question mark; of all namespaces unless `ns` is given.
  Reply List(const std::string& query, const std::string& ns = "");
  std::unique_ptr<WatchSession> Watch(const std::string& query, const std::string& ns = "");
  // Like Watch, for what is not answered yet: until when it waits.
  TimePoint WaitOfWatch(const std::string& query);
  // Like Watch, for what is answered without a session.
  Response RefusedWatch(const std::string& query);

  const ResourceType& configmaps;
  Store store;
  std::shared_ptr<EtcdHistory> etcd;
  std::shared_ptr<Replica> replica;
  BoringChoices choices;
  TimePoint start = kSimulationEpoch;
  TimePoint now = kSimulationEpoch;

 private:
  Reply Read(const std::string& query, const std::string& ns, bool is_watch);
  uint64_t elsewhere_ = 0;
};

// "a=1 b=2": names and values of a list's items.
std::string ItemsOf(const Reply& reply);
// One of the list's metadata ("resourceVersion", "continue", "remainingItemCount"); "" if absent.
std::string MetaOf(const Reply& reply, const std::string& field);
int StatusOf(const Reply& reply);
// message of a Status.
std::string MessageOf(const Reply& reply);

// What a session has to say now, one word a line: "ADDED a=1@5", "BOOKMARK@7", "BOOKMARK@7 end",
// "ERROR 410 text", "end".
std::vector<std::string> Drain(WatchSession& session, TimePoint now);

}  // namespace relist::fakeapi
