#include "core/wire/resource_version.h"

#include <algorithm>
#include <charconv>

namespace relist {
namespace {

bool IsComparable(std::string_view text) {
  return !text.empty() && text.front() != '0' &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<uint64_t> ParseResourceVersion(std::string_view text) {
  if (text != "0" && !IsComparable(text)) return std::nullopt;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int> CompareResourceVersions(std::string_view a, std::string_view b) {
  if (!IsComparable(a) || !IsComparable(b)) return std::nullopt;
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  const int order = a.compare(b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

}  // namespace relist
