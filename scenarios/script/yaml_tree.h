// A YAML document as a value that can be changed and written again: what shrinks scenarios works on
// it.
//
//   YamlTree tree = YamlTree::Of(*ReadYamlText(text, file));
//   tree.entries[2].second.items.erase(...);
//   std::string text = tree.Write();
//
// Comments are gone, aliases are what they stood for. Read again, the text is the same document:
// what was quoted is text still. For scenarios' own sources: it includes yaml-cpp.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <utility>
#include <vector>

namespace relist {

struct YamlTree {
  enum class Kind { kScalar, kList, kMap } kind = Kind::kScalar;
  std::string scalar;
  bool quoted = false;  // text, whatever it looks like
  std::vector<YamlTree> items;
  std::vector<std::pair<std::string, YamlTree>> entries;  // in the order of the file

  static YamlTree Of(const YAML::Node& node);
  const YamlTree* Find(const std::string& key) const;  // null: it is not there, or this is no map
  YamlTree* Find(const std::string& key);
  // How many scalars, and keys, there are: what a shrinker wants less of.
  size_t Size() const;
  // A map of blocks, whose values are in one line each where they fit into it.
  std::string Write() const;
  bool operator==(const YamlTree&) const = default;
};

}  // namespace relist
