#include "reflector/informers/lister.h"

#include <fmt/core.h>

#include "core/wire/quote.h"
#include "reflector/decoding/label_reader.h"
#include "reflector/parity_switch.h"

namespace relist {
namespace {

std::vector<ObjectRef> Selected(std::vector<ObjectRef> objects, const LabelSelector& selector,
                                KnownLabels known) {
  if (selector.everything() && Behaves("LST-01b")) return objects;
  LabelReader reader;
  std::erase_if(objects, [&](const ObjectRef& object) {
    const StringMap* labels = known ? known(*object) : nullptr;
    return !selector.Matches(labels ? *labels : reader.Read(*object));
  });
  return objects;
}

}  // namespace

std::vector<ObjectRef> ListAll(const Indexer& indexer, const LabelSelector& selector,
                               KnownLabels labels) {
  if (selector.nothing() && Behaves("LST-01")) return {};
  return Selected(indexer.List(), selector, labels);
}

std::vector<ObjectRef> ListAllByNamespace(const Indexer& indexer, const std::string& ns,
                                          const LabelSelector& selector,
                                          const std::shared_ptr<Log>& log, KnownLabels labels) {
  if (ns.empty() || selector.nothing()) return ListAll(indexer, selector, labels);
  Result<std::vector<ObjectRef>> indexed = indexer.ByIndex(kNamespaceIndex, ns);
  if (indexed.ok()) return Selected(std::move(*indexed), selector, labels);
  Say(log, LogLevel::kWarning,
      fmt::format("can not retrieve list of objects using index: {}", indexed.error().message()));
  std::vector<ObjectRef> objects = indexer.List();
  std::erase_if(objects, [&](const ObjectRef& object) { return object->key().ns != ns; });
  return Selected(std::move(objects), selector, labels);
}

Error NotFoundIn(const Resource& resource, const std::string& name) {
  Error error = Error::Api(
      404, "NotFound",
      fmt::format("{} {} not found", resource.GroupResource(), QuoteText(name, HexCase::kLower)));
  error.status.details = StatusDetails{};
  error.status.details->name = name;
  error.status.details->group = resource.group;
  error.status.details->kind = resource.plural;
  return error;
}

}  // namespace relist
