// The words of a command line, looked at before a parser that takes almost any word for a value.
//
//   CheckWords("serve", {"--token", ""}, find);   // "--token: the value is empty; ..."
//
// Refused are, the first of them in one line: an option that nobody knows, an option without its
// value (at the end, or before another option), one that is given twice, and an empty word wherever
// it stands: it is an unset variable more often than a wish.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"

namespace relist::command {

struct KnownOption {
  bool takes_value = false;
  bool repeatable = false;
  std::string name;  // the same for "--namespace" and "-n"
};
// By its name with the dashes, "--token" or "-n".
using FindOption = std::function<std::optional<KnownOption>(const std::string& name)>;

// `words` come after the name of `command`. A value that looks like an option is written
// --name=value.
Result<void> CheckWords(const std::string& command, const std::vector<std::string>& words,
                        const FindOption& find);

}  // namespace relist::command
