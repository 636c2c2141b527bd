#include "core/wire/list_options.h"

#include <fmt/core.h>

namespace relist {

std::string EscapeQuery(const std::string& text) {
  std::string out;
  for (unsigned char c : text) {
    const bool unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
    if (unreserved) {
      out += static_cast<char>(c);
    } else {
      out += fmt::format("%{:02X}", c);
    }
  }
  return out;
}

std::string ListOptions::ToQuery() const {
  std::string out;
  const auto add = [&out](const char* name, const std::string& value) {
    if (!out.empty()) out += '&';
    out += name;
    out += '=';
    out += EscapeQuery(value);
  };
  if (allow_watch_bookmarks) add("allowWatchBookmarks", "true");
  if (!continue_token.empty()) add("continue", continue_token);
  if (!field_selector.empty()) add("fieldSelector", field_selector);
  if (!label_selector.empty()) add("labelSelector", label_selector);
  if (limit != 0) add("limit", std::to_string(limit));
  if (!resource_version.empty()) add("resourceVersion", resource_version);
  if (!resource_version_match.empty()) add("resourceVersionMatch", resource_version_match);
  if (send_initial_events) add("sendInitialEvents", *send_initial_events ? "true" : "false");
  if (timeout_seconds) add("timeoutSeconds", std::to_string(*timeout_seconds));
  if (watch) add("watch", "true");
  return out;
}

}  // namespace relist
