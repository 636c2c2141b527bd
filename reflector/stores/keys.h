// How objects are named in stores and queues: namespace and name, or by a function of one's own
// (client-go's KeyFunc; catalogue STO-01).
//
//   KeyFunction by_uid = [](const Object& object) -> Result<ObjectKey> {
//     if (object.uid().empty()) return Error::Net(Transport::kOther, "no uid");
//     return ObjectKey{"", std::string(object.uid())};
//   };
//   Result<ObjectKey> key = ParseObjectKey("default/web");
//
// client-go's keys are strings; ObjectKey is the same in two parts. A key of one's own goes whole
// into `name`. client-go's ExplicitKey, for who has a key and no object, is any call that takes an
// ObjectKey.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/wire/object.h"

namespace relist {

// Must be deterministic. An Error: the object has no such key, and is refused. Empty where one may
// be: MetaNamespaceKey.
using KeyFunction = std::function<Result<ObjectKey>(const Object&)>;

// Namespace and name; never fails.
Result<ObjectKey> MetaNamespaceKey(const Object& object);
// The one value of an index function; an Error where it gives none or several.
KeyFunction KeyFromIndex(std::function<std::vector<std::string>(const Object&)> index);
// "ns/name" or "name"; an Error for more than one slash ("unexpected key format: ...").
Result<ObjectKey> ParseObjectKey(std::string_view text);

// What `function` says of the object; its Error comes as KeyError.
Result<ObjectKey> KeyOf(const KeyFunction& function, const Object& object);
// "couldn't create key for object default/web: why". It keeps what `why` is: IsExpired and the like
// say the same of both.
Error KeyError(const Object& object, const Error& why);
bool IsKeyError(const Error& error);

}  // namespace relist
