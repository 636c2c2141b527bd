#include "scenarios/seen_texts.h"

#include <set>
#include <sstream>
#include <utility>

#include "core/wire/object_key.h"
#include "scenarios/checkers/wire_view.h"
#include "scenarios/script/scenario.h"

namespace relist {
namespace {

bool IsSentinel(const std::string& key) {
  return ObjectKey::Parse(key).name == kSentinel;
}

std::string QueryOf(const std::string& target) {
  const size_t question = target.find('?');
  return question == std::string::npos ? "" : target.substr(question + 1);
}

const char* VerbOf(const HistoryEntry& request) {
  const WireAsk ask = AskOf(request.Get("method"), request.Get("target"));
  if (ask.kind == WireAsk::Kind::kWatch) return "WATCH ";
  return ask.kind == WireAsk::Kind::kList && !ask.single ? "LIST " : "GET ";
}

}  // namespace

void SeenTexts::Add(std::string text, const HistoryEntry& line) {
  texts.push_back(std::move(text));
  lines.push_back(&line);
}

SeenTexts SeenRequests(const History& history, const std::string& client) {
  SeenTexts seen;
  std::map<std::string, size_t> by_number;
  for (const HistoryEntry& entry : history.entries()) {
    if (entry.actor() != client) continue;
    if (entry.what() == "request") {
      const std::string& target = entry.Get("target");
      const size_t question = target.find('?');
      by_number[entry.Get("n")] = seen.texts.size();
      seen.Add(entry.Get("verb") + " " +
                   (question == std::string::npos ? "" : target.substr(question + 1)),
               entry);
    } else if (entry.what() == "answer") {
      const auto found = by_number.find(entry.Get("n"));
      if (found == by_number.end()) continue;
      const std::string& status = entry.Get("status");
      seen.texts[found->second] += " -> " + (status.empty() ? entry.Get("error") : status);
    }
  }
  return seen;
}

std::map<std::string, SeenTexts> SeenCallbacks(const History& history, const std::string& client) {
  std::map<std::string, SeenTexts> seen;
  for (const HistoryEntry& entry : history.entries()) {
    if (entry.actor() != client || entry.what() != "callback") continue;
    SeenTexts& list = seen[entry.Get("handler")];
    if (ObjectKey::Parse(entry.Get("key")).name == kSentinel) continue;
    std::string text = entry.Get("type") + " " + entry.Get("key") + " ";
    if (!entry.Get("old_rv").empty()) text += entry.Get("old_rv") + " -> ";
    text += entry.Get("rv");
    for (const char* mark : {"initial", "tombstone"}) {
      if (entry.Get(mark) == "true") text += std::string(" ") + mark;
    }
    list.Add(std::move(text), entry);
  }
  return seen;
}

// By key.
SeenTexts SeenStore(const History& history, const std::string& client) {
  std::multimap<std::string, const HistoryEntry*> by_key;
  for (const HistoryEntry& entry : history.entries()) {
    if (entry.actor() != client || entry.what() != "store") continue;
    if (ObjectKey::Parse(entry.Get("key")).name != kSentinel)
      by_key.emplace(entry.Get("key"), &entry);
  }
  SeenTexts seen;
  for (const auto& [key, line] : by_key) seen.Add(key, *line);
  return seen;
}

SeenTexts AskedRequests(const History& history, const std::string& agent) {
  SeenTexts seen;
  std::map<std::string, size_t> by_id;
  for (const HistoryEntry& entry : history.entries()) {
    if (entry.actor() != "server") continue;
    if (entry.what() == "request" && entry.Get("agent") == agent) {
      by_id[entry.Get("id")] = seen.texts.size();
      seen.Add(VerbOf(entry) + QueryOf(entry.Get("target")), entry);
    } else if (entry.what() == "answer" || entry.what() == "open") {
      const auto found = by_id.find(entry.Get("id"));
      if (found != by_id.end()) seen.texts[found->second] += " -> " + entry.Get("status");
    }
  }
  return seen;
}

SeenTexts SentLines(const History& history, const std::string& agent) {
  SeenTexts seen;
  std::set<std::string> ids;
  for (const HistoryEntry& entry : history.entries()) {
    if (entry.actor() != "server") continue;
    if (entry.what() == "request" && entry.Get("agent") == agent) ids.insert(entry.Get("id"));
    if (entry.what() != "event" || !entry.Get("kept").empty() || !ids.contains(entry.Get("id")))
      continue;
    if (IsSentinel(entry.Get("key"))) continue;
    const std::string& type = entry.Get("type");
    std::string text = type.empty() ? entry.Get("text") : type;
    for (const char* field : {"key", "code", "rv"}) {
      if (!entry.Get(field).empty()) text += " " + entry.Get(field);
    }
    if (entry.Get("end") == "true") text += " end";
    seen.Add(std::move(text), entry);
  }
  return seen;
}

SeenTexts ListedItems(const History& history, const std::string& agent) {
  SeenTexts seen;
  for (const HistoryEntry& entry : history.entries()) {
    if (entry.actor() != "run" || entry.what() != "listed" || entry.Get("as") != agent) continue;
    seen = {};
    std::istringstream keys(entry.Get("keys"));
    for (std::string key; keys >> key;) {
      if (!IsSentinel(key)) seen.Add(key, entry);
    }
  }
  return seen;
}

}  // namespace relist
