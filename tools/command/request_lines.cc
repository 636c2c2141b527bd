#include "tools/command/request_lines.h"

#include <fmt/format.h>

#include <chrono>

namespace relist::command {
namespace {

using fakeapi::RequestRecord;

std::string ClockOf(TimePoint time) {
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  const auto seconds = millis / 1000;
  return fmt::format("{:02}:{:02}:{:02}.{:03}", seconds / 3600 % 24, seconds / 60 % 60,
                     seconds % 60, millis % 1000);
}

// Anything may be in a header or a request line: what would end the line, or a column, is escaped.
std::string OneWord(const std::string& text, bool keeps_blanks) {
  if (text.empty()) return "-";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f || (c == ' ' && !keeps_blanks)) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

std::string Beginning(const RequestRecord& request) {
  const std::string replica =
      request.replica == 0 ? "" : fmt::format(" replica {}", request.replica);
  return fmt::format("{} conn {}{} {} {} {}", ClockOf(request.now), request.connection, replica,
                     OneWord(request.method, false), OneWord(request.target, false),
                     OneWord(request.agent.substr(0, request.agent.find(' ')), false));
}

}  // namespace

std::string OpenLine(const RequestRecord& watch) {
  return fmt::format("{} {} watch opened\n", Beginning(watch), watch.status);
}

std::string EndLine(const RequestRecord& request) {
  const double millis =
      std::chrono::duration<double, std::milli>(request.now - request.received).count();
  const std::string status = request.status == 0 ? "-" : std::to_string(request.status);
  const std::string lines = request.is_watch ? fmt::format(" {} lines", request.lines) : "";
  return fmt::format("{} {}{} {} bytes {:.1f}ms {}\n", Beginning(request), status, lines,
                     request.bytes, millis, OneWord(request.how, true));
}

void PrintedRequests::OnOpen(const RequestRecord& watch) {
  lines_.Add(OpenLine(watch));
}
void PrintedRequests::OnEnd(const RequestRecord& request) {
  lines_.Add(EndLine(request));
}

}  // namespace relist::command
