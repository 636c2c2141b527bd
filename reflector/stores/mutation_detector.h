// Finds out that somebody changed an object that all share (client-go's MutationDetector; catalogue
// AUX-01).
//
//   MutationDetector detector(loop, {.name = "pods"});
//   detector.AddObject(object);
//   scope.Spawn(detector.Run(stop));   // a failed CHECK: "cache pods modified: default/web:
//   /spec/x"
//
// Objects are immutable, and C++ has ways around that: a handler that casts const away, from the
// bytes or from json(), or a typed value with mutable or pointer members. An informer has one of
// these where KUBE_CACHE_MUTATION_DETECTOR is true in the environment, or where its options ask for
// it. It is for tests: every object is parsed and copied, and looked at once a second for two to
// four minutes.
//
// Run belongs to the loop's thread; the others may be called from any.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "core/runtime/loop.h"
#include "core/wire/object.h"

namespace relist {

struct MutationDetectorOptions {
  std::string name = "cache";  // in what it says
  Duration period = Seconds(1);
  Duration retain = Seconds(120);  // what was added is looked at so long, and at most twice that
  // A number of what else hangs on an object, of its typed value, say; may be empty.
  std::function<uint64_t(const Object&)> more;
  // Told instead of a failed CHECK; may be empty.
  std::function<void(const std::string& message)> on_mutation;
};

class MutationDetector {
 public:
  // A number that is the same as long as nobody changes the thing.
  using Fingerprint = std::function<uint64_t()>;

  explicit MutationDetector(Loop& loop, MutationDetectorOptions options = {});

  // Remembers how the object is now: its head, its bytes, the value that json() gives, and `more`.
  void AddObject(const ObjectRef& object);
  // The same for something else, by a name of its own: a typed value, say. `fingerprint` keeps
  // alive what it looks at.
  void Add(std::string name, Fingerprint fingerprint);
  // Looks once a period, until `stop`.
  Task<void> Run(Signal& stop);
  // Looks now. The message names each thing that was changed, and what in it.
  void Compare();
  size_t watched() const;  // things that are looked at

 private:
  struct Thing {
    std::string name;
    Fingerprint fingerprint;
    uint64_t number = 0;
    ObjectRef object;   // may be null
    std::string bytes;  // of the object, as they were
  };
  void Remember(Thing thing);
  void Rotate();
  static std::string WhatChanged(const Thing& thing);

  Loop& loop_;
  const MutationDetectorOptions options_;
  mutable std::mutex mutex_;  // for all below
  std::vector<Thing> young_;
  std::vector<Thing> old_;  // dropped at the next rotation
  TimePoint rotated_;
};

// What KUBE_CACHE_MUTATION_DETECTOR says, as Go reads a truth value; false where it is not set.
bool MutationDetectorFromEnvironment();

}  // namespace relist
