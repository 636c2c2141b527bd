#include "scenarios/request_pattern.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace relist {
namespace {

constexpr char kAny[] = "*";

struct RequestParts {
  std::string verb;
  std::vector<std::string> parameters;
  bool others = false;  // a pattern's "*"
  std::string outcome;  // none: it was never answered
};

RequestParts PartsOf(const std::string& text) {
  constexpr std::string_view kArrow = " -> ";
  RequestParts parts;
  const size_t arrow = text.find(kArrow);
  if (arrow != std::string::npos) parts.outcome = text.substr(arrow + kArrow.size());
  const std::string head = text.substr(0, arrow);
  const size_t blank = std::min(head.find(' '), head.size());
  parts.verb = head.substr(0, blank);
  for (size_t begin = blank + 1; begin < head.size();) {
    const size_t end = std::min(head.find('&', begin), head.size());
    const std::string one = head.substr(begin, end - begin);
    if (one == kAny)
      parts.others = true;
    else
      parts.parameters.push_back(one);
    begin = end + 1;
  }
  return parts;
}

bool OutcomeMatches(const std::string& pattern, const std::string& seen) {
  return pattern == seen || (pattern == kAny && !seen.empty());
}

// Of the pattern's parameters those from `next` on are still to be found among `left`.
bool ParametersMatch(const RequestParts& pattern, size_t next, std::vector<std::string> left,
                     PatternNames* names) {
  if (next == pattern.parameters.size()) return pattern.others || left.empty();
  if (pattern.parameters.size() - next > left.size()) return false;
  for (size_t i = 0; i < left.size(); ++i) {
    PatternNames tried = *names;
    if (!MatchPattern(pattern.parameters[next], left[i], &tried)) continue;
    std::vector<std::string> rest = left;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (!ParametersMatch(pattern, next + 1, std::move(rest), &tried)) continue;
    *names = std::move(tried);
    return true;
  }
  return false;
}

std::string KeyOf(const std::string& parameter) {
  return parameter.substr(0, parameter.find('='));
}

}  // namespace

bool MatchRequest(const std::string& pattern, const std::string& request, PatternNames* names) {
  const RequestParts wanted = PartsOf(pattern);
  const RequestParts seen = PartsOf(request);
  return wanted.verb == seen.verb && OutcomeMatches(wanted.outcome, seen.outcome) &&
         ParametersMatch(wanted, 0, seen.parameters, names);
}

std::string HowRequestsDiffer(const std::string& pattern, const std::string& request,
                              const PatternNames& names) {
  const RequestParts wanted = PartsOf(pattern);
  const RequestParts seen = PartsOf(request);
  if (wanted.verb != seen.verb) return fmt::format("a {}, not a {}", wanted.verb, seen.verb);
  std::vector<std::string> left = seen.parameters, said;
  PatternNames bound = names;
  for (const std::string& one : wanted.parameters) {
    const auto same = std::find_if(left.begin(), left.end(), [&](const std::string& parameter) {
      return MatchPattern(one, parameter, &bound);
    });
    if (same != left.end()) {
      left.erase(same);
      continue;
    }
    const auto near = std::find_if(left.begin(), left.end(), [&one](const std::string& parameter) {
      return KeyOf(parameter) == KeyOf(one);
    });
    said.push_back(near == left.end() ? fmt::format("no {} was sent", one)
                                      : fmt::format("{}, not {}", one, *near));
    if (near != left.end()) left.erase(near);
  }
  if (!left.empty() && !wanted.others)
    said.push_back(fmt::format("nothing of {}", fmt::join(left, "&")));
  if (!OutcomeMatches(wanted.outcome, seen.outcome)) {
    const auto words = [](const std::string& outcome) {
      return outcome.empty() ? "no answer" : outcome;
    };
    said.push_back(fmt::format("{}, not {}", words(wanted.outcome), words(seen.outcome)));
  }
  return fmt::format("{}", fmt::join(said, "; "));
}

}  // namespace relist
