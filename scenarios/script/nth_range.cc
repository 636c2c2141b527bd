#include "scenarios/script/nth_range.h"

#include <fmt/core.h>

#include "scenarios/script/fault_spec.h"
#include "scenarios/script/scenario_limits.h"

namespace relist {
namespace {

// 0 for what is no number from 1 on.
int NthOf(const std::string& digits) {
  const bool good = !digits.empty() && digits.size() < 8 &&
                    digits.find_first_not_of("0123456789") == std::string::npos;
  return good ? std::stoi(digits) : 0;
}

}  // namespace

void ReadNth(YamlMap& map, const std::string& key, int* first, int* last) {
  const YAML::Node value = map.Take(key);
  map.Note(key, {.kind = KeyShape::Kind::kRange});
  if (!value.IsDefined()) return;
  const std::string text = value.IsScalar() ? value.Scalar() : "";
  if (text == "every") {
    *first = 1;
    *last = kEvery;
    return;
  }
  const size_t dash = text.find('-');
  *first = NthOf(text.substr(0, dash));
  *last = dash == std::string::npos ? *first : NthOf(text.substr(dash + 1));
  if (*first >= 1 && *last >= *first && *last <= kNthMax) return;
  map.Problem(key, fmt::format("\"{}\" is a number from 1 to {}, a range such as 2-4, or every, "
                               "not \"{}\"",
                               key, kNthMax, text));
}

}  // namespace relist
