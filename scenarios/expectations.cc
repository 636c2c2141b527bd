#include "scenarios/expectations.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "scenarios/request_pattern.h"
#include "scenarios/seen_texts.h"

namespace relist {
namespace {

// "{L}", "{L+12}", "{L-1}" at `begin`.
struct Reference {
  std::string name;
  int64_t offset = 0;
  size_t end = 0;  // behind the brace
};

std::optional<Reference> ParseReference(const std::string& pattern, size_t begin) {
  const size_t close = pattern.find('}', begin);
  if (pattern[begin] != '{' || close == std::string::npos) return std::nullopt;
  const std::string inside = pattern.substr(begin + 1, close - begin - 1);
  const size_t sign = inside.find_first_of("+-");
  Reference reference{inside.substr(0, sign), 0, close + 1};
  if (sign != std::string::npos)
    reference.offset = std::strtoll(inside.c_str() + sign, nullptr, 10);
  if (reference.name.empty()) return std::nullopt;
  return reference;
}

bool MatchFrom(const std::string& pattern, size_t p, const std::string& text, size_t t,
               PatternNames* names);

bool MatchStar(const std::string& pattern, size_t p, const std::string& text, size_t t,
               PatternNames* names) {
  for (size_t end = t;; ++end) {
    PatternNames tried = *names;
    if (MatchFrom(pattern, p + 1, text, end, &tried)) {
      *names = std::move(tried);
      return true;
    }
    if (end >= text.size() || text[end] == '&' || text[end] == ' ') return false;
  }
}

bool MatchFrom(const std::string& pattern, size_t p, const std::string& text, size_t t,
               PatternNames* names) {
  while (p < pattern.size()) {
    if (pattern[p] == '*') return MatchStar(pattern, p, text, t, names);
    if (const std::optional<Reference> reference = ParseReference(pattern, p)) {
      int64_t number = 0;
      const auto [end, error] = std::from_chars(text.data() + std::min(t, text.size()),
                                                text.data() + text.size(), number);
      if (error != std::errc()) return false;
      const auto known = names->find(reference->name);
      if (known == names->end() && reference->offset != 0) return false;
      if (known == names->end())
        (*names)[reference->name] = number;
      else if (known->second + reference->offset != number)
        return false;
      t = end - text.data();
      p = reference->end;
      continue;
    }
    if (t >= text.size() || pattern[p] != text[t]) return false;
    ++p;
    ++t;
  }
  return t == text.size();
}

std::string Known(const PatternNames& names) {
  std::string text;
  for (const auto& [name, value] : names)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "" : " (" + text + ")";
}

// "3-6 x PATTERN": how often; once without it.
struct Repeated {
  size_t least = 1, most = 1;
  std::string pattern;
};

Repeated ParseRepeated(const std::string& text) {
  const size_t times = text.find(" x ");
  const size_t dash = text.find('-');
  if (times == std::string::npos || dash > times || text.find_first_not_of("0123456789-") != times)
    return {1, 1, text};
  return {std::strtoul(text.c_str(), nullptr, 10),
          std::strtoul(text.c_str() + dash + 1, nullptr, 10), text.substr(times + 3)};
}

using LineMatcher = bool(const std::string& pattern, const std::string& text, PatternNames* names);

// One list of expected lines, and what there was to see.
struct Comparison {
  std::string file, what;
  const ClientExpectation& of;
  const std::vector<ExpectedLine>& patterns;
  const SeenTexts& all;
  bool requests = false;
  const std::vector<std::string>& seen = all.texts;
};

// What would help at the place where both lists part: the seen line `at`, expected `pattern`.
std::string Hint(const Comparison& lists, const std::string& pattern, size_t at,
                 LineMatcher* matches, const PatternNames& names) {
  for (size_t later = at + 1; later < lists.seen.size(); ++later) {
    PatternNames tried = names;
    if (matches(pattern, lists.seen[later], &tried))
      return fmt::format("\n  number {} would be as expected", later + 1);
  }
  if (!lists.requests || at >= lists.seen.size()) return "";
  return "\n  that is, " + HowRequestsDiffer(pattern, lists.seen[at], names);
}

// Walks both lists side by side, and tells the first place where they part.
void CompareLists(const Comparison& lists, PatternNames* names, std::vector<Mismatch>* out) {
  LineMatcher* const matches = lists.requests ? MatchRequest : MatchPattern;
  const std::vector<std::string>& seen = lists.seen;
  size_t at = 0;
  const ExpectedLine* missed = nullptr;
  std::string hint;
  for (const ExpectedLine& expected : lists.patterns) {
    const Repeated repeated = ParseRepeated(expected.text);
    size_t count = 0;
    while (count < repeated.most && at < seen.size() && matches(repeated.pattern, seen[at], names))
      ++count, ++at;
    if (count >= repeated.least) continue;
    missed = &expected;
    hint = Hint(lists, repeated.pattern, at, matches, *names);
    break;
  }
  if (!missed && at == seen.size()) return;
  // What comes after all that was expected is told at the last line of it.
  ExpectedLine place{"nothing more", lists.of.line, lists.of.column};
  if (missed) {
    place = *missed;
  } else if (!lists.patterns.empty()) {
    place.line = lists.patterns.back().line;
    place.column = lists.patterns.back().column;
  }
  std::string text =
      fmt::format("{}:{}:{}: {}'s {}: number {} differs{}\n  expected {}\n  seen     {}{}",
                  lists.file, place.line, place.column, lists.of.client, lists.what, at + 1,
                  Known(*names), place.text, at < seen.size() ? seen[at] : "nothing more", hint);
  text += "\n  all that was seen:";
  for (const std::string& line : seen) text += "\n    - " + line;
  std::string what = fmt::format("{}'s {}: expected {}, seen {}", lists.of.client, lists.what,
                                 place.text, at < seen.size() ? seen[at] : "nothing more");
  std::erase_if(what, [](unsigned char c) { return std::isdigit(c) != 0; });
  out->push_back(
      {std::move(text), at < seen.size() ? lists.all.lines[at] : nullptr, std::move(what)});
}

}  // namespace

bool MatchPattern(const std::string& pattern, const std::string& text, PatternNames* names) {
  PatternNames tried = *names;
  if (!MatchFrom(pattern, 0, text, 0, &tried)) return false;
  *names = std::move(tried);
  return true;
}

std::vector<std::string> RequestTexts(const History& history, const std::string& client) {
  return SeenRequests(history, client).texts;
}

std::map<std::string, std::vector<std::string>> CallbackTexts(const History& history,
                                                              const std::string& client) {
  std::map<std::string, std::vector<std::string>> texts;
  for (auto& [handler, seen] : SeenCallbacks(history, client))
    texts[handler] = std::move(seen.texts);
  return texts;
}

std::vector<std::string> StoreTexts(const History& history, const std::string& client) {
  return SeenStore(history, client).texts;
}

namespace {

bool IsPattern(const ExpectedLine& line) {
  return line.text.find_first_of("*{ ") != std::string::npos;
}

// A store has no order; lines that stand for more than one text have theirs.
std::vector<ExpectedLine> StoreLines(std::vector<ExpectedLine> lines) {
  if (std::any_of(lines.begin(), lines.end(), IsPattern)) return lines;
  std::sort(lines.begin(), lines.end(),
            [](const ExpectedLine& a, const ExpectedLine& b) { return a.text < b.text; });
  return lines;
}

}  // namespace

std::vector<Mismatch> CompareExpectations(const Scenario& scenario, const History& history) {
  std::vector<Mismatch> out;
  PatternNames names;
  const std::string& file = scenario.file;
  for (const ClientExpectation& expected : scenario.expect) {
    const bool asks = !scenario.FindClient(expected.client);
    if (expected.requests) {
      const SeenTexts seen =
          asks ? AskedRequests(history, expected.client) : SeenRequests(history, expected.client);
      CompareLists({file, "requests", expected, *expected.requests, seen, true}, &names, &out);
    }
    if (expected.lines) {
      const SeenTexts seen = SentLines(history, expected.client);
      CompareLists({file, "lines", expected, *expected.lines, seen}, &names, &out);
    }
    if (expected.items) {
      const SeenTexts seen = ListedItems(history, expected.client);
      CompareLists({file, "items", expected, *expected.items, seen}, &names, &out);
    }
    if (expected.callbacks) {
      const auto all = SeenCallbacks(history, expected.client);
      const SeenTexts nothing;
      if (all.empty())
        CompareLists({file, "callbacks", expected, *expected.callbacks, nothing}, &names, &out);
      for (const auto& [handler, seen] : all) {
        CompareLists({file, fmt::format("callbacks (of \"{}\")", handler), expected,
                      *expected.callbacks, seen},
                     &names, &out);
      }
    }
    if (!expected.callbacks_of.empty()) {
      auto all = SeenCallbacks(history, expected.client);
      for (const auto& [handler, lines] : expected.callbacks_of) {
        CompareLists(
            {file, fmt::format("callbacks (of \"{}\")", handler), expected, lines, all[handler]},
            &names, &out);
      }
    }
    if (expected.store) {
      const std::vector<ExpectedLine> store = StoreLines(*expected.store);
      const SeenTexts seen = SeenStore(history, expected.client);
      CompareLists({file, "store", expected, store, seen}, &names, &out);
    }
  }
  return out;
}

}  // namespace relist
