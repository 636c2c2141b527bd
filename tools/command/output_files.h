// Files that a command writes, against those that it was given: none may take another's place.
//
//   CheckOutputFiles({{"--history", "h"}}, {{"--objects", "o.yaml"}, {"--scenario", "s.yaml"}});
//
// Looks at the file system, and changes nothing.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"

namespace relist::command {

struct NamedFile {
  std::string option;  // "--history"
  std::string path;    // empty: it was not given
};

// The Error names the first output that is the same file, however it is written, as an input or as
// an output before it. Of devices (/dev/null) many may be one.
Result<void> CheckOutputFiles(const std::vector<NamedFile>& outputs,
                              const std::vector<NamedFile>& inputs);

}  // namespace relist::command
