#include "tools/command/error_lines.h"

#include <fmt/format.h>
#include <unistd.h>

#include "tools/command/output.h"

namespace relist::command {
namespace {

constexpr size_t kWaitingMax = size_t{1} << 20;
constexpr Duration kErrorPatience = Seconds(2);

std::string DroppedLine(uint64_t count) {
  return ComplaintLine(
      fmt::format("{} lines of the log are missing here: nobody read them in time", count));
}

}  // namespace

ErrorLines::ErrorLines()
    : writer_(OpenAgain(STDERR_FILENO), {.bytes_max = kWaitingMax, .dropped = DroppedLine}) {}

void ErrorLines::Complain(std::string_view message) {
  writer_.AddAlways(ComplaintLine(message));
}

void ErrorLines::Finish() {
  writer_.Finish(kErrorPatience);
}

}  // namespace relist::command
