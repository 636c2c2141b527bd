#include "reflector/objects/common.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "reflector/objects/json_fields.h"

namespace relist::objects {

const Condition* FindCondition(const std::vector<Condition>& conditions, std::string_view type) {
  for (const Condition& condition : conditions) {
    if (condition.type == type) return &condition;
  }
  return nullptr;
}

bool IsTrue(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* condition = FindCondition(conditions, type);
  return condition && condition->status == "True";
}

void from_json(const Json& from, Condition& into) {
  ReadField(from, "type", &into.type);
  ReadField(from, "status", &into.status);
  ReadField(from, "reason", &into.reason);
  ReadField(from, "message", &into.message);
  ReadField(from, "lastTransitionTime", &into.last_transition_time);
  ReadField(from, "lastUpdateTime", &into.last_update_time);
  ReadField(from, "lastProbeTime", &into.last_probe_time);
  ReadField(from, "lastHeartbeatTime", &into.last_heartbeat_time);
  ReadField(from, "observedGeneration", &into.observed_generation);
}

void to_json(Json& into, const Condition& from) {
  SetField(&into, "type", from.type);
  SetField(&into, "status", from.status);
  WriteField(&into, "reason", from.reason);
  WriteField(&into, "message", from.message);
  WriteField(&into, "lastTransitionTime", from.last_transition_time);
  WriteField(&into, "lastUpdateTime", from.last_update_time);
  WriteField(&into, "lastProbeTime", from.last_probe_time);
  WriteField(&into, "lastHeartbeatTime", from.last_heartbeat_time);
  WriteField(&into, "observedGeneration", from.observed_generation);
}

void from_json(const Json& from, IntOrString& into) {
  if (from.is_string()) {
    into.text = from.get<std::string>();
  } else if (from.is_number_integer()) {
    into.number = from.get<int32_t>();
  } else {
    throw WrongField("", "neither an integer nor text");
  }
}

void to_json(Json& into, const IntOrString& from) {
  if (from.text) {
    into = *from.text;
  } else {
    into = from.number;
  }
}

namespace {

void from_json(const Json& from, LabelSelectorSpec::Requirement& into) {
  ReadField(from, "key", &into.key);
  ReadField(from, "operator", &into.op);
  ReadField(from, "values", &into.values);
}

void to_json(Json& into, const LabelSelectorSpec::Requirement& from) {
  SetField(&into, "key", from.key);
  SetField(&into, "operator", from.op);
  WriteField(&into, "values", from.values);
}

}  // namespace

void from_json(const Json& from, LabelSelectorSpec& into) {
  ReadField(from, "matchLabels", &into.match_labels);
  ReadItems(from, "matchExpressions",
            [&into](const Json& item) { from_json(item, into.match_expressions.emplace_back()); });
}

void to_json(Json& into, const LabelSelectorSpec& from) {
  WriteField(&into, "matchLabels", from.match_labels);
  for (const auto& requirement : from.match_expressions) {
    WriteItem(&into, "matchExpressions", [&](Json& item) { to_json(item, requirement); });
  }
}

Result<LabelSelector> AsSelector(const std::optional<LabelSelectorSpec>& spec) {
  if (!spec) return LabelSelector::Nothing();
  std::string text;
  const auto add = [&text](const std::string& term) { text += (text.empty() ? "" : ",") + term; };
  for (const auto& [key, value] : spec->match_labels) add(fmt::format("{} in ({})", key, value));
  for (const auto& [key, op, values] : spec->match_expressions) {
    std::string set;
    for (const std::string& value : values) set += (set.empty() ? "" : ",") + value;
    if (op == "In" || op == "NotIn") {
      if (values.empty()) {
        return Error::Api(400, "BadRequest", fmt::format("{} {} of no values", key, op));
      }
      add(fmt::format("{} {} ({})", key, op == "In" ? "in" : "notin", set));
    } else if (op == "Exists" || op == "DoesNotExist") {
      add((op == "Exists" ? "" : "!") + key);
    } else {
      return Error::Api(400, "BadRequest",
                        fmt::format("\"{}\" is not a valid label selector operator", op));
    }
  }
  return LabelSelector::Parse(text);
}

}  // namespace relist::objects
