#include "scenarios/script/client_options.h"

#include <fmt/core.h>

#include <utility>

#include "scenarios/script/scenario.h"
#include "scenarios/script/yaml_text.h"
#include "scenarios/script/yaml_tree.h"

namespace relist {
namespace {

Error NoOption(const std::string& option, const std::string& why) {
  return Error::Net(Transport::kOther,
                    fmt::format("\"{}\" is no client's option: {}", option, why));
}

// "FILE:3:5: what is wrong", without its place, which is none of the file's.
std::string FirstFlaw(const Error& error, const std::string& file) {
  std::string line = error.message().substr(0, error.message().find('\n'));
  if (line.starts_with(file)) line.erase(0, line.find(": ") + 2);
  return line;
}

void Set(YamlTree* map, const std::string& key, const YamlTree& value) {
  if (YamlTree* known = map->Find(key)) {
    *known = value;
  } else {
    map->entries.emplace_back(key, value);
  }
}

// Into each client; a scenario that names none has one all the same.
void SetInClients(YamlTree* root, const std::string& key, const YamlTree& value) {
  YamlTree list;
  list.kind = YamlTree::Kind::kList;
  if (!root->Find("clients") || root->Find("clients")->items.empty()) {
    YamlTree one;
    one.kind = YamlTree::Kind::kMap;
    list.items.push_back(one);
    Set(root, "clients", list);
  }
  for (YamlTree& client : root->Find("clients")->items) Set(&client, key, value);
}

}  // namespace

Result<std::string> WithClientOptions(const std::string& text, const std::string& file,
                                      const std::vector<std::string>& options) {
  const Result<Scenario> as_it_is = ParseScenario(text, file);
  if (!as_it_is.ok()) return as_it_is.error();
  const Result<YAML::Node> root = ReadYamlText(text, file);
  if (!root.ok()) return root.error();
  YamlTree tree = YamlTree::Of(*root);
  for (const std::string& option : options) {
    const Result<YAML::Node> node = ReadYamlText(option, "");
    if (!node.ok() || !node->IsMap())
      return NoOption(option, "write KEY: VALUE, as it stands in a client of a scenario");
    for (const auto& [key, value] : YamlTree::Of(*node).entries) SetInClients(&tree, key, value);
    const Result<Scenario> scenario = ParseScenario(tree.Write(), file);
    if (!scenario.ok()) return NoOption(option, FirstFlaw(scenario.error(), file));
  }
  return tree.Write();
}

}  // namespace relist
