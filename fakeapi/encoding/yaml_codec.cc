#include "fakeapi/encoding/yaml_codec.h"

#include <fmt/core.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fakeapi/encoding/yaml_bytes.h"
#include "fakeapi/encoding/yaml_converter.h"
#include "fakeapi/encoding/yaml_scalar.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

Error YamlError(const std::string& what) {
  return Error::Net(Transport::kProtocol, "yaml: " + what);
}

Error YamlError(const YAML::Exception& e) {
  if (e.mark.is_null()) return YamlError(e.msg);
  return YamlError(fmt::format("line {}: {}", e.mark.line + 1, e.msg));
}

Error TooDeep(const YAML::DeepRecursion& e) {
  return YamlError(
      fmt::format("line {}: nests too deeply: more than {} levels of YAML are not read",
                  e.mark.line + 1, e.depth()));
}

// yaml-cpp's scanner reads to the end of a line, and of a flow, before its parser sees the first
// token of it: a key may end there. Megabytes of `[` are scanned for a second, then refused for the
// first 500. So a start of the text is parsed first, then one kScoutStep times as long, and so on:
// what is refused is refused in about the time that its good part takes.
constexpr size_t kScoutStart = 4096, kScoutStep = 8;

class NoEvents : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// Whether more text than these `bytes` can't mend it. A key that may end behind them adds a level,
// and takes none; an anchor or tag may still be the key's, and not its map's, for 1024 bytes.
bool IsFinal(const YAML::Exception& e, size_t bytes) {
  if (dynamic_cast<const YAML::DeepRecursion*>(&e) != nullptr) return true;
  // Twice, and some more: the mark counts characters.
  if (static_cast<size_t>(e.mark.pos) * 2 + 2048 >= bytes) return false;
  return e.msg == YAML::ErrorMsg::MULTIPLE_ANCHORS || e.msg == YAML::ErrorMsg::MULTIPLE_TAGS ||
         e.msg.starts_with(YAML::ErrorMsg::UNKNOWN_ANCHOR);
}

enum class Documents { kFirst, kAll };

// Throws what yaml-cpp would throw for the whole text, where a start of it is enough to know.
void RefuseByItsStart(const std::string& text, Documents documents) {
  for (size_t size = kScoutStart; size < text.size(); size *= kScoutStep) {
    // Cut where no token is cut in two: what a `-` is depends on what follows it.
    const size_t last = text.find_first_of(" \n[{,", size);
    if (last == std::string::npos) return;
    std::istringstream start(text.substr(0, last + 1));
    NoEvents none;
    try {
      YAML::Parser parser(start);
      while (parser.HandleNextDocument(none) && documents == Documents::kAll) {
      }
    } catch (const YAML::Exception& e) {
      if (IsFinal(e, last + 1)) throw;
    }
  }
}

// Throws for those before the first document that go-yaml does not take, and yaml-cpp passes over.
void RefuseByDirectives(std::string_view text) {
  bool has_any = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const bool says_nothing = line.find_first_not_of(" \r") == std::string_view::npos;
    if (says_nothing || line[0] == '#') continue;
    if (line[0] != '%') {
      if (!has_any || line.starts_with("---")) return;
      throw YamlTrouble("yaml: line 1: did not find expected <document start>");
    }
    has_any = true;
    if (line.starts_with("%TAG ") || line.starts_with("%YAML 1.1")) continue;
    throw YamlTrouble(line.starts_with("%YAML ") ? "yaml: found incompatible YAML document"
                                                 : "yaml: found unknown directive name");
  }
}

void WriteBlock(const ordered_json& value, int indent, std::string* out);

void Indent(int indent, std::string* out) {
  out->append(static_cast<size_t>(indent), ' ');
}

void WriteLiteralBlock(const std::string& text, int indent, std::string* out) {
  *out += '|';
  if (text.back() != '\n') *out += '-';
  if (text.ends_with("\n\n")) *out += '+';
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    *out += '\n';
    if (end > at) Indent(indent, out);
    out->append(text, at, end - at);
    at = end + 1;
  }
  *out += '\n';
}

