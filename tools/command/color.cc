#include "tools/command/color.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace relist::command {

bool ColorsStandardOutput(ColorWhen when) {
  return WantsColor(when, isatty(STDOUT_FILENO) == 1, std::getenv("NO_COLOR"), std::getenv("TERM"));
}

bool WantsColor(ColorWhen when, bool terminal, const char* no_color, const char* term) {
  if (when != ColorWhen::kAuto) return when == ColorWhen::kAlways;
  if (no_color != nullptr && *no_color != '\0') return false;
  return terminal && term != nullptr && std::string_view(term) != "dumb";
}

}  // namespace relist::command
