#include "scenarios/script/yaml_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

namespace relist {
namespace {

constexpr size_t kWidth = 120;

// `flow`: within braces or brackets.
bool IsPlain(const std::string& text, bool flow) {
  static constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+=-@>()$^;~ ";
  constexpr std::string_view kNoBeginning = "->=@~ ";
  const auto is_safe = [flow](char c) {
    return kSafe.find(c) != std::string_view::npos || (c == ',' && !flow);
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_safe) &&
         kNoBeginning.find(text.front()) == std::string_view::npos && text.back() != ' ';
}

std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string TextOf(const YamlTree& scalar, bool flow) {
  if (!scalar.quoted && scalar.scalar.empty()) return "null";
  return !scalar.quoted && IsPlain(scalar.scalar, flow) ? scalar.scalar : Quoted(scalar.scalar);
}

std::string KeyText(const std::string& key) {
  return IsPlain(key, /*flow=*/true) ? key : Quoted(key);
}

// In one line.
std::string Flow(const YamlTree& tree) {
  if (tree.kind == YamlTree::Kind::kScalar) return TextOf(tree, /*flow=*/true);
  std::string inside;
  for (const YamlTree& item : tree.items) inside += (inside.empty() ? "" : ", ") + Flow(item);
  for (const auto& [key, value] : tree.entries)
    inside += (inside.empty() ? "" : ", ") + KeyText(key) + ": " + Flow(value);
  return tree.kind == YamlTree::Kind::kList ? "[" + inside + "]" : "{" + inside + "}";
}

// A list of maps, or of lines that are sentences, is read line by line.
bool WantsLines(const YamlTree& tree) {
  if (tree.kind != YamlTree::Kind::kList) return false;
  return std::any_of(tree.items.begin(), tree.items.end(), [](const YamlTree& item) {
    return item.kind != YamlTree::Kind::kScalar || item.scalar.find(' ') != std::string::npos;
  });
}

bool WantsLinesInside(const YamlTree& tree) {
  return WantsLines(tree) ||
         std::any_of(tree.entries.begin(), tree.entries.end(),
                     [](const auto& entry) { return WantsLinesInside(entry.second); });
}

// Behind "key:" or "-", at `indent` of the lines below it.
std::string Block(const YamlTree& tree, size_t indent, bool behind_dash) {
  const bool is_scalar = tree.kind == YamlTree::Kind::kScalar;
  const std::string flow = is_scalar ? TextOf(tree, /*flow=*/false) : Flow(tree);
  const bool fits = is_scalar || (tree.items.empty() && tree.entries.empty()) ||
                    (indent + flow.size() < kWidth && (behind_dash || !WantsLinesInside(tree)));
  if (fits) return " " + flow + "\n";
  const std::string space(indent, ' ');
  std::string out = behind_dash ? "" : "\n";
  for (const YamlTree& item : tree.items) {
    out += out.empty() ? " -" : space + "-";
    out += Block(item, indent + 2, true);
  }
  for (const auto& [key, value] : tree.entries) {
    out += (out.empty() ? " " : space) + KeyText(key) + ":";
    out += Block(value, indent + 2, false);
  }
  return out;
}

}  // namespace

YamlTree YamlTree::Of(const YAML::Node& node) {
  YamlTree tree;
  if (node.IsSequence()) {
    tree.kind = Kind::kList;
    for (const YAML::Node& item : node) tree.items.push_back(Of(item));
  } else if (node.IsMap()) {
    tree.kind = Kind::kMap;
    for (const auto& entry : node)
      tree.entries.emplace_back(entry.first.Scalar(), Of(entry.second));
  } else if (node.IsScalar()) {
    tree.scalar = node.Scalar();
    tree.quoted = node.Tag() == "!" || node.Tag() == "tag:yaml.org,2002:str";
  }
  return tree;
}

const YamlTree* YamlTree::Find(const std::string& key) const {
  for (const auto& [name, value] : entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

YamlTree* YamlTree::Find(const std::string& key) {
  for (auto& [name, value] : entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

size_t YamlTree::Size() const {
  size_t size = 1 + entries.size();
  for (const YamlTree& item : items) size += item.Size();
  for (const auto& [key, value] : entries) size += value.Size();
  return size;
}

std::string YamlTree::Write() const {
  if (kind != Kind::kMap) return Flow(*this) + "\n";
  std::string out;
  for (const auto& [key, value] : entries) out += KeyText(key) + ":" + Block(value, 2, false);
  return out;
}

}  // namespace relist