// What follows "key:" or "-" on its line: a scalar with a space, or the block below it.
void WriteInline(const ordered_json& value, int indent, std::string* out) {
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    *out += ' ';
    if (FitsLiteralBlock(text)) return WriteLiteralBlock(text, indent, out);
    *out += YamlString(text) + "\n";
  } else if (value.is_object() && value.empty()) {
    *out += " {}\n";
  } else if (value.is_array() && value.empty()) {
    *out += " []\n";
  } else {
    *out += ' ';
    *out += value.dump();
    *out += '\n';
  }
}

bool IsBlock(const ordered_json& value) {
  return value.is_structured() && !value.empty();
}

void WriteMap(const ordered_json& value, int indent, std::string* out) {
  std::vector<std::pair<std::string_view, const ordered_json*>> sorted;
  for (const auto& [key, part] : value.get_ref<const ordered_json::object_t&>()) {
    sorted.emplace_back(key, &part);
  }
  std::sort(sorted.begin(), sorted.end());
  bool first = true;
  for (const auto& [key, part] : sorted) {
    if (!first) Indent(indent, out);
    first = false;
    *out += YamlString(key) + ":";
    if (!IsBlock(*part)) {
      WriteInline(*part, indent + 2, out);
      continue;
    }
    *out += '\n';
    // A list stands under its key without a further indent.
    const int inner = part->is_array() ? indent : indent + 2;
    Indent(inner, out);
    WriteBlock(*part, inner, out);
  }
}

void WriteList(const ordered_json& value, int indent, std::string* out) {
  bool first = true;
  for (const ordered_json& element : value) {
    if (!first) Indent(indent, out);
    first = false;
    *out += '-';
    if (!IsBlock(element)) {
      WriteInline(element, indent + 2, out);
    } else {
      *out += ' ';
      WriteBlock(element, indent + 2, out);
    }
  }
}

// Stands where its first line begins.
void WriteBlock(const ordered_json& value, int indent, std::string* out) {
  if (value.is_object()) {
    WriteMap(value, indent, out);
  } else {
    WriteList(value, indent, out);
  }
}

}  // namespace

Result<ordered_json> ReadYaml(const std::string& bytes, std::vector<std::string>* repeated) {
  const Result<std::string> text = ReadYamlBytes(bytes);
  if (!text.ok()) return text.error();
  try {
    RefuseByDirectives(*text);
    RefuseByItsStart(*text, Documents::kFirst);
    return YamlConverter(text->size(), repeated).Convert(YAML::Load(*text));
  } catch (const YamlTrouble& e) {
    return Error::Net(Transport::kProtocol, e.what());
  } catch (const YAML::DeepRecursion& e) {
    return TooDeep(e);
  } catch (const YAML::Exception& e) {
    return YamlError(e);
  }
}

Result<std::vector<ordered_json>> ReadYamlStream(const std::string& bytes) {
  const Result<std::string> text = ReadYamlBytes(bytes);
  if (!text.ok()) return text.error();
  try {
    RefuseByItsStart(*text, Documents::kAll);
    std::vector<ordered_json> documents;
    YamlConverter converter(text->size(), nullptr);
    for (const YAML::Node& node : YAML::LoadAll(*text)) {
      ordered_json document = converter.Convert(node);
      if (!document.is_null()) documents.push_back(std::move(document));
    }
    return documents;
  } catch (const YamlTrouble& e) {
    return Error::Net(Transport::kProtocol, e.what());
  } catch (const YAML::DeepRecursion& e) {
    return TooDeep(e);
  } catch (const YAML::Exception& e) {
    return YamlError(e);
  }
}

std::string WriteYaml(const ordered_json& value) {
  std::string out;
  if (IsBlock(value)) {
    WriteBlock(value, 0, &out);
  } else {
    WriteInline(value, 0, &out);
    out.erase(0, 1);
  }
  return out;
}

}  // namespace relist::fakeapi
