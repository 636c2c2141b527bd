#include "core/duration.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace relist {
namespace {

constexpr int64_t kHundredYears = 100LL * 365 * 24 * 3600;  // in seconds; far from where int64 ends
constexpr Duration kWeek = Seconds(7 * 24 * 3600);

std::optional<int64_t> NanosecondsIn(std::string_view unit) {
  if (unit == "ms") return 1'000'000;
  if (unit == "s") return 1'000'000'000;
  if (unit == "m") return 60'000'000'000;
  if (unit == "h") return 3'600'000'000'000;
  return std::nullopt;
}

std::string_view TakeDigits(std::string_view* text) {
  const size_t count = std::min(text->find_first_not_of("0123456789"), text->size());
  const std::string_view digits = text->substr(0, count);
  text->remove_prefix(count);
  return digits;
}

// In whole numbers: what is written in decimal is exact.
Duration Times(std::string_view whole, std::string_view fraction, int64_t unit) {
  const int64_t most = kHundredYears * 1'000'000'000 / unit;
  int64_t count = 0;
  for (const char digit : whole) {
    count = count * 10 + (digit - '0');
    if (count > most) return Seconds(kHundredYears);
  }
  int64_t total = count * unit, part = unit;
  for (const char digit : fraction) {
    total += part * (digit - '0') / 10;
    part /= 10;
  }
  return Duration(total);
}

Error NoDuration(std::string_view text, std::string_view why) {
  return Error::Net(Transport::kOther, fmt::format("`{}`{} (500ms, 90s, 5m, 1h)", text, why));
}

}  // namespace

Result<Duration> ParseDuration(std::string_view text) {
  std::string_view rest = text;
  const std::string_view whole = TakeDigits(&rest);
  std::string_view fraction;
  bool is_number = !whole.empty();
  if (is_number && rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = TakeDigits(&rest);
    is_number = !fraction.empty();
  }
  if (!is_number) return NoDuration(text, " is no duration");
  if (rest.empty()) {
    const bool zero = (std::string(whole) += fraction).find_first_not_of('0') == std::string::npos;
    if (zero) return Duration(0);
    return NoDuration(text, ": a unit is missing");
  }
  const std::optional<int64_t> unit = NanosecondsIn(rest);
  if (!unit) return NoDuration(text, " is no duration");
  return Times(whole, fraction, *unit);
}

Result<Duration> ParseDurationUpToAWeek(std::string_view text) {
  Result<Duration> parsed = ParseDuration(text);
  if (!parsed.ok() || *parsed <= kWeek) return parsed;
  return Error::Net(Transport::kOther,
                    fmt::format("`{}` is too long: a week (168h) is the most", text));
}

std::string FormatDuration(Duration d) {
  const int64_t ms = std::chrono::duration_cast<std::chrono::milliseconds>(d).count();
  if (ms % 1000 != 0) return fmt::format("{}ms", ms);
  if (ms % 60000 != 0 || ms == 0) return fmt::format("{}s", ms / 1000);
  return ms % 3'600'000 != 0 ? fmt::format("{}m", ms / 60000) : fmt::format("{}h", ms / 3'600'000);
}

}  // namespace relist
