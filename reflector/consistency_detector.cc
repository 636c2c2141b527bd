#include "reflector/consistency_detector.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/check.h"

namespace relist {
namespace {

constexpr Duration kListRetry = Seconds(1);

nlohmann::json WithoutType(const Object& object) {
  nlohmann::json value = object.json();
  value.erase("kind");
  value.erase("apiVersion");
  return value;
}

void SortByUid(std::vector<ObjectRef>* objects) {
  std::stable_sort(objects->begin(), objects->end(),
                   [](const ObjectRef& a, const ObjectRef& b) { return a->uid() < b->uid(); });
}

}  // namespace

bool InconsistencyDetectorWanted() {
  static const bool wanted = [] {
    const char* text = std::getenv("KUBE_WATCHLIST_INCONSISTENCY_DETECTOR");
    const std::string value = text ? text : "";
    return value == "1" || value == "t" || value == "T" || value == "true" || value == "TRUE" ||
           value == "True";
  }();
  return wanted;
}

std::string DifferenceOf(std::vector<ObjectRef> streamed, std::vector<ObjectRef> listed) {
  SortByUid(&streamed);
  SortByUid(&listed);
  for (size_t i = 0; i < std::min(streamed.size(), listed.size()); ++i) {
    if (WithoutType(*streamed[i]) == WithoutType(*listed[i])) continue;
    return fmt::format("the stream has {} ({}), the list {} ({})", streamed[i]->key().ToString(),
                       streamed[i]->resource_version(), listed[i]->key().ToString(),
                       listed[i]->resource_version());
  }
  if (streamed.size() == listed.size()) return "";
  return fmt::format("the stream has {} objects, the list {}", streamed.size(), listed.size());
}

Task<void> CheckConsistency(Loop& loop, ListerWatcher& lister, std::vector<ObjectRef> streamed,
                            std::string resource_version, const Transform& transform,
                            const ReflectorLog& log, Signal& stop) {
  if (resource_version.empty() || resource_version == "0") co_return;
  log.Say(LogLevel::kWarning, "data consistency check is enabled: one list more for each stream");
  ListOptions options;
  options.resource_version = resource_version;
  options.resource_version_match = "Exact";
  for (;;) {
    Task<Result<ListPage>> request = lister.List(options, stop);
    Result<ListPage> page = co_await request;
    if (stop.Ready()) co_return;
    if (page.ok()) {
      for (ObjectRef& item : page->items) {
        if (!transform) break;
        Result<ObjectRef> changed = transform(item);
        CHECK(changed.ok(), "a transform that failed in the consistency check: {}",
              changed.ok() ? "" : changed.error().message());
        item = std::move(*changed);
      }
      const std::string difference = DifferenceOf(std::move(streamed), std::move(page->items));
      CHECK(difference.empty(), "data inconsistency detected for {} at {}: {}", log.type(),
            resource_version, difference);
      co_return;
    }
    log.Say(LogLevel::kWarning, "Failed to list data for the consistency check", page.error());
    Task<bool> pause = SleepUnless(loop, kListRetry, stop);
    if (co_await pause) co_return;
  }
}

}  // namespace relist
