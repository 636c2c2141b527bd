// A controller's requests: the same writes as everybody's, so that preconditions, finalizers and
// events are the same; only the way over a connection is left out.
//
//   ControllerWrites writes(store, choices);
//   WriteOutcome gone = writes.Delete(pods, key, "Background", now);
//   if (!gone.ok()) ... gone.message ...
//
// Without the preconditions of the real ones: nothing can come between a look at the store and the
// write. Belongs to the store's thread, and is not for use from within a commit.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/choices.h"
#include "core/time.h"
#include "fakeapi/store/store.h"
#include "fakeapi/write/writes.h"

namespace relist::fakeapi {

struct WriteOutcome {
  int status = 200;
  std::string message;  // of a failure

  bool ok() const { return status < 300; }
  bool not_found() const { return status == 404; }
};

class ControllerWrites {
 public:
  // Both outlive it.
  ControllerWrites(Store& store, Choices& choices) : store_(store), choices_(choices) {}

  WriteOutcome Create(const ResourceType& resource, const std::string& ns,
                      const nlohmann::ordered_json& value, TimePoint now);
  // `propagation`: "Background", "Foreground", "Orphan".
  WriteOutcome Delete(const ResourceType& resource, const ObjectKey& key,
                      const std::string& propagation, TimePoint now);
  // All objects of a namespace.
  WriteOutcome DeleteCollection(const ResourceType& resource, const std::string& ns,
                                const std::string& propagation, TimePoint now);
  // `type`: "merge-patch", "strategic-merge-patch".
  WriteOutcome Patch(const ResourceType& resource, const ObjectKey& key, const std::string& type,
                     const nlohmann::ordered_json& patch, TimePoint now);
  // A PUT on a subresource: "status", "finalize".
  WriteOutcome Update(const ResourceType& resource, const ObjectKey& key,
                      const std::string& subresource, const nlohmann::ordered_json& value,
                      TimePoint now);

 private:
  WriteOutcome Send(WriteRequest write, const std::string& type, const std::string& body);

  Store& store_;
  Choices& choices_;
};

}  // namespace relist::fakeapi
