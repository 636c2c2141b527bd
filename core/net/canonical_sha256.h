// What a client's log says of an object's body: the "sha256" of the client protocol.
//
//   CanonicalSha256(*object);   // "9f86d081884c7d65..."
//
// Here, and not with the values of the wire, because of OpenSSL. A pure function.
#pragma once

#include <string>

#include "core/wire/object.h"

namespace relist {

// SHA-256, in hex, of the object's canonical JSON: keys sorted, no spaces, UTF-8 as it is. kind and
// apiVersion are left out: items of a list don't carry them, the same objects in a watch do.
std::string CanonicalSha256(const Object& object);

}  // namespace relist
