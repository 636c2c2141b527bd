#include "fakeapi/api/request_timeout.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/negotiation.h"

namespace relist::fakeapi {
namespace {

// An int64 of nanoseconds is the longest that Go's duration has.
constexpr double kLongestNanoseconds = 9223372036854775808.0;

bool IsTimeoutDigit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view TakeDigits(std::string_view* rest) {
  size_t size = 0;
  while (size < rest->size() && IsTimeoutDigit((*rest)[size])) ++size;
  const std::string_view digits = rest->substr(0, size);
  rest->remove_prefix(size);
  return digits;
}

std::string_view TakeUnit(std::string_view* rest) {
  size_t size = 0;
  while (size < rest->size() && (*rest)[size] != '.' && !IsTimeoutDigit((*rest)[size])) ++size;
  const std::string_view unit = rest->substr(0, size);
  rest->remove_prefix(size);
  return unit;
}

// 0 where there is no such unit.
double NanosecondsOf(std::string_view unit) {
  if (unit == "ns") return 1;
  if (unit == "us" || unit == "\u00b5s" || unit == "\u03bcs") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  if (unit == "m") return 60e9;
  return unit == "h" ? 3600e9 : 0;
}

double NumberFrom(std::string_view whole, std::string_view fraction) {
  double value = 0, scale = 1;
  for (const char c : whole) value = value * 10 + (c - '0');
  for (const char c : fraction) value += (c - '0') * (scale /= 10);
  return value;
}

// What Go says of `text`; empty where it is a duration.
std::string DurationProblem(std::string_view text) {
  std::string invalid = fmt::format("time: invalid duration {}", GoQuote(text));
  std::string_view rest = text;
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  if (rest == "0") return "";
  if (rest.empty()) return invalid;
  double sum = 0;
  while (!rest.empty()) {
    const std::string_view whole = TakeDigits(&rest);
    std::string_view fraction;
    if (!rest.empty() && rest.front() == '.') {
      rest.remove_prefix(1);
      fraction = TakeDigits(&rest);
    }
    if (whole.empty() && fraction.empty()) return invalid;
    const std::string_view unit = TakeUnit(&rest);
    if (unit.empty()) return fmt::format("time: missing unit in duration {}", GoQuote(text));
    const double nanoseconds = NanosecondsOf(unit);
    if (nanoseconds == 0) {
      return fmt::format("time: unknown unit {} in duration {}", GoQuote(unit), GoQuote(text));
    }
    sum += NumberFrom(whole, fraction) * nanoseconds;
    if (sum >= kLongestNanoseconds) return invalid;
  }
  return "";
}

}  // namespace

Result<void> CheckRequestTimeout(const HeaderList& query) {
  const std::string_view text = QueryValue(query, "timeout");
  if (text.empty()) return {};
  const std::string problem = DurationProblem(text);
  if (problem.empty()) return {};
  return BadRequest("invalid timeout specified in the request URL - " + problem);
}

}  // namespace relist::fakeapi
