// One line of a watch: a type and an object.
#pragma once

#include <optional>
#include <string_view>

#include "core/wire/object.h"

namespace relist {

enum class EventType { kAdded, kModified, kDeleted, kBookmark, kError };

constexpr std::string_view Name(EventType type) {
  switch (type) {
    case EventType::kAdded:
      return "ADDED";
    case EventType::kModified:
      return "MODIFIED";
    case EventType::kDeleted:
      return "DELETED";
    case EventType::kBookmark:
      return "BOOKMARK";
    case EventType::kError:
      return "ERROR";
  }
  return "?";
}

constexpr std::optional<EventType> ParseEventType(std::string_view name) {
  for (EventType type : {EventType::kAdded, EventType::kModified, EventType::kDeleted,
                         EventType::kBookmark, EventType::kError}) {
    if (Name(type) == name) return type;
  }
  return std::nullopt;
}

// The annotation that ends the initial events of a streaming list; only the exact value "true"
// counts (WLM-06).
inline constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

struct WatchEvent {
  EventType type = EventType::kAdded;
  ObjectRef object;  // of an ERROR: the Status
};

}  // namespace relist
