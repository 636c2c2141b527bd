// Files, whole. Errors are one line with the path and the system's reason.
#pragma once

#include <string>

#include "core/result.h"

namespace relist::command {

Result<std::string> ReadTextFile(const std::string& path);
// `only_owner`: readable by nobody else (it holds a token).
Result<void> WriteTextFile(const std::string& path, const std::string& text,
                           bool only_owner = false);

}  // namespace relist::command
