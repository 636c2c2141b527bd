#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "fakeapi/api/api_errors.h"
#include "fakeapi/encoding/json_path.h"
#include "fakeapi/write/patch.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kDeletePrefix = "$deleteFromPrimitiveList/";
constexpr std::string_view kOrderPrefix = "$setElementOrder/";

// Lists of objects that are merged, and by what. Others are replaced as a whole.
struct MergeKey {
  std::string_view list, key;
};
constexpr MergeKey kMergeKeys[] = {
    {"containers", "name"},
    {"initContainers", "name"},
    {"ephemeralContainers", "name"},
    {"volumes", "name"},
    {"env", "name"},
    {"volumeMounts", "mountPath"},
    {"volumeDevices", "devicePath"},
    {"imagePullSecrets", "name"},
    {"hostAliases", "ip"},
    {"topologySpreadConstraints", "topologyKey"},
    {"resourceClaims", "name"},
    {"schedulingGates", "name"},
    {"ownerReferences", "uid"},
    {"conditions", "type"},
    {"addresses", "type"},
    {"taints", "key"},
    {"podIPs", "ip"},
    {"hostIPs", "ip"},
};

bool IsPrimitiveMerge(std::string_view list) {
  return list == "finalizers";
}

class StrategicMerger {
 public:
  explicit StrategicMerger(const ResourceType& resource) : resource_(resource) {}

  Result<void> Merge(const ordered_json& patch, ordered_json* value) {
    if (!value->is_object()) *value = ordered_json::object();
    const std::string directive = TextAt(patch, "$patch");
    if (directive == "delete") return Reset(value);
    if (directive == "replace") {
      *value = Stripped(patch);
      return {};
    }
    if (!directive.empty() && directive != "merge") {
      return BadRequest("unknown patch type found: " + directive);
    }
    RetainKeys(patch, value);
    for (const auto& [key, change] : patch.items()) {
      if (key.starts_with('$')) continue;
      if (Result<void> merged = MergeField(key, change, value); !merged.ok()) return merged.error();
    }
    return Directives(patch, value);
  }

 private:
  static Result<void> Reset(ordered_json* value) {
    *value = ordered_json::object();
    return {};
  }

  static void RetainKeys(const ordered_json& patch, ordered_json* value) {
    if (!patch.contains("$retainKeys")) return;
    const std::vector<ordered_json>& kept = ItemsAt(patch, "$retainKeys");
    ordered_json retained = ordered_json::object();
    for (auto& [key, part] : value->items()) {
      if (std::find(kept.begin(), kept.end(), key) != kept.end()) retained[key] = std::move(part);
    }
    *value = std::move(retained);
  }

  Result<void> MergeField(const std::string& key, const ordered_json& change, ordered_json* value) {
    if (change.is_null()) {
      value->erase(key);
      return {};
    }
    const auto found = value->find(key);
    if (found == value->end() || !change.is_structured() || found->type() != change.type()) {
      // Merged with nothing, so that directives within it are obeyed and leave.
      if (change.is_object()) {
        ordered_json made = ordered_json::object();
        if (Result<void> merged = Merge(change, &made); !merged.ok()) return merged.error();
        (*value)[key] = std::move(made);
        return {};
      }
      (*value)[key] = change.is_array() ? ordered_json::array() : change;
      return change.is_array() ? MergeList(key, change, &(*value)[key]) : Result<void>();
    }
    return change.is_object() ? Merge(change, &*found) : MergeList(key, change, &*found);
  }

  std::string_view MergeKeyOf(std::string_view list) const {
    if (list == "ports") return resource_.kind() == "Service" ? "port" : "containerPort";
    for (const MergeKey& known : kMergeKeys) {
      if (known.list == list) return known.key;
    }
    return {};
  }

