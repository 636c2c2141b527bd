#include "scenarios/histories/client_log.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/wire/json_text.h"

namespace relist {
namespace {

using nlohmann::json;

// A year of a program's life; what says more is no time.
constexpr double kMillisMax = 3.2e10;

Error BadLine(std::string message) {
  return Error::Net(Transport::kProtocol, std::move(message));
}

// The text at `key`, "" where it is absent or null; an Error where it is something else.
Result<std::string> TextOrNothing(const json& line, const char* key) {
  const auto at = line.find(key);
  if (at == line.end() || at->is_null()) return std::string();
  if (at->is_string()) return at->get<std::string>();
  return BadLine(fmt::format("\"{}\" is a text in quotes, not {}", key, at->type_name()));
}

Result<bool> FlagAt(const json& line, const char* key) {
  const auto at = line.find(key);
  if (at == line.end() || at->is_null()) return false;
  if (at->is_boolean()) return at->get<bool>();
  return BadLine(fmt::format("\"{}\" is true or false", key));
}

// A bookmark that a program takes for an object has no name: it is told by C10.
Result<void> SetIdentity(const json& item, HistoryEntry* entry) {
  const Result<std::string> ns = TextOrNothing(item, "namespace"),
                            name = TextOrNothing(item, "name"), uid = TextOrNothing(item, "uid"),
                            rv = TextOrNothing(item, "resourceVersion");
  for (const Result<std::string>* part : {&ns, &name, &uid, &rv}) {
    if (!part->ok()) return part->error();
  }
  entry->Set("key", ns->empty() ? *name : *ns + "/" + *name).Set("uid", *uid).Set("rv", *rv);
  return {};
}

class LogReader {
 public:
  explicit LogReader(ClientLog* log) : lines_(log->lines), unread_(log->unread) {}

  Result<void> Read(const std::string& text) {
    std::string bytes = text;
    json line;
    if (!ParseJson(&bytes, &line) || !line.is_object())
      return BadLine(
          "not a JSON object; each line of a client's log is one: {\"type\":\"added\",...}");
    if (line.contains("actor") && line.contains("what"))
      return BadLine("this is a line of a history, not of a client's log");
    const Result<std::string> type = TextOrNothing(line, "type");
    if (!type.ok()) return type.error();
    if (type->empty()) return BadLine("\"type\" is missing; each line of a client's log has one");
    const Result<void> time = ReadTime(line);
    if (!time.ok()) return time.error();
    if (*type == "added" || *type == "modified" || *type == "deleted")
      return ReadCallback(line, *type);
    if (*type == "synced") {
      Add("synced").Set("handler", kLogHandler);
      return {};
    }
    if (*type == "store") return ReadStore(line);
    if (*type == "error") return ReadError(line);
    if (*type == "waited" || *type == "stop" || *type == "stopped") return ReadWord(line, *type);
    ++unread_[*type];
    return {};
  }

 private:
  // A log has one; it is called as the first handler of our own informers.
  static constexpr char kLogHandler[] = "handler";

  HistoryEntry& Add(std::string what) { return lines_.emplace_back(now_, "", std::move(what)); }

  // Of a line without a time, that of the line before; none goes back.
  Result<void> ReadTime(const json& line) {
    const auto t = line.find("t");
    if (t == line.end() || t->is_null()) return {};
    const double millis = t->is_number() ? t->get<double>() : -1;
    if (!(millis >= 0 && millis <= kMillisMax))
      return BadLine("\"t\" is a number of milliseconds since the program's start");
    now_ = std::max(now_, kSimulationEpoch + Millis(std::llround(millis)));
    return {};
  }

  Result<void> ReadCallback(const json& line, const std::string& type) {
    HistoryEntry& entry = Add("callback").Set("handler", kLogHandler).Set("type", type);
    const Result<void> whose = SetIdentity(line, &entry);
    if (!whose.ok()) return whose.error();
    if (type != "deleted" && !line.contains("resourceVersion"))
      return BadLine(
          fmt::format("\"resourceVersion\" is missing: an object that is {} has one", type));
    const Result<bool> tombstone = FlagAt(line, "tombstone");
    if (!tombstone.ok()) return tombstone.error();
    if (*tombstone) entry.Set("tombstone", "true");
    const Result<std::string> hash = TextOrNothing(line, "sha256");
    if (!hash.ok()) return hash.error();
    if (!hash->empty()) entry.Set("sha256", *hash);
    const auto old = line.find("old");
    if (old == line.end() || !old->is_object()) return {};
    const Result<std::string> old_rv = TextOrNothing(*old, "resourceVersion");
    if (!old_rv.ok()) return old_rv.error();
    if (!old_rv->empty()) entry.Set("old_rv", *old_rv);
    return {};
  }

  Result<void> ReadStore(const json& line) {
    const auto items = line.find("items");
    if (items == line.end() || !items->is_array())
      return BadLine("a store has \"items\", an array");
    Add("dump").Set("items", std::to_string(items->size()));
    for (const json& item : *items) {
      if (!item.is_object()) return BadLine("an item of a store is an object");
      const Result<void> whose = SetIdentity(item, &Add("store"));
      if (!whose.ok()) return whose.error();
    }
    return {};
  }

  Result<void> ReadError(const json& line) {
    const Result<bool> terminal = FlagAt(line, "terminal");
    if (!terminal.ok()) return terminal.error();
    const Result<std::string> message = TextOrNothing(line, "message");
    if (!message.ok()) return message.error();
    HistoryEntry& entry = Add("error").Set("message", *message);
    if (*terminal) entry.Set("terminal", "true");
    return {};
  }

  Result<void> ReadWord(const json& line, const std::string& type) {
    HistoryEntry& entry = Add(type);
    if (type == "waited") {
      const Result<std::string> rv = TextOrNothing(line, "resourceVersion");
      if (!rv.ok()) return rv.error();
      entry.Set("rv", *rv);
    }
    const auto left = line.find("left");
    if (type == "stopped" && left != line.end() && left->is_number_unsigned())
      entry.Set("left", std::to_string(left->get<uint64_t>()));
    return {};
  }

  std::vector<HistoryEntry>& lines_;
  std::map<std::string, size_t>& unread_;
  TimePoint now_ = kSimulationEpoch;
};

}  // namespace

Result<ClientLog> ClientLog::Parse(const std::string& text, const std::string& file) {
  ClientLog log;
  log.file = file;
  LogReader reader(&log);
  int number = 0;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    const bool is_cut = end == std::string::npos;
    if (is_cut) end = text.size();
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    const Result<void> read = reader.Read(line);
    if (read.ok()) continue;
    const bool cut_off = is_cut && line.starts_with('{') && !json::accept(line);
    return BadLine(fmt::format(
        "{}:{}: {}", file, number,
        cut_off ? "the log ends within this line: it was cut off" : read.error().message()));
  }
  return log;
}

}  // namespace relist
