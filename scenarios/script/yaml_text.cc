#include "scenarios/script/yaml_text.h"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "core/wire/json_text.h"
#include "scenarios/script/yaml_hints.h"

namespace relist {
namespace {

// What is wrong, and where: from 1, columns in characters.
struct YamlFlaw {
  size_t line = 1, column = 1;
  std::string text;
};

Error ErrorOf(const YamlFlaw& flaw, const std::string& file) {
  return Error::Net(Transport::kOther,
                    fmt::format("{}:{}:{}: {}", file, flaw.line, flaw.column, flaw.text));
}

// yaml-cpp counts from 0, and from -1 where it has no place.
YamlFlaw FlawAt(const YAML::Mark& mark, std::string text) {
  return {static_cast<size_t>(std::max(mark.line, 0)) + 1,
          static_cast<size_t>(std::max(mark.column, 0)) + 1, std::move(text)};
}

// The length of the character at `at`, or 0 where none that is UTF-8 stands there.
size_t CharacterAt(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return IsUtf8(text.substr(at, length)) && at + length <= text.size() ? length : 0;
}

// "U+0007" for what may not be in a file or a report, or "".
std::string Unprintable(std::string_view character) {
  const auto byte = static_cast<unsigned char>(character[0]);
  const bool control = character.size() == 1 && (byte < 0x20 || byte == 0x7f) && byte != '\t' &&
                       byte != '\n' && byte != '\r';
  if (control) return fmt::format("U+{:04X}", byte);
  if (character == "\xef\xbf\xbe") return "U+FFFE";
  return character == "\xef\xbf\xbf" ? "U+FFFF" : "";
}

std::optional<YamlFlaw> FindBadCharacter(std::string_view text) {
  size_t line = 1, column = 1;
  for (size_t at = 0; at < text.size();) {
    const size_t length = CharacterAt(text, at);
    if (length == 0) {
      const unsigned byte = static_cast<unsigned char>(text[at]);
      return YamlFlaw{line, column,
                      fmt::format("this file is not UTF-8: the byte 0x{:02x} is no part of a "
                                  "character; save it as UTF-8",
                                  byte)};
    }
    if (const std::string name = Unprintable(text.substr(at, length)); !name.empty()) {
      return YamlFlaw{line, column,
                      fmt::format("the control character {} cannot stand in a file; in \"quotes\" "
                                  "write it as an escape, such as \\x07",
                                  name)};
    }
    column = text[at] == '\n' ? 1 : column + 1;
    line += text[at] == '\n';
    at += length;
  }
  return std::nullopt;
}

constexpr char kTabText[] = "a tab indents this line: YAML is indented with spaces only";

// The first line that begins with a tab, or, with `after_spaces`, the last one up to `last_line`
// that has a tab anywhere before its text (which may be fine within a text of many lines).
std::optional<YamlFlaw> FindTab(std::string_view text, bool after_spaces, size_t last_line) {
  std::optional<YamlFlaw> found;
  size_t line = 1;
  for (size_t begin = 0; begin < text.size() && line <= last_line; ++line) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view one = text.substr(begin, end - begin);
    const size_t tab = one.find('\t');
    const size_t first = one.find_first_not_of(" \t\r");
    begin = end + 1;
    if (first == std::string_view::npos || tab == std::string_view::npos || tab > first) continue;
    if (!after_spaces && tab > 0) continue;
    found = YamlFlaw{line, tab + 1, kTabText};
    if (!after_spaces) return found;
  }
  return found;
}

// Sees the document as it is parsed, and stops it where it goes too far.
class YamlLimits : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) return;
    throw FlawAt(mark,
                 "a second document begins here (\"---\"): a file holds one scenario; put "
                 "this one into a file of its own");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { Count(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { Count(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    Count(mark);
    CheckTag(mark, tag, "str");
    last_scalar_ = mark;
    is_quoted_ = tag == "!";
    if (!IsUtf8(value)) throw FlawAt(mark, "an escape in this text is no character");
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value style) override {
    CheckTag(mark, tag, "seq");
    Enter(mark, style);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value style) override {
    CheckTag(mark, tag, "map");
    Enter(mark, style);
  }
  void OnMapEnd() override { open_.pop_back(); }
  const YAML::Mark& last_scalar() const { return last_scalar_; }

  YamlBegun begun() const {
    YamlBegun begun;
    if (is_quoted_) begun.quoted = last_scalar_;
    for (const Open& one : open_) {
      if (one.style == YAML::EmitterStyle::Flow) begun.flow = one.mark;
    }
    return begun;
  }

 private:
  struct Open {
    YAML::Mark mark;
    YAML::EmitterStyle::value style;
  };
  void Enter(const YAML::Mark& mark, YAML::EmitterStyle::value style) {
    Count(mark);
    open_.push_back({mark, style});
    if (open_.size() <= kYamlDepthMax) return;
    throw FlawAt(mark, fmt::format("this nests too deeply: at most {} lists and maps within each "
                                   "other",
                                   kYamlDepthMax));
  }
  // Any other would be of no effect: !!binary left as base64, !!int a text.
  static void CheckTag(const YAML::Mark& mark, const std::string& tag, const std::string& known) {
    if (tag.empty() || tag == "?" || tag == "!" || tag == "tag:yaml.org,2002:" + known) return;
    throw FlawAt(mark,
                 fmt::format("tags (\"{}\") are not taken: write the value itself, and what is "
                             "to be text in \"quotes\"",
                             tag));
  }
  void Count(const YAML::Mark& mark) {
    if (++nodes_ <= kYamlNodesMax) return;
    throw FlawAt(mark, fmt::format("this file has too many parts: at most {} keys and values",
                                   kYamlNodesMax));
  }
  int documents_ = 0, nodes_ = 0;
  std::vector<Open> open_;
  YAML::Mark last_scalar_;
  bool is_quoted_ = false;
};

void ParseWithin(YamlLimits* limits, const std::string& text) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  while (parser.HandleNextDocument(*limits)) {
  }
}

// yaml-cpp takes all that follows a quote which is never closed as one text. A document's end is
// no part of a quoted text: there it complains.
bool EndsInQuotes(const std::string& text) {
  try {
    YamlLimits limits;
    ParseWithin(&limits, text + "\n...\n");
    return false;
  } catch (const YAML::Exception&) {
    return true;  // of the text alone it did not complain
  }
}

// yaml-cpp's own complaint; often it stumbles only behind the tab, bracket or quote that is the
// cause.
YamlFlaw FlawOf(const YAML::Exception& e, const std::string& text, const YamlBegun& begun) {
  YamlFlaw flaw = FlawAt(IsAtEnd(begun, e.mark) ? *begun.flow : e.mark, "");
  if (std::optional<YamlFlaw> tab = FindTab(text, true, flaw.line)) return *tab;
  const std::string hint = HintAt(text, begun, e.mark);
  flaw.text = fmt::format("this is not YAML: {}{}", e.msg,
                          hint.empty() ? " (keys of one map stand under each other, indented with "
                                         "spaces)"
                                       : "; " + hint);
  return flaw;
}

}  // namespace

