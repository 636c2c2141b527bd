// The lines of the client protocol: what any program under test prints, and `relist watch` does.
//
//   {"type":"added","namespace":"ns","name":"a","uid":"","resourceVersion":"7","t":12,"sha256":"f"}
//   {"type":"modified",...,"old":{"resourceVersion":"7"}}
//   {"type":"deleted",...,"tombstone":true}        the final state was not seen
//   {"type":"synced","t":15}
//   {"type":"error","terminal":false,"message":"..."}
//   {"type":"store","items":[{"namespace","name","uid","resourceVersion"}]}     the answer to
//   `dump`
//
// Plain functions; each returns a line with its newline. "namespace" is absent for what has none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/wire/object.h"

namespace relist::command {

// `elapsed_ms` is since the program's start.
std::string AddedLine(const Object& object, int64_t elapsed_ms);
std::string ModifiedLine(const Object& old_object, const Object& object, int64_t elapsed_ms);
std::string DeletedLine(const Object& object, bool tombstone, int64_t elapsed_ms);
std::string SyncedLine(int64_t elapsed_ms);
std::string ErrorLine(bool terminal, const std::string& message);
std::string StoreLine(const std::vector<ObjectRef>& objects);

// SHA-256, in hex, of the object's canonical JSON: keys sorted, no spaces, UTF-8 as it is. kind and
// apiVersion are left out: items of a list don't carry them, the same objects in a watch do.
std::string CanonicalSha256(const Object& object);

}  // namespace relist::command
