// metav1.ListOptions as a client sends them. The server's side (what is malformed, what is
// forbidden) is fakeapi's.
//
//   ListOptions options{.resource_version = "0", .limit = 500};
//   options.ToQuery();   // "limit=500&resourceVersion=0"
//
// Sorted by name, zero values absent (NET-01).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace relist {

struct ListOptions {
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;        // "" is absent
  std::string resource_version_match;  // "", "Exact", "NotOlderThan"
  std::string continue_token;
  int64_t limit = 0;  // 0 is absent
  bool watch = false;
  bool allow_watch_bookmarks = false;
  std::optional<bool> send_initial_events;  // false is sent, too
  std::optional<int64_t> timeout_seconds;

  std::string ToQuery() const;
  bool operator==(const ListOptions&) const = default;
};

// Percent-encoding for one query value: all but unreserved characters.
std::string EscapeQuery(const std::string& text);

}  // namespace relist
