// Decimal numbers as Go's strconv reads them: digit by digit, and the first thing that is wrong
// decides, so that a number that grew too large is that, whatever follows.
//
//   int64_t limit = 0;
//   ParseGoInt("99999999999999999999x", &limit);   // kRange
//   GoNumberText("ParseInt", "x", GoNumber::kSyntax);   // strconv.ParseInt: parsing "x": invalid
//   ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace relist::fakeapi {

enum class GoNumber { kGood, kSyntax, kRange };

// `*value` is of account where it is kGood.
GoNumber ParseGoUint(std::string_view text, uint64_t* value);
GoNumber ParseGoInt(std::string_view text, int64_t* value);  // with a sign, if it likes

// The text of its error; `function` is Go's.
std::string GoNumberText(std::string_view function, std::string_view text, GoNumber verdict);

}  // namespace relist::fakeapi
