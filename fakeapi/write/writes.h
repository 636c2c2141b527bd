// create, replace, patch, delete and deletecollection of any kind, and of its status: one entry,
// one answer.
//
//   WriteRequest write{.verb = WriteVerb::kCreate, .resource = cm, .key = {"default", ""}, .request
//   = &request, ...}; Response response = HandleWrite(store, write, choices);
//
// Preconditions, defaults, validation and field order live behind it; the only thing that it
// changes is the Store. It never throws. Recordings: chapters crud, patch, validation, pods,
// subresources.
#pragma once

#include <string>

#include "core/choices.h"
#include "core/time.h"
#include "fakeapi/api/http_types.h"
#include "fakeapi/api/negotiation.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

// POST on a collection, PUT, PATCH and DELETE on an object, DELETE on a collection. (POST on an
// object is a 405.)
enum class WriteVerb { kCreate, kReplace, kPatch, kDelete, kDeleteCollection };

struct WriteRequest {
  WriteVerb verb = WriteVerb::kCreate;
  const ResourceType* resource = nullptr;
  ObjectKey key;  // from the path; no name for kCreate and kDeleteCollection
  std::string
      subresource;  // "status" ...; one that the resource has not is a 404, one not done a 501
  const Request* request = nullptr;  // headers and body
  HeaderList query;                  // decoded
  Negotiated form;                   // of the answer
  TimePoint now;
};

// Verbs that the resource does not allow are a 405.
Response HandleWrite(Store& store, const WriteRequest& write, Choices& choices);

// A namespace as a create of nothing but its name makes it. It is not there yet.
void CreateNamespace(Store& store, const std::string& name, TimePoint now, Choices& choices);
// default, kube-system, kube-public and kube-node-lease, which a real server makes when it starts.
void CreateSystemNamespaces(Store& store, TimePoint now, Choices& choices);

}  // namespace relist::fakeapi
