// Files, whole. Errors are one line with the path and the system's reason.
#pragma once

#include <string>

#include "core/result.h"

namespace relist::command {

// 256 MiB at most.
Result<std::string> ReadTextFile(const std::string& path);
// Nobody sees half of it, however the process ends: a regular file is written beside its place and
// renamed. `only_owner`: readable by nobody else (it holds a token).
Result<void> WriteTextFile(const std::string& path, const std::string& text,
                           bool only_owner = false);
// Whether WriteTextFile could write there. What lies there stays as it is.
Result<void> CheckWritable(const std::string& path);
// Whether two paths lead to one file, however they are written: by device and inode where it is
// there, else by those of the folder, and the name.
bool IsSameFile(const std::string& a, const std::string& b);

}  // namespace relist::command
