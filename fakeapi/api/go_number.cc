#include "fakeapi/api/go_number.h"

#include <fmt/format.h>

#include "fakeapi/api/api_errors.h"

namespace relist::fakeapi {

GoNumber ParseGoUint(std::string_view text, uint64_t* value) {
  if (text.empty()) return GoNumber::kSyntax;
  *value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return GoNumber::kSyntax;
    const auto digit = static_cast<uint64_t>(c - '0');
    if (*value > (UINT64_MAX - digit) / 10) return GoNumber::kRange;
    *value = *value * 10 + digit;
  }
  return GoNumber::kGood;
}

GoNumber ParseGoInt(std::string_view text, int64_t* value) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  uint64_t magnitude = 0;
  if (const GoNumber verdict = ParseGoUint(text, &magnitude); verdict != GoNumber::kGood) {
    return verdict;
  }
  const uint64_t most = static_cast<uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (magnitude > most) return GoNumber::kRange;
  *value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  return GoNumber::kGood;
}

std::string GoNumberText(std::string_view function, std::string_view text, GoNumber verdict) {
  return fmt::format("strconv.{}: parsing {}: {}", function, GoQuote(text),
                     verdict == GoNumber::kRange ? "value out of range" : "invalid syntax");
}

}  // namespace relist::fakeapi
