// What there was to see in a history, in the words of expectations (expectations.h), each text with
// the line that it stands for. The sentinel is left out.
//
//   SeenRequests(history, "client").texts;   // "WATCH resourceVersion=7&watch=true -> 200"
//
// The texts are in the order of the history, of a store in that of the keys. They point into
// `history`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/history.h"

namespace relist {

struct SeenTexts {
  std::vector<std::string> texts;
  std::vector<const HistoryEntry*> lines;

  void Add(std::string text, const HistoryEntry& line);
};

// Of a client's own lines.
SeenTexts SeenRequests(const History& history, const std::string& client);
std::map<std::string, SeenTexts> SeenCallbacks(const History& history, const std::string& client);
SeenTexts SeenStore(const History& history, const std::string& client);

// Of the server's lines, by the User-Agent: what was asked and how it was answered, which lines
// went out on watches ("ADDED default/a 7", "BOOKMARK 9 end", "ERROR 410"), and what the last list
// that an "ask" was answered held.
SeenTexts AskedRequests(const History& history, const std::string& agent);
SeenTexts SentLines(const History& history, const std::string& agent);
SeenTexts ListedItems(const History& history, const std::string& agent);

}  // namespace relist
