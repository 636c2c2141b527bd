// What a read is about: a namespace or all, one name or all, and the selectors.
//
//   Selection selection(resource, {"default", ""}, options);
//   selection.Matches(*stored);
//
// A name or namespace may come from the path or from the field selector (SRV-27). A Selection that
// is everything costs two comparisons for an object. Values.
#pragma once

#include <string>

#include "fakeapi/read/read_options.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

class Selection {
 public:
  // `path_key`: the namespace of the path, and the name of a legacy watch's.
  Selection(const ResourceType& resource, const ObjectKey& path_key, const ReadOptions& options);

  bool Matches(const StoredObject& object) const;
  // The namespace to look in; "" for all, or a cluster-scoped resource.
  const std::string& ns() const { return ns_; }
  // The one object that it can be; empty name where it may be more.
  const ObjectKey& single() const { return single_; }

 private:
  std::string ns_;
  std::string name_;
  ObjectKey single_;
  bool by_label_ = false;
  bool by_field_ = false;
  LabelSelector labels_;
  FieldSelector fields_;
};

}  // namespace relist::fakeapi
