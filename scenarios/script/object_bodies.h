// Objects of a script as the server is sent them.
//
//   const std::string body = BodyOf(object);          // whole, with kind, apiVersion and names
//   GrowTo(&object, 1024);                              // so many bytes of body
//
// Pure functions. An object's resource must be one that is served.
#pragma once

#include <string>

#include "fakeapi/api/resources.h"
#include "scenarios/script/step_spec.h"

namespace relist {

// Of what a person typed, which reading has judged: a failed CHECK where there is none.
const fakeapi::ResourceType& TypeOf(const std::string& resource);

// What each kind cannot do without, as JSON.
const char* SmallestBody(const fakeapi::ResourceType& type);

std::string BodyOf(const ObjectSpec& object);

// Fills an annotation ("filler") until its body has so many bytes; nothing where it has more
// already, and then how many it has at least.
size_t GrowTo(ObjectSpec* object, size_t bytes);

}  // namespace relist
