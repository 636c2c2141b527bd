#include "fakeapi/read/selection.h"

#include "fakeapi/api/resources.h"

namespace relist::fakeapi {

Selection::Selection(const ResourceType& resource, const ObjectKey& path_key,
                     const ReadOptions& options)
    : ns_(path_key.ns),
      name_(path_key.name),
      by_label_(!options.labels.everything()),
      by_field_(!options.fields.everything()),
      labels_(options.labels),
      fields_(options.fields) {
  if (by_field_) {
    const std::optional<std::string> ns = options.fields.ns();
    const std::optional<std::string> name = options.fields.name();
    if (ns && resource.namespaced() && ns_.empty()) ns_ = *ns;
    if (name && name_.empty()) name_ = *name;
  }
  if (!name_.empty() && (!resource.namespaced() || !ns_.empty())) single_ = {ns_, name_};
}

bool Selection::Matches(const StoredObject& object) const {
  if (!ns_.empty() && object.key.ns != ns_) return false;
  if (!name_.empty() && object.key.name != name_) return false;
  if (by_label_ && !labels_.Matches(object.labels)) return false;
  if (by_field_ && !fields_.Matches(object.key, object.fields)) return false;
  return true;
}

}  // namespace relist::fakeapi
