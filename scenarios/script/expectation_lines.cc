#include "scenarios/script/expectation_lines.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "core/wire/status.h"
#include "scenarios/checkers/checkers.h"
#include "scenarios/script/scenario_limits.h"
#include "scenarios/script/yaml_reader.h"

namespace relist {
namespace {

using Flaw = std::optional<std::string>;

constexpr int kStarsInAPiece = 2;  // more could match in too many ways
constexpr int kStarsInALine = 8;
constexpr size_t kOffsetDigits = 6;

const std::vector<std::string> kQueryKeys = {"allowWatchBookmarks",
                                             "continue",
                                             "fieldSelector",
                                             "labelSelector",
                                             "limit",
                                             "resourceVersion",
                                             "resourceVersionMatch",
                                             "sendInitialEvents",
                                             "timeoutSeconds",
                                             "watch"};

bool IsNumber(std::string_view text, size_t digits) {
  return !text.empty() && text.size() <= digits &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string Meant(const std::string& word, const std::vector<std::string>& known) {
  const std::optional<std::string> near = DidYouMean(word, known);
  return near ? fmt::format(", did you mean \"{}\"?", *near) : "";
}

std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// "L", "L+1", "L-12": what stands in braces.
Flaw FlawInReference(const std::string& inside, KnownNames* names) {
  const size_t sign = inside.find_first_of("+-");
  const std::string name = inside.substr(0, sign);
  const bool word = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) &&
                    std::all_of(name.begin(), name.end(), [](unsigned char c) {
                      return c < 0x80 && (std::isalnum(c) || c == '_');
                    });
  if (!word || (sign != std::string::npos && !IsNumber(inside.substr(sign + 1), kOffsetDigits))) {
    return fmt::format(
        "\"{{{}}}\" names no number: write a name, such as {{L}}, or one with a "
        "distance, {{L+1}}",
        inside);
  }
  if (sign == std::string::npos) names->insert(name);
  if (names->contains(name)) return std::nullopt;
  return fmt::format(
      "\"{{{}}}\" needs a \"{{{}}}\" in an earlier line: the distance is counted from "
      "it",
      inside, name);
}

// Stars and braces, wherever they stand.
Flaw FlawInPattern(const std::string& text, KnownNames* names) {
  int in_piece = 0, in_line = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '&' || c == ' ') in_piece = 0;
    if (c == '*' && (++in_piece > kStarsInAPiece || ++in_line > kStarsInALine)) {
      return fmt::format("too many \"*\": at most {} between blanks or \"&\", and {} in a line",
                         kStarsInAPiece, kStarsInALine);
    }
    if (c == '}') return "a \"}\" without its \"{\": a number's name is written {L}";
    if (c != '{') continue;
    const size_t close = text.find('}', at);
    if (close == std::string::npos)
      return "a \"{\" without its \"}\": a number's name is written {L}";
    if (Flaw flaw = FlawInReference(text.substr(at + 1, close - at - 1), names)) return flaw;
    at = close;
  }
  return std::nullopt;
}

// Takes "3-6 x " off the line's front.
Flaw FlawInRepetition(std::string* line) {
  const size_t times = line->find(" x ");
  const std::string often = line->substr(0, times);
  if (times == std::string::npos || often.find_first_not_of("0123456789-") != std::string::npos)
    return std::nullopt;
  const size_t dash = often.find('-');
  const std::string least = often.substr(0, dash);
  const std::string most = dash == std::string::npos ? "" : often.substr(dash + 1);
  constexpr size_t kDigits = 6;
  if (!IsNumber(least, kDigits) || !IsNumber(most, kDigits) || std::stoi(most) < 1 ||
      std::stoi(least) > std::stoi(most) || std::stoi(most) > kNthMax) {
    return fmt::format("\"{} x\" is not how often: write a range from 0 to {}, such as \"3-6 x\"",
                       often, kNthMax);
  }
  line->erase(0, times + 3);
  return std::nullopt;
}

