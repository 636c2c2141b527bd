// What GET /relist/v1/state tells of a server, and what a snapshot of it holds.
//
//   StateJson(store, etcd, replicas, saved, now);
//   // {"revision":"12","compacted":"1","replicas":[{"replica":0,"revision":"12",...}],...}
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/time.h"
#include "fakeapi/read/replica.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

struct SavedObject {
  const ResourceType* resource;
  StoredRef object;
};

// In the order of discovery, then by key.
std::vector<SavedObject> ObjectsOf(const Store& store);

// Versions are text, as everywhere in the API; times are seconds.
std::string StateJson(const Store& store, const EtcdHistory& etcd,
                      const std::vector<std::shared_ptr<Replica>>& replicas,
                      const std::map<std::string, std::vector<SavedObject>>& saved, TimePoint now);

}  // namespace relist::fakeapi
