// What objects of several kinds are made of: conditions, selectors, numbers that may be texts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/wire/label_selector.h"

namespace relist::objects {

// One of status.conditions. The kinds differ in which times they have: those that are empty are
// absent.
struct Condition {
  std::string type, status, reason, message;
  std::string last_transition_time, last_update_time, last_probe_time, last_heartbeat_time;
  int64_t observed_generation = 0;
  bool operator==(const Condition&) const = default;
};
// Null if there is none of that type.
const Condition* FindCondition(const std::vector<Condition>& conditions, std::string_view type);
bool IsTrue(const std::vector<Condition>& conditions, std::string_view type);

// A port by number or by name, a count or a percentage.
struct IntOrString {
  int32_t number = 0;
  std::optional<std::string> text;  // where it is one, `number` says nothing
  bool operator==(const IntOrString&) const = default;
};

// metav1.LabelSelector: as it is written in an object, not yet good for matching.
struct LabelSelectorSpec {
  struct Requirement {
    std::string key, op;  // "In", "NotIn", "Exists", "DoesNotExist"
    std::vector<std::string> values;
    bool operator==(const Requirement&) const = default;
  };
  StringMap match_labels;
  std::vector<Requirement> match_expressions;
  bool operator==(const LabelSelectorSpec&) const = default;
};
// Good for matching; an absent one selects nothing, an empty one everything (client-go:
// LabelSelectorAsSelector). An Error where an operator is unknown, or a key or value is no good.
Result<LabelSelector> AsSelector(const std::optional<LabelSelectorSpec>& spec);

void from_json(const nlohmann::json& from, Condition& into);
void to_json(nlohmann::json& into, const Condition& from);
void from_json(const nlohmann::json& from, IntOrString& into);
void to_json(nlohmann::json& into, const IntOrString& from);
void from_json(const nlohmann::json& from, LabelSelectorSpec& into);
void to_json(nlohmann::json& into, const LabelSelectorSpec& from);

}  // namespace relist::objects
