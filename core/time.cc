#include "core/time.h"

#include <fmt/compile.h>

#include <ctime>

namespace relist {

std::string FormatRfc3339(TimePoint t) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(t.time_since_epoch());
  const std::time_t whole = static_cast<std::time_t>(seconds.count());
  std::tm parts{};
  gmtime_r(&whole, &parts);
  return fmt::format(FMT_COMPILE("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z"), parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

// By hand: every line of a history has one.
std::string FormatSeconds(Duration d) {
  const int64_t ms = std::chrono::duration_cast<std::chrono::milliseconds>(d).count();
  std::string text = ms < 0 ? "-" : "";
  text += std::to_string(std::abs(ms) / 1000);
  const int64_t rest = std::abs(ms) % 1000;
  text += '.';
  text += static_cast<char>('0' + rest / 100);
  text += static_cast<char>('0' + rest / 10 % 10);
  text += static_cast<char>('0' + rest % 10);
  return text;
}

}  // namespace relist
