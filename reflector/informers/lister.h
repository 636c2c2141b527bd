// Reads from an informer's store: by labels, by namespace, by name (client-go's listers; catalogue
// LST-01).
//
//   Lister lister(informer.indexer(), {"", "v1", "configmaps", "ConfigMap"});
//   lister.List(LabelSelector::FromSet({{"app", "web"}}));     // of all namespaces, in key order
//   lister.Namespace("default").List(LabelSelector::Everything());
//   Result<ObjectRef> web = lister.Namespace("default").Get("web");    // or 404 NotFound
//
// TypedLister<T> hands out TypedRef<T>. A raw one reads the labels out of the objects' bytes, and
// keeps nothing of it. Any thread; objects are shared.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/wire/label_selector.h"
#include "core/wire/resource.h"
#include "reflector/informers/typed_ref.h"
#include "reflector/log.h"
#include "reflector/stores/indexer.h"

namespace relist {

// Namespace listers use kNamespaceIndex: an informer of a factory has it, others get it by
// AddIndexer(kNamespaceIndex, IndexByNamespace). Without it all objects are looked at, with a line
// in the log.

// The labels of an object, or null: where they are known without reading its bytes.
using KnownLabels = const StringMap* (*)(const Object&);

// Those that `selector` selects, in key order (client-go: ListAll). Everything: labels are not
// looked at; nothing: objects are not.
std::vector<ObjectRef> ListAll(const Indexer& indexer, const LabelSelector& selector,
                               KnownLabels labels = nullptr);
// The same of one namespace; of all where `ns` is empty. `log` may be null.
std::vector<ObjectRef> ListAllByNamespace(const Indexer& indexer, const std::string& ns,
                                          const LabelSelector& selector,
                                          const std::shared_ptr<Log>& log,
                                          KnownLabels labels = nullptr);
// As the API server words it, in an Error that IsNotFound.
Error NotFoundIn(const Resource& resource, const std::string& name);

// What a `Ref` needs to be made of an object, and where its labels are known.
template <class Ref>
struct ListerTraits {
  static constexpr KnownLabels kLabels = nullptr;
};
template <class T>
  requires requires(const T& value) {
    { value.metadata.labels } -> std::convertible_to<const StringMap&>;
  }
struct ListerTraits<TypedRef<T>> {
  static constexpr KnownLabels kLabels = [](const Object& object) -> const StringMap* {
    const void* value = object.attached(kAttachedType<T>);
    return value ? &static_cast<const T*>(value)->metadata.labels : nullptr;
  };
};

template <class Ref>
class NamespaceListerOf {
 public:
  NamespaceListerOf(const Indexer& indexer, Resource resource, std::string ns,
                    std::shared_ptr<Log> log)
      : indexer_(&indexer),
        resource_(std::move(resource)),
        ns_(std::move(ns)),
        log_(std::move(log)) {}

  std::vector<Ref> List(const LabelSelector& selector) const {
    std::vector<ObjectRef> objects =
        ListAllByNamespace(*indexer_, ns_, selector, log_, ListerTraits<Ref>::kLabels);
    return {std::make_move_iterator(objects.begin()), std::make_move_iterator(objects.end())};
  }
  Result<Ref> Get(const std::string& name) const {
    ObjectRef object = indexer_->Get({ns_, name});
    if (!object) return NotFoundIn(resource_, name);
    return Ref(std::move(object));
  }

 private:
  const Indexer* indexer_;
  Resource resource_;
  std::string ns_;
  std::shared_ptr<Log> log_;
};

template <class Ref>
class ListerOf {
 public:
  // `indexer` must outlive the lister and what it gives; `log` (may be null) is told where an index
  // is missing.
  ListerOf(const Indexer& indexer, Resource resource, std::shared_ptr<Log> log = nullptr)
      : indexer_(&indexer), resource_(std::move(resource)), log_(std::move(log)) {}

  std::vector<Ref> List(const LabelSelector& selector) const {
    std::vector<ObjectRef> objects = ListAll(*indexer_, selector, ListerTraits<Ref>::kLabels);
    return {std::make_move_iterator(objects.begin()), std::make_move_iterator(objects.end())};
  }
  // By key: "name" of what is in no namespace, "ns/name" of what is.
  Result<Ref> Get(const std::string& key) const {
    ObjectRef object = indexer_->Get(ObjectKey::Parse(key));
    if (!object) return NotFoundIn(resource_, key);
    return Ref(std::move(object));
  }
  NamespaceListerOf<Ref> Namespace(std::string ns) const {
    return {*indexer_, resource_, std::move(ns), log_};
  }

 private:
  const Indexer* indexer_;
  Resource resource_;
  std::shared_ptr<Log> log_;
};

using Lister = ListerOf<ObjectRef>;
template <class T>
using TypedLister = ListerOf<TypedRef<T>>;

}  // namespace relist
