// An informer's store, seen as T's (catalogue INF-14).
//
//   TypedIndexer<Pod> pods = informer.indexer();
//   for (const TypedRef<Pod>& pod : *pods.ByIndex("node", "node-1")) ...
//
// Any thread; it is a view: copy it, as long as the informer lives.
#pragma once

#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "core/result.h"
#include "reflector/informers/typed_ref.h"
#include "reflector/stores/indexer.h"

namespace relist {

template <class T>
using TypedIndexFunction = std::function<std::vector<std::string>(const T&)>;

// For Indexer::AddIndexer. An object without a T has no values.
template <class T>
IndexFunction IndexBy(TypedIndexFunction<T> function) {
  return [function = std::move(function)](const Object& object) -> std::vector<std::string> {
    const void* value = object.attached(kAttachedType<T>);
    if (!value) return {};
    return function(*static_cast<const T*>(value));
  };
}

template <class T>
class TypedIndexer {
 public:
  // The store of an informer of T's; must outlive the view.
  explicit TypedIndexer(Indexer& indexer) : indexer_(&indexer) {}

  TypedRef<T> Get(const ObjectKey& key) const { return TypedRef<T>(indexer_->Get(key)); }
  std::vector<TypedRef<T>> List() const { return Typed(indexer_->List()); }
  // Errors as Indexer's.
  Result<std::vector<TypedRef<T>>> ByIndex(const std::string& index,
                                           const std::string& value) const {
    Result<std::vector<ObjectRef>> found = indexer_->ByIndex(index, value);
    if (!found.ok()) return found.error();
    return Typed(std::move(*found));
  }
  Result<void> AddIndexer(const std::string& name, TypedIndexFunction<T> function) {
    return indexer_->AddIndexer(name, IndexBy<T>(std::move(function)));
  }
  size_t size() const { return indexer_->size(); }
  Indexer& raw() const { return *indexer_; }

 private:
  static std::vector<TypedRef<T>> Typed(std::vector<ObjectRef> objects) {
    return {std::make_move_iterator(objects.begin()), std::make_move_iterator(objects.end())};
  }
  Indexer* indexer_;
};

}  // namespace relist
