#include "tools/command/option_values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace relist::command {
namespace {

constexpr double kWeekInSeconds = 7 * 24 * 3600;

Error WrongValue(std::string message) {
  return Error::Net(Transport::kOther, std::move(message));
}

std::optional<double> SecondsIn(std::string_view unit) {
  if (unit == "ms") return 0.001;
  if (unit == "s") return 1;
  if (unit == "m") return 60;
  if (unit == "h") return 3600;
  return std::nullopt;
}

std::string ShortTime(Duration d) {
  const int64_t ms = d / Millis(1);
  return ms % 1000 == 0 ? fmt::format("{}s", ms / 1000) : fmt::format("{}ms", ms);
}

}  // namespace

Result<Duration> ParseDuration(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  const std::string_view unit(rest, static_cast<size_t>(end - rest));
  const bool is_number = problem == std::errc() && std::isfinite(number) && number >= 0;
  if (is_number && unit.empty() && number == 0) return Duration(0);
  if (is_number && unit.empty()) {
    return WrongValue(fmt::format("`{}`: a unit is missing (500ms, 90s, 5m, 1h)", text));
  }
  const std::optional<double> factor = SecondsIn(unit);
  if (!is_number || !factor) {
    return WrongValue(fmt::format("`{}` is no duration (500ms, 90s, 5m, 1h)", text));
  }
  if (number * *factor > kWeekInSeconds) {
    return WrongValue(fmt::format("`{}` is too long: a week (168h) is the most", text));
  }
  return Duration(std::llround(number * *factor * 1e9));
}

Result<Duration> ParseDurationFrom(const std::string& text, Duration least) {
  Result<Duration> parsed = ParseDuration(text);
  if (!parsed.ok() || *parsed >= least) return parsed;
  return WrongValue(fmt::format("`{}` is too short: {} is the least", text, ShortTime(least)));
}

Result<Duration> ParsePeriod(const std::string& text, Duration least) {
  Result<Duration> parsed = ParseDuration(text);
  if (!parsed.ok() || *parsed == Duration(0) || *parsed >= least) return parsed;
  return WrongValue(
      fmt::format("`{}` is too short: {} is the least, or 0 for never", text, ShortTime(least)));
}

Result<std::string> ParseToken(const std::string& text) {
  for (const char c : text) {
    if (c > ' ' && c < 0x7f) continue;
    return Error::Net(
        Transport::kOther,
        "a token is of visible ASCII characters, without blanks: it goes into a header");
  }
  return text;
}

Result<uint64_t> ParseWholeNumber(const std::string& text, uint64_t least, uint64_t most) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem == std::errc() && rest == end && number >= least && number <= most) return number;
  return WrongValue(fmt::format("`{}` is no whole number from {} to {}", text, least, most));
}

Result<double> ParseNumber(const std::string& text, double least, double most) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  // NaN is in no range: asked so that it fails.
  if (problem == std::errc() && rest == end && number >= least && number <= most) return number;
  return WrongValue(fmt::format("`{}` is no number from {} to {}", text, least, most));
}

}  // namespace relist::command
