#include "scenarios/script/yaml_reader.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "scenarios/script/yaml_text.h"

namespace relist {
namespace {

constexpr int kDepthMax = 64;  // aliases nest what was counted where it stands

bool IsQuoted(const YAML::Node& node) {
  return node.Tag() == "!" || node.Tag() == "tag:yaml.org,2002:str";
}

std::string TypeName(const YAML::Node& node) {
  if (!node.IsDefined() || node.IsNull()) return "nothing";
  if (node.IsMap()) return "a map";
  if (node.IsSequence()) return "a list";
  return fmt::format("\"{}\"", node.Scalar());
}

template <class Int>
std::optional<Int> ParseInt(const std::string& text) {
  Int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

nlohmann::ordered_json ScalarToJson(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (IsQuoted(node)) return text;
  if (text == "true") return true;
  if (text == "false") return false;
  if (text == "null" || text == "~" || text.empty()) return nullptr;
  if (const auto whole = ParseInt<int64_t>(text)) return *whole;
  const nlohmann::ordered_json number = nlohmann::ordered_json::parse(text, nullptr, false);
  return number.is_number() ? number : nlohmann::ordered_json(text);
}

nlohmann::ordered_json ToJson(const YAML::Node& node, int depth, int* left) {
  if (depth > kDepthMax) *left = 0;
  if (--*left < 0) return nullptr;
  if (node.IsSequence()) {
    auto list = nlohmann::ordered_json::array();
    for (const YAML::Node& item : node) list.push_back(ToJson(item, depth + 1, left));
    return list;
  }
  if (node.IsMap()) {
    auto map = nlohmann::ordered_json::object();
    for (const auto& entry : node)
      map[entry.first.Scalar()] = ToJson(entry.second, depth + 1, left);
    return map;
  }
  return node.IsScalar() ? ScalarToJson(node) : nlohmann::ordered_json();
}

}  // namespace

namespace {

// What a message quotes may hold anything: "\x1b" is shown, not sent to a terminal.
std::string InOneLine(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", byte);
    }
  }
  return out;
}

}  // namespace

void YamlProblems::Add(const YAML::Mark& mark, std::string text) {
  Add(mark.line + 1, mark.column + 1, std::move(text));
}

void YamlProblems::Add(int line, int column, std::string text) {
  AddIn("", line, column, std::move(text));
}

void YamlProblems::AddIn(const std::string& file, int line, int column, std::string text) {
  std::string where = fmt::format("{}:{}:{}: ", file.empty() ? file_ : file, line, column);
  problems_.emplace(std::pair(line, column), Problem{std::move(where), std::move(text)});
}

void YamlProblems::AddTold(const YAML::Mark& mark, std::string told) {
  problems_.emplace(std::pair(mark.line + 1, mark.column + 1), Problem{"", std::move(told)});
}

Error YamlProblems::ToError() const {
  std::string all;
  for (const auto& [place, problem] : problems_) {
    if (!all.empty()) all += '\n';
    all += problem.where + InOneLine(problem.text);
  }
  return Error::Net(Transport::kOther, all);
}

YamlMap::YamlMap(const YAML::Node& node, std::string what, YamlProblems* problems)
    : node_(node), what_(std::move(what)), problems_(problems) {
  if (!node_.IsMap()) {
    problems_->Add(node_.Mark(),
                   fmt::format("{} is a map of keys and values, not {}", what_, TypeName(node_)));
    return;
  }
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar()) {
      problems_->Add(entry.first.Mark(), fmt::format("a key in {} is a word", what_));
      continue;
    }
    const std::string& key = entry.first.Scalar();
    const auto earlier = std::find_if(entries_.begin(), entries_.end(),
                                      [&key](const Entry& one) { return one.key == key; });
    if (earlier == entries_.end()) {
      entries_.push_back({key, entry.first.Mark(), entry.second, false});
      continue;
    }
    problems_->Add(entry.first.Mark(),
                   fmt::format("\"{}\" stands twice in {}: it is in line {} already", key, what_,
                               earlier->mark.line + 1));
  }
}