  Result<void> MergeList(const std::string& list, const ordered_json& change, ordered_json* value) {
    if (IsPrimitiveMerge(list)) {
      for (const ordered_json& element : change) {
        if (std::find(value->begin(), value->end(), element) == value->end()) {
          value->push_back(element);
        }
      }
      return {};
    }
    const std::string merge_key(MergeKeyOf(list));
    if (merge_key.empty()) {
      *value = change;
      return {};
    }
    const bool replaced = std::any_of(change.begin(), change.end(), [](const ordered_json& one) {
      return TextAt(one, "$patch") == "replace";
    });
    if (replaced) *value = ordered_json::array();
    for (const ordered_json& element : change) {
      if (TextAt(element, "$patch") == "replace" && !element.contains(merge_key)) continue;
      Result<void> merged = MergeElement(merge_key, element, value);
      if (!merged.ok()) return merged.error();
    }
    return {};
  }

  Result<void> MergeElement(const std::string& merge_key, const ordered_json& element,
                            ordered_json* list) {
    if (!element.is_object() || !element.contains(merge_key)) {
      return BadRequest(fmt::format("map: {} does not contain declared merge key: {}",
                                    element.dump(), merge_key));
    }
    const ordered_json& id = element[merge_key];
    const auto same = [&](const ordered_json& one) { return At(one, merge_key) == id; };
    if (TextAt(element, "$patch") == "delete") {
      auto& elements = list->get_ref<ordered_json::array_t&>();
      elements.erase(std::remove_if(elements.begin(), elements.end(), same), elements.end());
      return {};
    }
    const auto found = std::find_if(list->begin(), list->end(), same);
    if (found != list->end()) return Merge(element, &*found);
    ordered_json made = ordered_json::object();
    if (Result<void> merged = Merge(element, &made); !merged.ok()) return merged.error();
    list->push_back(std::move(made));
    return {};
  }

  // What a patch says of lists beside them.
  Result<void> Directives(const ordered_json& patch, ordered_json* value) const {
    for (const auto& [key, named] : patch.items()) {
      if (!key.starts_with('$') || !named.is_array()) continue;
      const bool deletes = key.starts_with(kDeletePrefix);
      if (!deletes && !key.starts_with(kOrderPrefix)) continue;
      const std::string list = key.substr(deletes ? kDeletePrefix.size() : kOrderPrefix.size());
      const auto found = value->find(list);
      if (found == value->end() || !found->is_array()) continue;
      if (deletes) {
        auto& elements = found->get_ref<ordered_json::array_t&>();
        const auto gone = [&n = named](const ordered_json& one) {
          return std::find(n.begin(), n.end(), one) != n.end();
        };
        elements.erase(std::remove_if(elements.begin(), elements.end(), gone), elements.end());
      } else {
        Reorder(list, named, &*found);
      }
    }
    return {};
  }

  // Named elements take the places of named elements in the order named; others stay behind those
  // they stood behind.
  void Reorder(const std::string& list, const ordered_json& order, ordered_json* value) const {
    const std::string merge_key(MergeKeyOf(list));
    const auto rank = [&](const ordered_json& one) -> std::optional<size_t> {
      for (size_t i = 0; i < order.size(); ++i) {
        const bool same =
            merge_key.empty() ? order[i] == one : At(order[i], merge_key) == At(one, merge_key);
        if (same) return i;
      }
      return std::nullopt;
    };
    auto& elements = value->get_ref<ordered_json::array_t&>();
    std::vector<std::pair<size_t, ordered_json*>> ranked;
    size_t last = 0;
    for (ordered_json& element : elements) {
      last = rank(element).value_or(last);
      ranked.emplace_back(last, &element);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    ordered_json::array_t sorted;
    for (const auto& [place, element] : ranked) sorted.push_back(std::move(*element));
    elements = std::move(sorted);
  }

  static ordered_json Stripped(const ordered_json& patch) {
    ordered_json out = ordered_json::object();
    for (const auto& [key, part] : patch.items()) {
      if (!key.starts_with('$') && !part.is_null()) out[key] = part;
    }
    return out;
  }

  const ResourceType& resource_;
};

}  // namespace

Result<void> ApplyStrategicMergePatch(const ResourceType& resource, const ordered_json& patch,
                                      ordered_json* value) {
  return StrategicMerger(resource).Merge(patch, value);
}

}  // namespace relist::fakeapi