Flaw FlawInQuery(const std::string& query) {
  if (query.empty() || query == "*") return std::nullopt;
  for (const std::string& part : SplitAt(query, '&')) {
    const std::string key = part.substr(0, part.find('='));
    if (key.find('*') != std::string::npos) continue;
    if (key == part) {
      return fmt::format(
          "\"{}\" is no part of a query: write key=value, with \"&\" in between; \"*\" "
          "is any value",
          part);
    }
    if (std::find(kQueryKeys.begin(), kQueryKeys.end(), key) != kQueryKeys.end()) continue;
    return fmt::format("no request of a client has \"{}\" in its query{}; there are {}", key,
                       Meant(key, kQueryKeys), fmt::join(kQueryKeys, ", "));
  }
  return std::nullopt;
}

Flaw FlawInOutcome(const std::string& outcome) {
  if (outcome == "*") return std::nullopt;
  if (IsNumber(outcome, 3) && outcome.size() == 3 && outcome >= "200" && outcome <= "599")
    return std::nullopt;
  std::vector<std::string> known;
  for (auto t = Transport::kRefused; t <= Transport::kOther;
       t = static_cast<Transport>(static_cast<int>(t) + 1)) {
    known.emplace_back(Name(t));
  }
  if (std::find(known.begin(), known.end(), outcome) != known.end()) return std::nullopt;
  return fmt::format(
      "\"{}\" is no outcome of a request{}; it is an HTTP status, \"*\", or one of {}", outcome,
      Meant(outcome, known), fmt::join(known, ", "));
}

// "" for what stands for more than one.
std::string PlainObject(const std::string& word) {
  return word.find_first_of("*{") == std::string::npos ? word : "";
}

bool IsVersion(const std::string& word) {
  return word == "*" || IsNumber(word, 18) || (word.starts_with('{') && word.ends_with('}'));
}

Flaw FlawInWords(const std::vector<std::string>& words) {
  static const std::vector<std::string> kTypes = {"added", "modified", "deleted"};
  const std::string& type = words[0];
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
    return fmt::format("\"{}\" is no callback{}; a line begins with added, modified or deleted",
                       type, Meant(type, kTypes));
  }
  const bool modified = type == "modified";
  const char* form = modified ? "modified default/a {L} -> {L+1}"
                     : type == "added"
                         ? "added default/a {L}\" or \"added default/a {L} initial"
                         : "deleted default/a {L}\" or \"deleted default/a {L} tombstone";
  const std::string want = fmt::format("; write \"{}\", with single blanks", form);
  if (words.size() < 3 || words[1].empty()) return "an object and its version are missing" + want;
  if (!IsVersion(words[2])) return fmt::format("\"{}\" is no version{}", words[2], want);
  size_t next = 3;
  if (modified) {
    if (words.size() < 5 || words[3] != "->") return "the version after \" -> \" is missing" + want;
    if (!IsVersion(words[4])) return fmt::format("\"{}\" is no version{}", words[4], want);
    next = 5;
  }
  const std::string mark = type == "added" ? "initial" : type == "deleted" ? "tombstone" : "";
  if (next < words.size() && !mark.empty() && words[next] == mark) ++next;
  if (next == words.size()) return std::nullopt;
  return fmt::format("\"{}\" has no place here{}", words[next], want);
}

