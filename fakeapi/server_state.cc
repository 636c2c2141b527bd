#include "fakeapi/server_state.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "fakeapi/api/resources.h"
#include "fakeapi/encoding/json_writer.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

double InSeconds(Duration time) {
  return std::chrono::duration<double>(time).count();
}

ordered_json CacheState(const WatchCache& cache) {
  return {{"resource", cache.resource().resource.GroupResource()},
          {"oldestWatch", std::to_string(cache.OldestStart())},
          {"oldestSnapshot", std::to_string(cache.snapshot_floor())},
          {"events", cache.end() - cache.window_begin()},
          {"watches", cache.Readers()}};
}

ordered_json ReplicaState(const Replica& replica, size_t number, TimePoint now) {
  ordered_json state = {{"replica", number},
                        {"revision", std::to_string(replica.revision())},
                        {"ready", replica.ready()},
                        {"paused", replica.paused()},
                        {"lagSeconds", InSeconds(replica.lag())}};
  if (!replica.ready()) state["readyInSeconds"] = InSeconds(replica.NextChange() - now);
  ordered_json& caches = state["caches"] = ordered_json::array();
  for (const auto& cache : replica.caches()) caches.push_back(CacheState(*cache));
  return state;
}

}  // namespace

std::vector<SavedObject> ObjectsOf(const Store& store) {
  std::vector<SavedObject> objects;
  for (const ResourceType* resource : AllResources()) {
    for (const auto& [key, object] : store.All(*resource)) objects.push_back({resource, object});
  }
  return objects;
}

std::string StateJson(const Store& store, const EtcdHistory& etcd,
                      const std::vector<std::shared_ptr<Replica>>& replicas,
                      const std::map<std::string, std::vector<SavedObject>>& saved, TimePoint now) {
  ordered_json state = {{"revision", std::to_string(store.revision())},
                        {"compacted", std::to_string(etcd.floor())}};
  ordered_json& objects = state["objects"] = ordered_json::object();
  for (const ResourceType* resource : AllResources()) {
    const size_t count = store.All(*resource).size();
    if (count > 0) objects[resource->resource.GroupResource()] = count;
  }
  ordered_json& rows = state["replicas"] = ordered_json::array();
  for (size_t i = 0; i < replicas.size(); ++i) rows.push_back(ReplicaState(*replicas[i], i, now));
  ordered_json& names = state["snapshots"] = ordered_json::object();
  for (const auto& [name, kept] : saved) names[name] = kept.size();
  return WriteJson(state);
}

}  // namespace relist::fakeapi
