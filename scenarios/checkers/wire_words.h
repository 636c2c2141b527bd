// How W-checkers put what they found: for wire_*.cc only.
#pragma once

#include <fmt/core.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/wire/status.h"
#include "scenarios/checkers/violation.h"
#include "scenarios/checkers/wire_view.h"

namespace relist {

inline Violation WireBroken(const char* property, std::string sentence,
                            std::vector<const HistoryEntry*> lines) {
  std::erase(lines, nullptr);
  return {Violation::Kind::kSafety, property, std::move(sentence), std::move(lines), ""};
}

// "MODIFIED default/a at 7", "BOOKMARK at 9", "ERROR 410".
inline std::string TextOf(const WireLine& line) {
  if (line.type == EventType::kError) return fmt::format("ERROR {}", line.code);
  if (line.type == EventType::kBookmark) return fmt::format("BOOKMARK at {}", line.rv_text);
  return fmt::format("{} {} at {}", Name(line.type), line.key, line.rv_text);
}

// "#3", and of which replica, where there are more.
inline std::string TextOf(const WireRequest& request) {
  return request.replica == 0 ? fmt::format("#{}", request.id)
                              : fmt::format("#{} of replica {}", request.id, request.replica);
}

// The Status that an answer or an ERROR line holds; nothing where there is none.
inline std::optional<Status> StatusIn(const Object* object) {
  return object ? Status::FromJson(object->json()) : std::nullopt;
}

// The line before that has the same version of the same key; null if there is none.
inline const WireLine* EarlierCopy(const std::vector<WireLine>& lines, size_t index) {
  for (size_t i = index; i-- > 0;) {
    const WireLine& earlier = lines[i];
    if (earlier.is_event() && earlier.rv == lines[index].rv && earlier.key == lines[index].key)
      return &earlier;
  }
  return nullptr;
}

}  // namespace relist