Flaw FlawInSentWords(const std::vector<std::string>& words) {
  static const std::vector<std::string> kTypes = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK",
                                                  "ERROR"};
  const std::string& type = words[0];
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
    return fmt::format("\"{}\" is no line of a watch{}; there are {}", type, Meant(type, kTypes),
                       fmt::join(kTypes, ", "));
  }
  const bool is_bookmark = type == "BOOKMARK", is_error = type == "ERROR";
  const bool has_end = is_bookmark && words.size() == 3 && words[2] == "end";
  const size_t most = is_bookmark || is_error ? 2 : 3;
  const bool right =
      words.size() == (has_end ? 3 : most) && !words[1].empty() &&
      (is_error ? words[1] == "*" || IsNumber(words[1], 3) : IsVersion(words[most - 1]));
  if (right) return std::nullopt;
  return fmt::format("write \"{}\", with single blanks",
                     is_error      ? "ERROR 410"
                     : is_bookmark ? "BOOKMARK {L}\" or \"BOOKMARK {L} end"
                                   : type + " default/a {L}");
}

}  // namespace

Flaw FlawInSentLine(const std::string& text, KnownNames* names) {
  std::string line = text;
  if (Flaw flaw = FlawInRepetition(&line)) return flaw;
  if (Flaw flaw = FlawInPattern(line, names)) return flaw;
  return FlawInSentWords(SplitAt(line, ' '));
}

Flaw FlawInRequestLine(const std::string& text, KnownNames* names) {
  std::string line = text;
  if (Flaw flaw = FlawInRepetition(&line)) return flaw;
  const std::string verb = line.substr(0, line.find(' '));
  constexpr char kForm[] = "write \"LIST limit=500&resourceVersion=0 -> 200\"";
  if (verb != "LIST" && verb != "WATCH" && verb != "GET") {
    return fmt::format(
        "\"{}\" is no request{}; a line begins with LIST or WATCH (GET of what is neither), or "
        "with "
        "how often (\"3-6 x \")",
        verb, Meant(verb, {"LIST", "WATCH", "GET"}));
  }
  if (verb == line) return fmt::format("a query is missing behind {}; {}", verb, kForm);
  std::string query = line.substr(verb.size() + 1);
  if (query.starts_with("-> ")) query.insert(0, " ");  // no parameters: one blank will do
  constexpr std::string_view kArrow = " -> ";
  const size_t arrow = query.find(kArrow);
  if (arrow != std::string::npos) {
    if (Flaw flaw = FlawInOutcome(query.substr(arrow + kArrow.size()))) return flaw;
    query.resize(arrow);
  }
  if (const size_t blank = query.find(' '); blank != std::string::npos) {
    return fmt::format(
        "\"{}\" has no place behind a query: there is \" -> \" and the outcome, or "
        "nothing; {}",
        query.substr(blank + 1), kForm);
  }
  if (Flaw flaw = FlawInQuery(query)) return flaw;
  return FlawInPattern(line, names);
}

Flaw FlawInCallbackLine(const std::string& text, KnownNames* names) {
  std::string line = text;
  if (Flaw flaw = FlawInRepetition(&line)) return flaw;
  if (Flaw flaw = FlawInPattern(line, names)) return flaw;
  return FlawInWords(SplitAt(line, ' '));
}

Flaw FlawInStoreLine(const std::string& text, KnownNames* names) {
  std::string line = text;
  if (Flaw flaw = FlawInRepetition(&line)) return flaw;
  if (line.empty() || line.find(' ') != std::string::npos)
    return fmt::format("\"{}\" is no object; write namespace/name, such as default/a", line);
  return FlawInPattern(line, names);
}

std::string ObjectInCallbackLine(const std::string& line) {
  std::string text = line;
  if (FlawInRepetition(&text)) return "";
  const std::vector<std::string> words = SplitAt(text, ' ');
  return words.size() > 1 ? PlainObject(words[1]) : "";
}

std::string ObjectInStoreLine(const std::string& line) {
  std::string text = line;
  return FlawInRepetition(&text) ? "" : PlainObject(text);
}

Flaw FlawInVerdict(const std::string& verdict) {
  const std::vector<std::string> known = KnownVerdicts();
  if (std::find(known.begin(), known.end(), verdict) != known.end()) return std::nullopt;
  return fmt::format("no checker says \"{}\"; they say {}", verdict, fmt::join(known, ", "));
}

}  // namespace relist
