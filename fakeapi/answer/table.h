// What kubectl get prints: each kind's columns, and the cells of one object.
//
//   ColumnsJson(pods);            // [{"name":"Name","type":"string","format":"name",...},...]
//   CellsJson(pods, pod, now);    //
//   ["web","1/1","Running","0","5m","10.0.0.1","n1","<none>","<none>"]
//
// Columns, priorities and texts for empty cells are those of the recordings (chapter kinds); what
// makes a pod's or a node's status is as the real server's printers do it.
#pragma once

#include <string>

#include "core/time.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

// Static lifetime.
const std::string& ColumnsJson(const ResourceType& resource);
std::string CellsJson(const ResourceType& resource, const StoredObject& object, TimePoint now);

}  // namespace relist::fakeapi
