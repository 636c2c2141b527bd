// Whether bytes are JSON as Go's encoding/json judges them, and its text where they are not.
//
//   GoJsonError("{not json");   // "invalid character 'n' looking for beginning of object key
//   string" GoJsonError("{}");          // nothing
//
// Needed only after a parser has refused: no recursion, no values. Bytes over 0x7f in strings are
// always good (Go mends them), as are lone surrogates.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace relist::fakeapi {

std::optional<std::string> GoJsonError(std::string_view bytes);

}  // namespace relist::fakeapi
