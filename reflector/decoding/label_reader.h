// The labels of an object, out of its bytes, where nobody has parsed it: what a raw lister selects
// by.
//
//   LabelReader reader;
//   const StringMap& labels = reader.Read(*object);    // good until the next Read
//
// Where a label is no text the object has none (as client-go's unstructured objects). One parser,
// reused: not thread-safe.
#pragma once

#include <memory>

#include "core/wire/label_selector.h"
#include "core/wire/object.h"

namespace relist {

class LabelReader {
 public:
  LabelReader();
  ~LabelReader();
  const StringMap& Read(const Object& object);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist
