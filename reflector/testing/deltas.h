// Objects and deltas in a word each, for tests of queues and stores.
//
//   fifo.Add(MakeObject("a", "10"));
//   EXPECT_THAT(Pop(&fifo), ElementsAre("added a@10"));
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "reflector/queues/delta_queue.h"

namespace relist::testing {

inline ObjectRef MakeObject(const std::string& name, const std::string& rv = "1",
                            const std::string& ns = "default", const std::string& uid = "") {
  Object::Head head;
  head.key = {ns, name};
  head.resource_version = rv;
  head.uid = uid;
  return std::make_shared<Object>("{}", std::move(head));
}

// "a@10"
inline std::string Show(const ObjectRef& object) {
  return object ? object->key().name + "@" + object->resource_version() : "none";
}

inline std::vector<std::string> Show(const std::vector<ObjectRef>& objects) {
  std::vector<std::string> out;
  for (const ObjectRef& object : objects) out.push_back(Show(object));
  return out;
}

// "added a@10", "deleted b@3 unknown", "replaced all at 7: a@1 b@2"
inline std::string Show(const Delta& delta) {
  static const char* const kNames[] = {"added", "updated",      "deleted",  "replaced",
                                       "sync",  "replaced all", "sync all", "bookmark"};
  std::string out = kNames[static_cast<int>(delta.type)];
  if (delta.object) out += " " + Show(delta.object);
  if (delta.final_state_unknown) out += " unknown";
  if (!delta.resource_version.empty()) out += " at " + delta.resource_version;
  if (delta.all && !delta.all->empty()) out += ":";
  if (delta.all) {
    for (const ObjectRef& object : *delta.all) out += " " + Show(object);
  }
  return out;
}

inline std::vector<std::string> Show(const std::vector<Delta>& deltas) {
  std::vector<std::string> out;
  for (const Delta& delta : deltas) out.push_back(Show(delta));
  return out;
}

// A batch, processed at once.
inline std::vector<std::string> Pop(DeltaQueue* queue) {
  const std::vector<Delta> batch = queue->PopBatch();
  queue->Done(batch);
  return Show(batch);
}

// All batches until none is left, one after another.
inline std::vector<std::string> PopAll(DeltaQueue* queue) {
  std::vector<std::string> out;
  for (;;) {
    const std::vector<std::string> batch = Pop(queue);
    if (batch.empty()) return out;
    out.insert(out.end(), batch.begin(), batch.end());
  }
}

}  // namespace relist::testing
