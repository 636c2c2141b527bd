#include "core/wire/rfc3339.h"

namespace relist {
namespace {

// `count` digits at the front of `text`, cut off; -1 where they are none.
int TakeDigits(std::string_view* text, size_t count) {
  if (text->size() < count) return -1;
  int value = 0;
  for (size_t i = 0; i < count; ++i) {
    const char c = (*text)[i];
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  text->remove_prefix(count);
  return value;
}

bool TakeChar(std::string_view* text, char c) {
  if (text->empty() || text->front() != c) return false;
  text->remove_prefix(1);
  return true;
}

// ".123456": nanoseconds; -1 where a point stands without digits.
int64_t TakeFraction(std::string_view* text) {
  if (!TakeChar(text, '.')) return 0;
  int64_t nanos = 0, unit = 100'000'000;
  size_t digits = 0;
  for (; digits < text->size() && (*text)[digits] >= '0' && (*text)[digits] <= '9'; ++digits) {
    nanos += ((*text)[digits] - '0') * unit;
    unit /= 10;
  }
  text->remove_prefix(digits);
  return digits == 0 ? -1 : nanos;
}

// "Z" or "+02:00" in minutes.
std::optional<int> TakeOffset(std::string_view* text) {
  if (TakeChar(text, 'Z')) return 0;
  const bool west = TakeChar(text, '-');
  if (!west && !TakeChar(text, '+')) return std::nullopt;
  const int hours = TakeDigits(text, 2);
  if (!TakeChar(text, ':')) return std::nullopt;
  const int minutes = TakeDigits(text, 2);
  if (hours < 0 || minutes < 0) return std::nullopt;
  return (hours * 60 + minutes) * (west ? -1 : 1);
}

}  // namespace

std::optional<TimePoint> ParseRfc3339(std::string_view text) {
  const int year = TakeDigits(&text, 4);
  if (!TakeChar(&text, '-')) return std::nullopt;
  const int month = TakeDigits(&text, 2);
  if (!TakeChar(&text, '-')) return std::nullopt;
  const int day = TakeDigits(&text, 2);
  if (!TakeChar(&text, 'T')) return std::nullopt;
  const int hour = TakeDigits(&text, 2);
  if (!TakeChar(&text, ':')) return std::nullopt;
  const int minute = TakeDigits(&text, 2);
  if (!TakeChar(&text, ':')) return std::nullopt;
  const int second = TakeDigits(&text, 2);
  const int64_t nanos = TakeFraction(&text);
  const std::optional<int> offset = TakeOffset(&text);
  if (year < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 ||
      nanos < 0 || !offset || !text.empty()) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  // Nanoseconds in 64 bits reach from 1678 to 2262.
  if (month < 0 || day < 0 || !date.ok() || year < 1700 || year > 2261) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch();
  const Duration since = days + std::chrono::hours(hour) + std::chrono::minutes(minute - *offset) +
                         std::chrono::seconds(second) + Duration(nanos);
  return TimePoint(since);
}

}  // namespace relist
