// The steps of a write, shared by creating, updating and deleting. Private to writes.cc and its
// neighbours.
//
//   Writing writing{store, write, choices, options, {}};
//   Result<Response> answer = CreateObject(writing);
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/result.h"
#include "fakeapi/store/store.h"
#include "fakeapi/write/write_options.h"
#include "fakeapi/write/writes.h"

namespace relist::fakeapi {

struct Writing {
  Store& store;
  const WriteRequest& write;
  Choices& choices;
  WriteOptions options;
  std::vector<std::string> warnings;  // become Warning headers

  const ResourceType& resource() const { return *write.resource; }
  const ObjectKey& key() const { return write.key; }
};

Result<Response> CreateObject(Writing& writing);               // write_create.cc
Result<Response> ReplaceObject(Writing& writing);              // write_update.cc
Result<Response> PatchObject(Writing& writing);                // write_update.cc
Result<Response> DeleteObject(Writing& writing);               // write_delete.cc
Result<Response> DeleteCollectionOfObjects(Writing& writing);  // write_delete.cc

// Creates `value` (decoded, metadata named and in the right namespace) under a name given or
// generated: what a create and a replace of something missing have in common.
Result<StoredRef> AdmitAndCreate(Writing& writing, nlohmann::ordered_json value);

// `value` as if it had been stored, for a dry run or an object that is gone by now. A revision of 0
// is left out.
StoredRef Unstored(const ResourceType& resource, const ObjectKey& key, nlohmann::ordered_json value,
                   uint64_t revision);

// The object in the answer's form, with the warnings.
Response Answer(const Writing& writing, const StoredRef& object, int status = 200);

// 400 unless the object's namespace is the path's, or empty.
Result<void> CheckNamespace(const Writing& writing, const nlohmann::ordered_json& value);

// Whether an object that was marked as deleted is to go now: nothing holds it any more.
bool IsReleased(const ResourceType& resource, const nlohmann::ordered_json& value);

}  // namespace relist::fakeapi
