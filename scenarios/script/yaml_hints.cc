#include "scenarios/script/yaml_hints.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace relist {
namespace {

constexpr size_t kNowhere = std::string::npos;

// yaml-cpp counts lines and columns from 0, columns in bytes; a byte order mark is not counted.
size_t OffsetOf(const std::string& text, const YAML::Mark& mark) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  size_t at = 0;
  for (int line = 0; line < mark.line; ++line) {
    const size_t end = text.find('\n', at);
    if (end == kNowhere) return text.size();
    at = end + 1;
  }
  if (at == 0 && text.starts_with(kByteOrderMark)) at = kByteOrderMark.size();
  return std::min(at + static_cast<size_t>(std::max(mark.column, 0)), text.size());
}

int LineOf(const std::string& text, size_t at) {
  return static_cast<int>(
             std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
         1;
}

std::string PlaceOf(const std::string& text, size_t at) {
  const size_t before = at == 0 ? kNowhere : text.rfind('\n', at - 1);
  const size_t column = before == kNowhere ? at + 1 : at - before;
  return fmt::format("in line {}, column {}", LineOf(text, at), column);
}

// Where the quote that opens at `at` is closed.
size_t QuoteEnd(const std::string& text, size_t at) {
  const char quote = text[at];
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
      if (!doubled) return i;
      ++i;
    }
  }
  return kNowhere;
}

bool IsQuote(char c) {
  return c == '"' || c == '\'';
}

// The innermost bracket, or quote, that is open at `end`; `begin` is a bracket. Between brackets
// each bracket counts, but for those in quotes and comments. What is at `end` may be one that
// closes another than it should.
size_t OpenAt(const std::string& text, size_t begin, size_t end) {
  std::vector<size_t> open;
  for (size_t at = begin; at <= end && at < text.size(); ++at) {
    const char c = text[at];
    const char before = at == 0 ? '\n' : text[at - 1];
    const bool blank_before = std::string_view(" \t\r\n").find(before) != kNowhere;
    if (c == '#' && blank_before) {
      at = std::min(text.find('\n', at), end);
    } else if (IsQuote(c) && (blank_before || std::string_view("[{,:").find(before) != kNowhere)) {
      const size_t close = QuoteEnd(text, at);
      if (close == kNowhere) return at;
      at = close;
    } else if (c == '[' || c == '{') {
      if (at < end) open.push_back(at);
    } else if (c == ']' || c == '}') {
      if (open.empty() || text[open.back()] != (c == ']' ? '[' : '{')) break;
      open.pop_back();
    }
  }
  return open.empty() ? kNowhere : open.back();
}

}  // namespace

bool IsAtEnd(const YamlBegun& begun, const YAML::Mark& error) {
  return begun.flow &&
         std::pair(error.line, error.column) < std::pair(begun.flow->line, begun.flow->column);
}

std::string HintAt(const std::string& text, const YamlBegun& begun, const YAML::Mark& error) {
  const size_t end = IsAtEnd(begun, error) ? text.size() : OffsetOf(text, error);
  if (begun.quoted) {
    const size_t quote = OffsetOf(text, *begun.quoted);
    const bool found = quote < text.size() && IsQuote(text[quote]);
    const size_t close = found ? QuoteEnd(text, quote) : quote;
    if (close == kNowhere) return fmt::format("the quote {} is never closed", PlaceOf(text, quote));
    const bool ends_here = found && LineOf(text, close) == LineOf(text, end);
    if (ends_here && LineOf(text, quote) < LineOf(text, close)) {
      return fmt::format("the quote {} goes on to line {}", PlaceOf(text, quote),
                         LineOf(text, close));
    }
  }
  if (!begun.flow) return "";
  const size_t flow = OffsetOf(text, *begun.flow);
  if (flow >= text.size() || (text[flow] != '[' && text[flow] != '{')) return "";
  const size_t open = OpenAt(text, flow, end);
  if (open == kNowhere) return "";
  const std::string what = IsQuote(text[open]) ? "quote" : fmt::format("\"{}\"", text[open]);
  return fmt::format("the {} {} is not closed", what, PlaceOf(text, open));
}

}  // namespace relist
