#include "scenarios/histories/timeline.h"

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

// What a status means for a client, where a number alone says little.
std::string StatusText(const std::string& status) {
  if (status == "410") return "410 (expired: the server no longer has that version)";
  if (status == "429") return "429 (too many requests: later, please)";
  if (status == "504") return "504 (the server did not reach that version in time)";
  return status;
}

std::string ObjectsText(const HistoryEntry& entry) {
  const std::string& items = entry.Get("items");
  return items + (items == "1" ? " object" : " objects");
}

std::string AnswerText(const HistoryEntry& entry) {
  const std::string& status = entry.Get("status");
  if (status.empty())
    return fmt::format("no answer: {} ({})", entry.Get("error"), entry.Get("message"));
  std::string text = StatusText(status);
  if (!entry.Get("items").empty())
    text += fmt::format(": {}, as of version {}", ObjectsText(entry), entry.Get("rv"));
  if (!entry.Get("continue").empty()) text += ", more to come";
  if (!entry.Get("message").empty()) text += ": " + entry.Get("message");
  return text;
}

std::string EventText(const HistoryEntry& entry) {
  const std::string& type = entry.Get("type");
  std::string text = fmt::format("{} {} at {}", type, entry.Get("key"), entry.Get("rv"));
  if (type == "ERROR") {
    text = "ERROR " + StatusText(entry.Get("code"));
  } else if (type == "BOOKMARK") {
    const char* end = entry.Get("end") == "true" ? ": that was the initial state" : "";
    text = fmt::format("BOOKMARK at {}{}", entry.Get("rv"), end);
  } else if (type.empty()) {
    text = fmt::format("\"{}\"", entry.Get("text"));
  }
  if (entry.Get("kept") == "true") return text + ", but a fault keeps it";
  return entry.Get("fault") == "true" ? text + ", a line of the fault's" : text;
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

// "cut FIN after 12": the words of a verdict, and of where it struck.
std::string FaultText(const std::string& verdict, const std::string& point) {
  if (verdict == "drop") return "the next line is left out";
  if (verdict == "alter") return "the next line is another one than it should be";
  if (verdict == "insert") return "a line that the server never made is put into the stream";
  if (verdict.starts_with("reorder behind "))
    return fmt::format("the next line goes behind the {} that follow it", verdict.substr(15));
  if (verdict.starts_with("chunks of ")) return "from here on the answer goes in " + verdict;
  if (verdict.starts_with("lines end ")) return "from here on " + verdict;
  if (verdict == "http 1.0")
    return "the answer is one of HTTP/1.0: it ends where the connection does";
  if (verdict.starts_with("next "))
    return point == "next" ? "the connection is cut under a request, which is never read"
                           : "the connection will be cut under the request that comes next on it";
  const size_t after = verdict.find(" after ");
  const std::string kind = verdict.substr(0, after);
  const std::string bytes = after == std::string::npos ? "" : verdict.substr(after + 7);
  std::string text = verdict;
  if (kind == "cut FIN") text = "the connection is cut (FIN)";
  if (kind == "cut RST") text = "the connection is reset (RST)";
  if (kind == "cut clean") text = "the answer ends early, as if that were all";
  if (kind == "stall") text = "nothing more is sent, but the connection stays open (half-open)";
  if (kind == "hold") text = "the rest is held back";
  if (kind.starts_with("slow "))
    text = fmt::format("the rest goes at {} bytes a second", kind.substr(5));
  if (kind == "error line") text = "an ERROR line is put into the stream, then it ends";
  if (kind == "duplicate") return "the next line is sent twice";  // that says where
  if (kind.starts_with("answer ")) text = "answered with " + StatusText(kind.substr(7));
  if (text != verdict && !bytes.empty() && !bytes.starts_with("0"))
    text += " after " + bytes + (bytes == "the head" ? "" : " bytes");
  if (point == "event") return text + ", before the next line";
  if (point == "sent") return text + ", behind the last line";
  if (point == "open") return text + ", once the watch is open";
  if (point == "accepted") return text + ", when it is accepted";
  return text + (point == "answer" ? ", before the answer" : ", when the request is read");
}

std::string ControlText(const std::string& action, const std::string& rv) {
  if (action == "evict")
    return fmt::format("evict: the server forgets its events, older watches than {} expire", rv);
  if (action == "restart")
    return fmt::format("restart of the apiserver: watches end, those older than {} expire", rv);
  if (action == "compact") return fmt::format("compaction: states older than {} are gone", rv);
  if (action == "pause") return fmt::format("pause: its caches stand still, at {}", rv);
  if (action == "resume") return fmt::format("resume: its caches, at {}, go on", rv);
  if (action == "lag") return fmt::format("lag: how late writes come to its caches, at {}", rv);
  if (action == "bookmark") return fmt::format("bookmark: to all who asked for them, at {}", rv);
  return fmt::format("{} at {}", action, rv);
}

std::string EndText(const std::string& how) {
  if (how == "last chunk" || how == "clean") return "over, as it should be";
  if (how == "client") return "over: the client closed it";
  if (how == "FIN") return "over: cut off in the middle (FIN)";
  if (how == "RST") return "over: reset in the middle (RST)";
  return "over: " + how;
}

// "list: too old resource version: 8 (9)": how the store got its objects, and why it asked.
std::string RelistText(const std::string& why) {
  const size_t colon = std::min(why.find(": "), why.size());
  const std::string how = why.substr(0, colon);
  const std::string reason = colon < why.size() ? why.substr(colon + 2) : "";
  const std::string text = fmt::format("  the store is now what the {} says: ", how);
  if (reason == "start") return text + "it is the first one";
  if (reason.starts_with("too old resource version"))
    return text + "its version had expired (410), so it lists again [" + reason + "]";
  if (reason.starts_with("very short watch"))
    return text + "a watch ended at once and empty, as one that has expired, so it lists again";
  return text + "it lists again after an error [" + reason + "]";
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
  if (what == "end") return "< " + number + EndText(entry.Get("how"));
  if (what == "fault") {
    const std::string on = entry.Get("conn").empty() ? "" : "connection " + entry.Get("conn") + " ";
    return "! " + number + on + FaultText(entry.Get("verdict"), entry.Get("point"));
  }
  if (what == "control") {
    const std::string& replica = entry.Get("replica");
    return "! " + (replica.empty() ? "" : "replica " + replica + ": ") +
           ControlText(entry.Get("action"), entry.Get("rv"));
  }
  return "  " + what;
}

std::string ClientText(const HistoryEntry& entry) {
  const std::string& what = entry.what();
  if (what == "request") return "> " + RequestText(entry.Get("verb"), entry.Get("target"));
  if (what == "answer") return "< " + AnswerText(entry);
  if (what == "callback") return CallbackText(entry);
  if (what == "position") return "  is at " + entry.Get("rv");
  if (what == "relist") return RelistText(entry.Get("why"));
  if (what == "backoff")
    return "  waits " + FormatSeconds(Millis(std::atoll(entry.Get("ms").c_str()))) + " s";
  if (what == "synced") {
    const std::string& handler = entry.Get("handler");
    return handler.empty() ? "  has synced"
                           : "  has synced: " + handler + " has seen the whole initial list";
  }
  if (what == "error") {
    const std::string& message = entry.Get("message");
    if (!message.starts_with("too old resource version")) return "! " + message;
    return "! its version has expired (410), so it will list again [" + message + "]";
  }
  if (what == "panic") {
    return fmt::format("! {} threw at {}, which it is not told again: {}", entry.Get("handler"),
                       entry.Get("key"), entry.Get("message"));
  }
  if (what == "stop") return "! is told to stop";
  if (what == "stopped") return "! is stopped: what it knew is gone";
  if (what == "started") return "! is started again, and knows nothing";
  if (what == "store") return fmt::format("  holds {} at {}", entry.Get("key"), entry.Get("rv"));
  if (what == "dump") return fmt::format("  holds {}:", ObjectsText(entry));
  return "  " + what;
}

std::string PhaseText(const std::string& name) {
  if (name == "chaos") return "chaos: the steps and faults of the script";
  if (name == "calm") return "calm: time to recover, every client must catch up";
  if (name == "converged") return "converged: every client holds what the server holds";
  return name;
}

constexpr const char* kRed = "\033[31m";
constexpr const char* kGreen = "\033[32m";
constexpr const char* kBold = "\033[1m";
constexpr const char* kDim = "\033[2m";
constexpr const char* kPlain = "\033[0m";

// By the line's sign, and by what it tells: a refusal is one whatever brings it.
const char* ColorOf(const HistoryEntry& entry, const std::string& text) {
  const std::string& status = entry.Get("status");
  const bool refused = entry.what() == "answer" && (status.empty() || status[0] >= '4');
  if (text[0] == '!' || refused || entry.Get("type") == "ERROR") return kRed;
  if (text.starts_with("----")) return kBold;
  if (text[0] == '+' || text[0] == '-' || text[0] == '*') return kGreen;
  return text[0] == '~' ? kDim : "";
}

}  // namespace

