// resourceVersions as clients may handle them: opaque text, of which newer servers promise an order
// (KEP-5504).
//
// The reflector itself never compares (catalogue EVT-09); checkers and caches do.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace relist {

// The number, if `text` is decimal digits without a leading zero that fit 64 bits ("0" is a number
// here).
std::optional<uint64_t> ParseResourceVersion(std::string_view text);

// -1, 0, 1; nothing unless both are non-empty digit strings without a leading zero, of any length
// (EVT-09).
std::optional<int> CompareResourceVersions(std::string_view a, std::string_view b);

}  // namespace relist
