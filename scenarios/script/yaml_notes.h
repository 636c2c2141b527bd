// What can be written where, as the readers themselves have it: each key that one asked for, and
// what may stand at it.
//
//   YamlNotes notes;
//   YamlProblems problems("", &notes);
//   ... read a document with YamlMap ...
//   for (const YamlNotes::Key& key : notes.Of("a step")) ...
//
// Values; one thread.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace relist {

// What may stand at a key, as its reader has it.
struct KeyShape {
  enum class Kind {
    kAny,
    kText,
    kFlag,
    kWhole,   // from `least` to `most`
    kTime,    // likewise
    kChance,  // above 0, at most 1
    kWord,    // one of `words`
    kRange,   // "2", "2-4", "every"
    kTexts,   // a list
    kPairs,   // a map of texts
  } kind = Kind::kAny;
  std::string least, most;
  std::vector<std::string> words;
  bool operator==(const KeyShape&) const = default;
};

// The keys that readers asked for, whether they were there or not: what the language is
// (language.h). Maps and keys stand in the order in which they were read first.
class YamlNotes {
 public:
  struct Key {
    std::string name;
    std::vector<KeyShape> shapes;  // any of them; none: another map, a list, or anything
  };
  // Of a map that messages call `map`.
  void Add(const std::string& map, const std::string& key, const KeyShape& shape);
  const std::vector<Key>& Of(const std::string& map) const;

 private:
  std::map<std::string, std::vector<Key>> maps_;
};

}  // namespace relist
