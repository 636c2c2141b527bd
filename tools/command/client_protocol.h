// The lines of the client protocol: what any program under test prints, and `relist watch` does.
//
//   {"type":"added","namespace":"ns","name":"a","uid":"","resourceVersion":"7","t":12,"sha256":"f"}
//   {"type":"modified",...,"old":{"resourceVersion":"7"}}
//   {"type":"deleted",...,"tombstone":true}        the final state was not seen
//   {"type":"synced","t":15}
//   {"type":"error","terminal":false,"message":"..."}
//   {"type":"store","t":20,"items":[{"namespace","name","uid","resourceVersion"}]}    after `dump`
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
std::string StoreLine(const std::vector<ObjectRef>& objects, int64_t elapsed_ms);

}  // namespace relist::command
