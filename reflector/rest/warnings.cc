#include "reflector/rest/warnings.h"

#include <optional>
#include <set>

#include "core/wire/json_text.h"

namespace relist {
namespace {

constexpr int kWarningCode = 299;

std::string_view TrimmedBlanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool IsShown(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) return false;
  }
  return IsUtf8(text);
}

// What stands before the next blank, cut off with it; "" where there is no blank.
std::string_view TakeWord(std::string_view* text) {
  const size_t blank = text->find(' ');
  if (blank == std::string_view::npos) return {};
  const std::string_view word = text->substr(0, blank);
  text->remove_prefix(blank + 1);
  return word;
}

// A text in quotes with backslashes, cut off.
std::optional<std::string> TakeQuoted(std::string_view* text) {
  if (text->empty() || text->front() != '"') return std::nullopt;
  std::string out;
  bool escaping = false;
  for (size_t at = 1; at < text->size(); ++at) {
    const char c = (*text)[at];
    if (c == '"' && !escaping) {
      *text = TrimmedBlanks(text->substr(at + 1));
      return out;
    }
    escaping = c == '\\' && !escaping;
    if (!escaping) out += c;
  }
  return std::nullopt;
}

// A date in quotes, if there is one, and the comma before the next warning; false: something else.
bool SkipToNext(std::string_view* text) {
  if (!text->empty() && text->front() == '"') {
    const size_t end = text->find('"', 1);
    if (end == std::string_view::npos) return false;
    *text = TrimmedBlanks(text->substr(end + 1));
  }
  if (text->empty()) return true;
  if (text->front() != ',') return false;
  *text = TrimmedBlanks(text->substr(1));
  return true;
}

// apimachinery: ParseWarningHeader
std::optional<Warning> TakeWarning(std::string_view* text) {
  const std::string_view code = TakeWord(text), agent = TakeWord(text);
  if (code.size() != 3 || code.find_first_not_of("0123456789") != std::string_view::npos ||
      agent.empty() || !IsShown(agent)) {
    return std::nullopt;
  }
  std::optional<std::string> words = TakeQuoted(text);
  if (!words || !IsShown(*words) || !SkipToNext(text)) return std::nullopt;
  return Warning{std::stoi(std::string(code)), std::string(agent), std::move(*words)};
}

bool IsToBeTold(const Warning& warning) {
  return warning.code == kWarningCode && !warning.text.empty();
}

}  // namespace

std::vector<Warning> WarningsOf(const HttpResponseHead& head) {
  std::vector<Warning> out;
  for (const std::string_view value : head.All("Warning")) {
    std::string_view rest = TrimmedBlanks(value);
    while (!rest.empty()) {
      std::optional<Warning> warning = TakeWarning(&rest);
      if (!warning) break;
      out.push_back(std::move(*warning));
    }
  }
  return out;
}

WarningHandler LoggedWarnings(std::shared_ptr<Log> log) {
  return [log = std::move(log)](const Warning& warning) {
    if (IsToBeTold(warning)) Say(log, LogLevel::kWarning, "Warning: " + warning.text);
  };
}

WarningHandler WarningsOnce(std::shared_ptr<Log> log) {
  return [log = std::move(log),
          told = std::make_shared<std::set<std::string>>()](const Warning& warning) {
    if (!IsToBeTold(warning) || !told->insert(warning.text).second) return;
    Say(log, LogLevel::kWarning, "Warning: " + warning.text);
  };
}

}  // namespace relist
