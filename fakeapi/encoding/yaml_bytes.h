// The characters of a YAML text, judged as go-yaml's reader judges them, before yaml-cpp sees them:
// it takes any byte.
//
//   ReadYamlBytes("a: \xff");      // Error "yaml: invalid leading UTF-8 octet"
//   ReadYamlBytes("a: 1\rb: 2");   // "a: 1\nb: 2"
//
// UTF-8, or UTF-16 where a byte order mark says so. Pure function.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace relist::fakeapi {

// In UTF-8, without a mark at the start, and with LF for what YAML calls a line break besides CR
// LF: CR and U+0085.
Result<std::string> ReadYamlBytes(std::string_view bytes);

}  // namespace relist::fakeapi
