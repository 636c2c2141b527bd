#include "scenarios/timeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "fakeapi/api/request_target.h"
#include "fakeapi/api/resource_path.h"
#include "fakeapi/api/resources.h"

namespace relist {
namespace {

std::string QueryOf(const fakeapi::RequestTarget& target, std::string_view name) {
  for (const auto& [key, value] : target.query) {
    if (key == name) return value;
  }
  return "";
}

std::string ScopeOf(const fakeapi::RequestTarget& target) {
  const fakeapi::ResourcePath path = fakeapi::ParseResourcePath(target.path);
  if (!path.resource) return target.path;
  std::string text = path.resource->resource.GroupResource();
  if (!path.key.name.empty()) return text + " " + path.key.ToString();
  if (!path.key.ns.empty()) text += " in " + path.key.ns;
  if (const std::string labels = QueryOf(target, "labelSelector"); !labels.empty())
    text += " where " + labels;
  if (const std::string fields = QueryOf(target, "fieldSelector"); !fields.empty())
    text += " where " + fields;
  return text;
}

std::string ListText(const fakeapi::RequestTarget& target) {
  const std::string rv = QueryOf(target, "resourceVersion");
  const std::string limit = QueryOf(target, "limit");
  std::string text = "LIST " + ScopeOf(target);
  if (!QueryOf(target, "continue").empty())
    text += ": the next page";
  else if (rv.empty())
    text += ": the newest state";
  else if (rv == "0")
    text += ": any version will do (resourceVersion=0)";
  else
    text += fmt::format(": not older than {}", rv);
  return limit.empty() ? text : text + ", pages of " + limit;
}

std::string WatchText(const fakeapi::RequestTarget& target) {
  const std::string rv = QueryOf(target, "resourceVersion");
  std::string text = "WATCH " + ScopeOf(target);
  if (QueryOf(target, "sendInitialEvents") == "true") {
    text += rv.empty() ? ": a streaming list, the newest state first"
                       : fmt::format(": a streaming list, not older than {}", rv);
  } else if (rv.empty() || rv == "0") {
    text += ": from the current state";
  } else {
    text += fmt::format(": what comes after {}", rv);
  }
  const std::string seconds = QueryOf(target, "timeoutSeconds");
  return seconds.empty() ? text : text + ", for " + seconds + " s";
}

std::string RequestText(const std::string& verb, const std::string& target_text) {
  const fakeapi::RequestTarget target = fakeapi::ParseTarget(target_text);
  if (verb == "LIST") return ListText(target);
  if (verb == "WATCH") return WatchText(target);
  if (verb != "GET") return verb + " " + ScopeOf(target);
  const std::string watch = QueryOf(target, "watch");
  return watch.empty() || watch == "false" || watch == "0" ? ListText(target) : WatchText(target);
}

std::string AnswerText(const HistoryEntry& entry) {
  const std::string& status = entry.Get("status");
  if (status.empty())
    return fmt::format("no answer: {} ({})", entry.Get("error"), entry.Get("message"));
  std::string text = status;
  if (!entry.Get("items").empty())
    text += fmt::format(": {} objects, as of version {}", entry.Get("items"), entry.Get("rv"));
  if (!entry.Get("continue").empty()) text += ", more to come";
  if (!entry.Get("message").empty()) text += ": " + entry.Get("message");
  return text;
}

std::string EventText(const HistoryEntry& entry) {
  const std::string& type = entry.Get("type");
  if (type == "ERROR") return fmt::format("ERROR {}", entry.Get("code"));
  if (type == "BOOKMARK") {
    const char* end = entry.Get("end") == "true" ? ": that was the initial state" : "";
    return fmt::format("BOOKMARK at {}{}", entry.Get("rv"), end);
  }
  return fmt::format("{} {} at {}", type, entry.Get("key"), entry.Get("rv"));
}

std::string CallbackText(const HistoryEntry& entry) {
  const std::string& type = entry.Get("type");
  const char* sign = type == "added" ? "+" : type == "deleted" ? "-" : "*";
  std::string text = fmt::format("{} {} at {}", sign, entry.Get("key"), entry.Get("rv"));
  if (!entry.Get("old_rv").empty()) text += ", was at " + entry.Get("old_rv");
  if (entry.Get("initial") == "true") text += " (initial)";
  if (entry.Get("tombstone") == "true") text += " (gone while away: the last state seen)";
  const std::string& handler = entry.Get("handler");
  return handler.empty() || handler == "handler" ? text : text + " [" + handler + "]";
}

std::string ServerText(const HistoryEntry& entry) {
  const std::string& what = entry.what();
  const std::string number = entry.Get("id").empty() ? "" : "#" + entry.Get("id") + " ";
  if (what == "commit") {
    return fmt::format("  {} {} {} at {}", entry.Get("resource"), entry.Get("key"),
                       entry.Get("type") == "ADDED"     ? "created"
                       : entry.Get("type") == "DELETED" ? "deleted"
                                                        : "changed",
                       entry.Get("rv"));
  }
  if (what == "request")
    return "  " + number + RequestText(entry.Get("method"), entry.Get("target"));
  if (what == "answer") return "< " + number + AnswerText(entry);
  if (what == "open") return "< " + number + entry.Get("status") + ": the watch is open";
  if (what == "event") return "~ " + number + EventText(entry);
  if (what == "end") return "< " + number + "over: " + entry.Get("how");
  if (what == "fault") {
    const std::string on = entry.Get("conn").empty() ? "" : "connection " + entry.Get("conn") + " ";
    return "! " + number + on + entry.Get("verdict") + " (at: " + entry.Get("point") + ")";
  }
  if (what == "control") return fmt::format("! {} at {}", entry.Get("action"), entry.Get("rv"));
  return "  " + what;
}

std::string ClientText(const HistoryEntry& entry) {
  const std::string& what = entry.what();
  if (what == "request") return "> " + RequestText(entry.Get("verb"), entry.Get("target"));
  if (what == "answer") return "< " + AnswerText(entry);
  if (what == "callback") return CallbackText(entry);
  if (what == "position") return "  is at " + entry.Get("rv");
  if (what == "relist") return "  the store is replaced: " + entry.Get("why");
  if (what == "backoff")
    return "  waits " + FormatSeconds(Millis(std::atoll(entry.Get("ms").c_str()))) + " s";
  if (what == "synced") {
    const std::string& handler = entry.Get("handler");
    return handler.empty() ? "  has synced"
                           : "  has synced: " + handler + " has seen the whole initial list";
  }
  if (what == "error") return "! " + entry.Get("message");
  if (what == "store") return fmt::format("  holds {} at {}", entry.Get("key"), entry.Get("rv"));
  if (what == "dump") return fmt::format("  holds {} objects:", entry.Get("items"));
  return "  " + what;
}

const char* ColorOf(const std::string& text) {
  switch (text[0]) {
    case '!':
      return "\033[31m";
    case '+':
    case '-':
    case '*':
      return "\033[32m";
    case '~':
      return "\033[2m";
    default:
      return "";
  }
}

}  // namespace

std::string DescribeEntry(const HistoryEntry& entry) {
  if (entry.actor() == "run") return "---- " + entry.Get("name") + " ----";
  return entry.actor() == "server" ? ServerText(entry) : ClientText(entry);
}

std::string Timeline(const History& history, const TimelineOptions& options) {
  size_t width = 6;
  for (const HistoryEntry& entry : history.entries()) width = std::max(width, entry.actor().size());
  std::string out;
  for (const HistoryEntry& entry : history.entries()) {
    if (!options.server_events && entry.what() == "event") continue;
    const std::string text = DescribeEntry(entry);
    const char* color = options.color ? ColorOf(text) : "";
    out += fmt::format("{:>10}  {:<{}}  {}{}{}\n", FormatSeconds(entry.when() - history.start()),
                       entry.actor(), width, color, text, *color ? "\033[0m" : "");
  }
  return out;
}

}  // namespace relist
