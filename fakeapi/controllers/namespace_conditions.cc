#include "fakeapi/controllers/namespace_conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fakeapi/encoding/json_path.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

struct Condition {
  std::string type, status, reason, message;
};

constexpr const char* kRemoved = "All content successfully removed";

bool ApplyOne(const Condition& wanted, TimePoint now, ordered_json* conditions) {
  for (ordered_json& one : *conditions) {
    if (TextAt(one, "type") != wanted.type) continue;
    const bool turned = TextAt(one, "status") != wanted.status;
    if (!turned && TextAt(one, "reason") == wanted.reason &&
        TextAt(one, "message") == wanted.message) {
      return false;
    }
    if (turned) one["lastTransitionTime"] = FormatRfc3339(now);
    one["status"] = wanted.status;
    one["reason"] = wanted.reason;
    one["message"] = wanted.message;
    return true;
  }
  conditions->push_back({{"type", wanted.type},
                         {"status", wanted.status},
                         {"lastTransitionTime", FormatRfc3339(now)},
                         {"reason", wanted.reason},
                         {"message", wanted.message}});
  return true;
}

std::string Joined(std::vector<std::string> parts) {
  std::sort(parts.begin(), parts.end());
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

void NamespaceConditions::AddRemaining(const ResourceType& resource, size_t objects) {
  remaining_.push_back(fmt::format("{}.{} has {} resource instances", resource.resource.plural,
                                   resource.resource.group, objects));
}

bool NamespaceConditions::Apply(ordered_json* status, TimePoint now) const {
  Condition content{"NamespaceDeletionContentFailure", "False", "ContentDeleted",
                    "All content successfully deleted, may be waiting on finalization"};
  if (!errors_.empty()) {
    content.status = "True";
    content.reason = "ContentDeletionFailed";
    content.message = fmt::format("Failed to delete all resource types, {} remaining: {}",
                                  errors_.size(), Joined(errors_));
  }
  Condition remaining{"NamespaceContentRemaining", "False", "ContentRemoved", kRemoved};
  if (!remaining_.empty()) {
    remaining.status = "True";
    remaining.reason = "SomeResourcesRemain";
    remaining.message = "Some resources are remaining: " + Joined(remaining_);
  }
  Condition held{"NamespaceFinalizersRemaining", "False", "ContentRemoved", kRemoved};
  if (!finalizers_.empty()) {
    std::vector<std::string> parts;
    for (const auto& [finalizer, objects] : finalizers_) {
      parts.push_back(fmt::format("{} in {} resource instances", finalizer, objects));
    }
    held.status = "True";
    held.reason = "SomeFinalizerRemain";
    held.message = "Some finalizers are remaining: " + Joined(std::move(parts));
  }
  ordered_json& conditions = (*status)["conditions"];
  if (!conditions.is_array()) conditions = ordered_json::array();
  bool changed = false;
  // Discovery and parsing can't fail here: the kinds are a table.
  for (const Condition& one :
       {Condition{"NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered",
                  "All resources successfully discovered"},
        Condition{"NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions",
                  "All legacy kube types successfully parsed"},
        content, remaining, held}) {
    changed |= ApplyOne(one, now, &conditions);
  }
  return changed;
}

}  // namespace relist::fakeapi