const YAML::Node* YamlMap::Find(const std::string& key) const {
  for (const Entry& entry : entries_) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

bool YamlMap::Has(const std::string& key) const {
  return Find(key) != nullptr;
}

YAML::Node YamlMap::Take(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  Note(key, {});
  for (Entry& entry : entries_) {
    if (entry.key != key) continue;
    entry.known = true;
    return entry.value;
  }
  return YAML::Node(YAML::NodeType::Undefined);
}

void YamlMap::Note(const std::string& key, const KeyShape& shape) {
  if (YamlNotes* notes = problems_->notes()) notes->Add(what_, key, shape);
}

bool YamlMap::Is(const std::string& key, const std::string& word) {
  const YAML::Node value = Take(key);
  Note(key, {.kind = KeyShape::Kind::kWord, .words = {word}});
  return value.IsDefined() && value.IsScalar() && value.Scalar() == word;
}

void YamlMap::Problem(const std::string& key, const std::string& text) {
  const YAML::Node* value = Find(key);
  problems_->Add(value ? value->Mark() : node_.Mark(), text);
}

// Texts of ours go into reports; what an object holds is its own affair.
bool YamlMap::IsPrintable(const std::string& key, const YAML::Node& value) {
  const std::optional<std::string> bad = UnprintableIn(value.Scalar());
  if (!bad) return true;
  problems_->Add(value.Mark(),
                 fmt::format("\"{}\" holds {}, which no report can show: leave it out", key, *bad));
  return false;
}

void YamlMap::Read(const std::string& key, std::string* into) {
  const YAML::Node value = Take(key);
  Note(key, {.kind = KeyShape::Kind::kText});
  if (!value.IsDefined()) return;
  if (!value.IsScalar())
    return Problem(key, fmt::format("\"{}\" is text, not {}", key, TypeName(value)));
  if (IsPrintable(key, value)) *into = value.Scalar();
}

void YamlMap::Read(const std::string& key, bool* into) {
  const YAML::Node value = Take(key);
  Note(key, {.kind = KeyShape::Kind::kFlag});
  if (!value.IsDefined()) return;
  const std::string text = value.IsScalar() && !IsQuoted(value) ? value.Scalar() : "";
  if (text != "true" && text != "false") {
    return Problem(key, fmt::format("\"{}\" is true or false, not {}", key, TypeName(value)));
  }
  *into = text == "true";
}

template <class Int>
void YamlMap::ReadWhole(const std::string& key, Int* into, Int min, Int max) {
  const YAML::Node value = Take(key);
  Note(key,
       {.kind = KeyShape::Kind::kWhole, .least = fmt::to_string(min), .most = fmt::to_string(max)});
  if (!value.IsDefined()) return;
  const std::string text = value.IsScalar() && !IsQuoted(value) ? value.Scalar() : "";
  const size_t digits = text.starts_with('-') ? 1 : 0;
  const bool whole =
      text.size() > digits && text.find_first_not_of("0123456789", digits) == std::string::npos;
  if (!whole) {
    return Problem(key, fmt::format("\"{}\" is a whole number from {} to {}, not {}", key, min, max,
                                    TypeName(value)));
  }
  // What no Int can hold is beyond every bound.
  const std::optional<Int> number = ParseInt<Int>(text);
  if (number ? *number < min : digits == 1)
    return Problem(key, fmt::format("\"{}\" is at least {}, not {}", key, min, text));
  if (!number || *number > max)
    return Problem(key, fmt::format("\"{}\" is at most {}, not {}", key, max, text));
  *into = *number;
}

void YamlMap::Read(const std::string& key, int64_t* into, int64_t min, int64_t max) {
  ReadWhole(key, into, min, max);
}

void YamlMap::Read(const std::string& key, uint64_t* into) {
  ReadWhole(key, into, uint64_t{0}, std::numeric_limits<uint64_t>::max());
}

void YamlMap::Read(const std::string& key, int* into, int min, int max) {
  int64_t wide = *into;
  Read(key, &wide, min, max);
  *into = static_cast<int>(wide);
}

void YamlMap::Read(const std::string& key, Duration* into, const DurationRange& range) {
  const YAML::Node value = Take(key);
  Note(key, {.kind = KeyShape::Kind::kTime,
             .least = FormatDuration(range.least),
             .most = FormatDuration(range.most)});
  if (!value.IsDefined()) return;
  const std::string text = value.IsScalar() ? value.Scalar() : "";
  if (text.starts_with('-')) {
    return Problem(key, fmt::format("\"{}\" cannot be negative, as {} is: nothing happens before "
                                    "the start",
                                    key, text));
  }
  const Result<Duration> length = ParseDuration(text);
  if (!length.ok()) {
    return Problem(
        key, fmt::format("\"{}\" is a time with its unit, such as 1500ms, 10s or 2m, not {}", key,
                         TypeName(value)));
  }
  if (*length < range.least) {
    return Problem(
        key, fmt::format("\"{}\" is at least {}, not {}", key, FormatDuration(range.least), text));
  }
  if (*length > range.most) {
    return Problem(
        key, fmt::format("\"{}\" is at most {}, not {}", key, FormatDuration(range.most), text));
  }
  *into = *length;
}

void YamlMap::ReadChance(const std::string& key, double* into) {
  const YAML::Node node = Take(key);
  Note(key, {.kind = KeyShape::Kind::kChance});
  if (!node.IsDefined()) return;
  const std::string text = node.IsScalar() ? node.Scalar() : "";
  double chance = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), chance, std::chars_format::fixed);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && chance > 0 && chance <= 1) {  // nor is it what is no number, nan
    *into = chance;
  } else {
    Problem(key, fmt::format("\"{}\" is a number above 0 and at most 1, such as 0.2", key));
  }
}

