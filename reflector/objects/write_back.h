// A T that was changed, as JSON to send back: fields that T does not know stay as they are.
//
//   Deployment changed = *deployment;                      // a TypedRef<Deployment>
//   changed.spec.replicas = 3;
//   std::string body = WriteBack(deployment, changed);     // for a PUT
//
// How: the T that was read and the changed one are both written with to_json, and what differs
// between the two is done to the object as it came. So whatever T left alone, or has never heard
// of, is the server's own text, at any depth. Items of a list are told apart by their "name",
// "type", "uid" or "key", where all have one, otherwise by their place while their number stays
// the same; a list of texts is replaced. Where the object lacks a kind (items of lists do) it gets
// T's own. The version that was read goes along, so that a write in between is a
// conflict. Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>

#include "reflector/informers/typed_ref.h"

namespace relist::objects {

// Does to *base what makes `after` of `before`.
void ApplyChanges(const nlohmann::json& before, const nlohmann::json& after, nlohmann::json* base);

// The two are what to_json makes of a T: as it was read from `base`, and changed.
std::string WriteBackChanges(const Object& base, const std::function<void(nlohmann::json&)>& before,
                             const std::function<void(nlohmann::json&)>& after);

template <class T>
std::string WriteBack(const TypedRef<T>& read, const T& changed) {
  return WriteBackChanges(
      *read.object(), [&read](nlohmann::json& into) { to_json(into, *read); },
      [&changed](nlohmann::json& into) { to_json(into, changed); });
}

}  // namespace relist::objects
