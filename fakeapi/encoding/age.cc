#include "fakeapi/encoding/age.h"

#include <fmt/core.h>

#include "core/wire/rfc3339.h"

namespace relist::fakeapi {

std::string HumanDuration(Duration age) {
  const int64_t seconds = age / Seconds(1);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return fmt::format("{}s", seconds);
  const int64_t minutes = seconds / 60;
  if (minutes < 10 && seconds % 60 != 0) return fmt::format("{}m{}s", minutes, seconds % 60);
  if (minutes < 180) return fmt::format("{}m", minutes);
  const int64_t hours = minutes / 60;
  if (hours < 8 && minutes % 60 != 0) return fmt::format("{}h{}m", hours, minutes % 60);
  if (hours < 48) return fmt::format("{}h", hours);
  const int64_t days = hours / 24;
  if (hours < 192 && hours % 24 != 0) return fmt::format("{}d{}h", days, hours % 24);
  if (days < 730) return fmt::format("{}d", days);
  const int64_t years = days / 365;
  if (days < 2920 && days % 365 != 0) return fmt::format("{}y{}d", years, days % 365);
  return fmt::format("{}y", years);
}

std::string AgeOf(std::string_view text, TimePoint now) {
  const std::optional<TimePoint> then = ParseRfc3339(text);
  return then ? HumanDuration(now - *then) : "<unknown>";
}

}  // namespace relist::fakeapi
