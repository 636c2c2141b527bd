// What a person types as an option's value: lengths of time, and numbers. Pure functions; every
// Error is one line that says what would be right.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"
#include "core/time.h"

namespace relist::command {

// As core/duration.h has them; not less than `least`, a week at most.
Result<Duration> ParseDurationFrom(const std::string& text, Duration least);
// As ParseDurationFrom, but 0, in any unit, means "never" and is good.
Result<Duration> ParsePeriod(const std::string& text, Duration least);

// What a header line can carry: visible ASCII, no blanks.
Result<std::string> ParseToken(const std::string& text);

// An IPv4 or IPv6 address, this one in brackets or without; or "localhost". As the system writes
// it.
Result<std::string> ParseAddress(const std::string& text);

// A path, or "none": "None" is refused, as nobody means a file of that name.
Result<std::string> ParseHistoryPath(const std::string& text);

// Digits only: no sign, no exponent.
Result<uint64_t> ParseWholeNumber(const std::string& text, uint64_t least, uint64_t most);
// A decimal number; never NaN or infinity.
Result<double> ParseNumber(const std::string& text, double least, double most);

}  // namespace relist::command
