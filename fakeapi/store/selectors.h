// Field selectors: parsed once with the real server's error texts, then matched against many
// objects. Those of labels are in core/wire/label_selector.h.
//
//   Result<FieldSelector> fields = FieldSelector::Parse(resource, "metadata.name=b");
//   fields->name();   // "b": what the whole answer is narrowed to
//
// Errors are 400 BadRequest (recordings: chapter list). Values: copy freely.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/wire/label_selector.h"
#include "core/wire/object_key.h"

namespace relist::fakeapi {

struct ResourceType;  // fakeapi/api/resources.h

class FieldSelector {
 public:
  // "" selects everything. A field that the resource does not know is an error that names those it
  // does.
  static Result<FieldSelector> Parse(const ResourceType& resource, std::string_view text);
  // The two halves of Parse, for who has other things to judge in between: the text, the fields.
  static Result<FieldSelector> ParseText(std::string_view text);
  Result<void> CheckFields(const ResourceType& resource);

  // An absent field is the empty string.
  bool Matches(const StringMap& fields) const;
  // As StoredObject has them: name and namespace are in the key.
  bool Matches(const ObjectKey& key, const StringMap& fields) const;
  bool everything() const { return terms_.empty(); }
  // The one value, of metadata.name, metadata.namespace, or spec.nodeName, that every match must
  // have; nothing where there is no such term.
  std::optional<std::string> name() const { return Exactly("metadata.name"); }
  std::optional<std::string> ns() const { return Exactly("metadata.namespace"); }
  std::optional<std::string> node() const { return Exactly("spec.nodeName"); }

 private:
  struct Term {
    std::string field;
    std::string value;
    bool equal = true;
  };
  std::optional<std::string> Exactly(std::string_view field) const;
  std::vector<Term> terms_;
};

}  // namespace relist::fakeapi