std::optional<std::string> UnprintableIn(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = CharacterAt(text, at);
    if (length == 0) return "a byte that is not UTF-8";
    if (std::string name = Unprintable(text.substr(at, length)); !name.empty()) return name;
    at += length;
  }
  return std::nullopt;
}

Result<YAML::Node> ReadYamlText(const std::string& text, const std::string& file) {
  if (text.size() > kYamlBytesMax) {
    return ErrorOf(
        {1, 1, fmt::format("this file has {} bytes: at most {}", text.size(), kYamlBytesMax)},
        file);
  }
  if (const auto bad = FindBadCharacter(text)) return ErrorOf(*bad, file);
  if (const auto tab = FindTab(text, false, text.size())) return ErrorOf(*tab, file);
  YamlLimits limits;
  try {
    ParseWithin(&limits, text);
    if (EndsInQuotes(text))
      return ErrorOf(FlawAt(limits.last_scalar(), "this quote is never closed"), file);
    YAML::Node root = YAML::Load(text);
    if (root.IsDefined() && !root.IsNull()) return root;
    return ErrorOf({1, 1, "this file is empty: a scenario has at least a \"name\""}, file);
  } catch (const YamlFlaw& flaw) {
    return ErrorOf(flaw, file);
  } catch (const YAML::Exception& e) {
    return ErrorOf(FlawOf(e, text, limits.begun()), file);
  }
}

}  // namespace relist