std::optional<size_t> YamlMap::ReadWord(const std::string& key,
                                        const std::vector<std::string>& words) {
  const YAML::Node value = Take(key);
  Note(key, {.kind = KeyShape::Kind::kWord, .words = words});
  if (!value.IsDefined()) return std::nullopt;
  const std::string text = value.IsScalar() ? value.Scalar() : "";
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end()) return found - words.begin();
  const std::optional<std::string> near = DidYouMean(text, words);
  Problem(key, fmt::format("\"{}\" cannot be {}{}; it is one of {}", key, TypeName(value),
                           near ? fmt::format(" (did you mean \"{}\"?)", *near) : "",
                           fmt::join(words, ", ")));
  return std::nullopt;
}

void YamlMap::ReadTexts(const std::string& key, std::vector<std::string>* into) {
  const YAML::Node value = Take(key);
  Note(key, {.kind = KeyShape::Kind::kTexts});
  if (!value.IsDefined()) return;
  into->clear();
  if (!value.IsSequence())
    return Problem(key, fmt::format("\"{}\" is a list, not {}", key, TypeName(value)));
  for (const YAML::Node& item : value) {
    if (!item.IsScalar()) {
      problems_->Add(item.Mark(), fmt::format("an item of \"{}\" is text, not {}: quote it", key,
                                              TypeName(item)));
      continue;
    }
    if (IsPrintable(key, item)) into->push_back(item.Scalar());
  }
}

void YamlMap::ReadPairs(const std::string& key,
                        std::vector<std::pair<std::string, std::string>>* into) {
  const YAML::Node value = Take(key);
  Note(key, {.kind = KeyShape::Kind::kPairs});
  if (!value.IsDefined()) return;
  YamlMap pairs(value, "\"" + key + "\"", problems_);
  for (const auto& [name, text] : pairs.TakeAll()) {
    if (!text.IsScalar()) {
      pairs.Problem(name, fmt::format("\"{}\" is text, not {}", name, TypeName(text)));
      continue;
    }
    if (IsPrintable(name, text)) into->emplace_back(name, text.Scalar());
  }
}

std::vector<std::pair<std::string, YAML::Node>> YamlMap::TakeAll() {
  std::vector<std::pair<std::string, YAML::Node>> all;
  for (Entry& entry : entries_) {
    entry.known = true;
    all.emplace_back(entry.key, entry.value);
  }
  return all;
}

void YamlMap::Finish() {
  for (const Entry& entry : entries_) {
    if (entry.known) continue;
    const std::optional<std::string> near = DidYouMean(entry.key, known_);
    problems_->Add(
        entry.mark,
        fmt::format("unknown key \"{}\" in {}{}; known here: {}", entry.key, what_,
                    near ? fmt::format(", did you mean \"{}\"?", *near) : " (is the indent right?)",
                    fmt::join(known_, ", ")));
  }
}

std::string YamlToJson(const YAML::Node& node, YamlProblems* problems) {
  int* left = problems->json_nodes_left();
  if (*left < 0) return "null";
  std::string text =
      ToJson(node, 0, left).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (*left < 0) {
    problems->Add(node.Mark(),
                  "with this value the file has too many parts, or nests too deeply (aliases count "
                  "where they are used)");
  }
  return text;
}

}  // namespace relist
