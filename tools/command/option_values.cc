#include "tools/command/option_values.h"

#include <fmt/format.h>

#include <charconv>

#include "core/duration.h"

namespace relist::command {
namespace {

Error WrongValue(std::string message) {
  return Error::Net(Transport::kOther, std::move(message));
}

}  // namespace

Result<Duration> ParseDurationFrom(const std::string& text, Duration least) {
  Result<Duration> parsed = ParseDurationUpToAWeek(text);
  if (!parsed.ok() || *parsed >= least) return parsed;
  return WrongValue(fmt::format("`{}` is too short: {} is the least", text, FormatDuration(least)));
}

Result<Duration> ParsePeriod(const std::string& text, Duration least) {
  Result<Duration> parsed = ParseDurationUpToAWeek(text);
  if (!parsed.ok() || *parsed == Duration(0) || *parsed >= least) return parsed;
  return WrongValue(fmt::format("`{}` is too short: {} is the least, or 0 for never", text,
                                FormatDuration(least)));
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
