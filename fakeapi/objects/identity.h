// What the server makes up for a new object: its uid, and the end of a generated name.
//
//   MakeUid(store.revision(), choices);              // "6f1c0e0a-....-4...-8...-............"
//   NameSuffix(store.revision(), attempt, choices);  // "x7k2p"
//
// One draw each, mixed with the revision: unique within a server even where all choices are 0.
#pragma once

#include <cstdint>
#include <string>

#include "core/choices.h"

namespace relist::fakeapi {

std::string MakeUid(uint64_t revision, Choices& choices);
std::string NameSuffix(uint64_t revision, int attempt, Choices& choices);

}  // namespace relist::fakeapi