std::string DescribeEntry(const HistoryEntry& entry) {
  if (entry.what() == "mark")
    return fmt::format("---- {} has to hear of {} ----", entry.Get("client"), entry.Get("rv"));
  if (entry.what() == "chance") {
    return fmt::format("---- the dice {} the step in line {} ----",
                       entry.Get("happens") == "true" ? "let happen" : "leave out",
                       entry.Get("line"));
  }
  if (entry.what() == "listed")
    return fmt::format("---- {} was answered with: {} ----", entry.Get("as"),
                       entry.Get("keys").empty() ? "nothing" : entry.Get("keys"));
  if (entry.actor() == "run") return "---- " + PhaseText(entry.Get("name")) + " ----";
  return entry.actor() == "server" ? ServerText(entry) : ClientText(entry);
}

std::string Timeline(const History& history, const TimelineOptions& options) {
  size_t width = 6;
  for (const HistoryEntry& entry : history.entries()) width = std::max(width, entry.actor().size());
  std::string out;
  bool asked = false;
  for (const HistoryEntry& entry : history.entries()) {
    if (!options.server_events && entry.what() == "event") continue;
    asked = asked || entry.what() == "request";
    const bool from_start = !asked && entry.what() == "commit" && entry.Get("type") == "ADDED";
    const std::string text =
        from_start ? fmt::format("  {} {} is there from the start, at {}", entry.Get("resource"),
                                 entry.Get("key"), entry.Get("rv"))
                   : DescribeEntry(entry);
    const char* color = options.color ? ColorOf(entry, text) : "";
    out += fmt::format("{}{:>10}{}  {:<{}}  {}{}{}\n", options.color ? kDim : "",
                       FormatSeconds(entry.when() - history.start()), options.color ? kPlain : "",
                       entry.actor(), width, color, text, *color ? kPlain : "");
  }
  return out;
}

}  // namespace relist
