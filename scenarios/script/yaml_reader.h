// Strict reading of YAML: every key is known or a mistake, every value has its type, and a mistake
// has its place.
//
//   YamlProblems problems("file.yaml");
//   YamlMap map(node, "a step", &problems);
//   map.Read("at", &step.at);
//   map.Finish();                       // complains of keys that nobody read, of doubled ones too
//   if (!problems.empty()) return problems.ToError();
//
// yaml-cpp 0.7 keeps doubled keys silently and shows quoting only in a node's tag; both are dealt
// with here. This header is for scenarios' own sources: it includes yaml-cpp.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/duration.h"
#include "core/result.h"
#include "core/time.h"
#include "scenarios/script/did_you_mean.h"
#include "scenarios/script/yaml_notes.h"

namespace relist {

// Mistakes, collected; sorted by place when they are told.
class YamlProblems {
 public:
  explicit YamlProblems(std::string file, YamlNotes* notes = nullptr)
      : file_(std::move(file)), notes_(notes) {}
  YamlNotes* notes() const { return notes_; }
  void Add(const YAML::Mark& mark, std::string text);
  void Add(int line, int column, std::string text);  // from 1
  // In another file ("": this one), which a line of this one named.
  void AddIn(const std::string& file, int line, int column, std::string text);
  // What was told with its place, of what is named at `mark`.
  void AddTold(const YAML::Mark& mark, std::string told);
  // How many values may still be read as JSON: aliases make few lines many.
  int* json_nodes_left() { return &json_nodes_left_; }
  bool empty() const { return problems_.empty(); }
  Error ToError() const;

 private:
  std::string file_;
  YamlNotes* notes_;  // null: nobody wants to know
  int json_nodes_left_ = 100000;
  struct Problem {
    std::string where, text;
  };
  std::multimap<std::pair<int, int>, Problem> problems_;  // by line and column, from 1
};

// What a time may be; both ends count.
struct DurationRange {
  Duration least{}, most = Seconds(24 * 3600);
};

class YamlMap {
 public:
  // `what` names the place for messages: "a step", "expect". A node that is no map is a mistake
  // (and reads as empty).
  YamlMap(const YAML::Node& node, std::string what, YamlProblems* problems);

  bool Has(const std::string& key) const;
  // The value, or an undefined node. The key counts as known from now on.
  YAML::Node Take(const std::string& key);
  // Who takes a key and reads it by itself says what may stand there.
  void Note(const std::string& key, const KeyShape& shape);
  // Whether it is this word, where other readers may have it otherwise.
  bool Is(const std::string& key, const std::string& word);
  // Each leaves *into as it is where the key is absent, and adds a problem where the value has
  // another type.
  void Read(const std::string& key, std::string* into);
  void Read(const std::string& key, bool* into);
  void Read(const std::string& key, int* into, int min, int max);
  void Read(const std::string& key, int64_t* into, int64_t min, int64_t max);
  // All that 64 bits hold.
  void Read(const std::string& key, uint64_t* into);
  void Read(const std::string& key, Duration* into, const DurationRange& range = {});
  // A probability: above 0, at most 1.
  void ReadChance(const std::string& key, double* into);
  // One of `words`; its index.
  std::optional<size_t> ReadWord(const std::string& key, const std::vector<std::string>& words);
  void ReadTexts(const std::string& key, std::vector<std::string>* into);
  void ReadPairs(const std::string& key, std::vector<std::pair<std::string, std::string>>* into);

  // The keys, in the order of the file, and their values (known from now on): for maps whose keys
  // are names.
  std::vector<std::pair<std::string, YAML::Node>> TakeAll();
  void Problem(const std::string& key,
               const std::string& text);  // at the key's value, or at the map
  int line() const { return node_.Mark().line + 1; }
  int column() const { return node_.Mark().column + 1; }
  // What is read was not understood, so that more complaints would only mislead.
  void Forgive() { TakeAll(); }
  void Finish();

 private:
  const YAML::Node* Find(const std::string& key) const;
  template <class Int>
  void ReadWhole(const std::string& key, Int* into, Int min, Int max);
  bool IsPrintable(const std::string& key, const YAML::Node& value);
  YAML::Node node_;
  std::string what_;
  YamlProblems* problems_;
  struct Entry {
    std::string key;
    YAML::Mark mark;
    YAML::Node value;
    bool known = false;
  };
  std::vector<Entry> entries_;
  std::vector<std::string> known_;
};

// A value as JSON text: quoted scalars are strings, others null, booleans, numbers where they look
// like it. A problem where aliases make the file absurdly large.
std::string YamlToJson(const YAML::Node& node, YamlProblems* problems);

}  // namespace relist
