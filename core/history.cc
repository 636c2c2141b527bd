#include "core/history.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/wire/json_text.h"

namespace relist {
namespace {

void AppendEscaped(std::string* out, char c) {
  if (c == '"' || c == '\\') {
    *out += '\\';
    *out += c;
  } else if (c == '\n') {
    *out += "\\n";
  } else {
    *out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
  }
}

// Plain texts, which nearly all are, in one piece: a simulated life is hashed through here.
void AppendQuoted(std::string* out, std::string_view text) {
  *out += '"';
  if (IsPlainInJson(text)) {
    out->append(text);
  } else {
    for (const char c : MendUtf8(text)) {
      if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20)
        AppendEscaped(out, c);
      else
        *out += c;
    }
  }
  *out += '"';
}

void AppendField(std::string* out, std::string_view key, std::string_view value) {
  *out += ',';
  AppendQuoted(out, key);
  *out += ':';
  AppendQuoted(out, value);
}

bool HasBreak(const std::string& bytes) {
  return bytes.find('\n') != std::string::npos || bytes.find('\r') != std::string::npos;
}

// FNV-1a over words of eight bytes: a search hashes every life, and its text would cost three times
// as much. Lengths keep neighbours apart; what the text would mend is mended here, too.
class Fold {
 public:
  void Number(uint64_t word) {
    constexpr uint64_t kPrime = 0x100000001b3u;
    hash_ = (hash_ ^ word) * kPrime;
    hash_ ^= hash_ >> 29;
  }
  void Text(std::string_view text) {
    const uint64_t before = hash_;
    uint64_t all = 0;
    Number(text.size());
    const char* at = text.data();
    size_t left = text.size();
    for (; left >= 8; at += 8, left -= 8) {
      uint64_t word = 0;
      std::memcpy(&word, at, 8);
      all |= word;
      Number(word);
    }
    if (left > 0) {
      const uint64_t word = Tail(text, left);
      all |= word;
      Number(word);
    }
    if ((all & kHighBits) == 0 || IsUtf8(text)) return;
    hash_ = before;
    Text(MendUtf8(text));
  }
  uint64_t value() const { return hash_; }

 private:
  static constexpr uint64_t kHighBits = 0x8080808080808080u;  // of all bytes beyond ASCII

  // The last `left` bytes, fewer than eight, as the low ones of a word.
  static uint64_t Tail(std::string_view text, size_t left) {
    uint64_t word = 0;
    if (text.size() >= 8) {
      std::memcpy(&word, text.data() + text.size() - 8, 8);
      return word >> (8 * (8 - left));
    }
    for (size_t i = left; i > 0; --i) word = word << 8 | static_cast<unsigned char>(text[i - 1]);
    return word;
  }

  uint64_t hash_ = 0xcbf29ce484222325u;
};

// An object on one line: in JSON, line breaks are nothing but space.
void AppendObject(std::string* out, const std::string& bytes) {
  const size_t begin = out->size();
  *out += IsUtf8(bytes) ? bytes : MendUtf8(bytes);
  if (!HasBreak(bytes)) return;
  const auto is_break = [](char c) { return c == '\n' || c == '\r'; };
  std::replace_if(out->begin() + static_cast<std::ptrdiff_t>(begin), out->end(), is_break, ' ');
}

// The bytes of the "object" of a line that is known to be JSON, as they were written. All fields
// before it are text, so the first such name outside a string is it.
std::string RawObject(const std::string& line) {
  static constexpr std::string_view kName = ",\"object\":";
  for (size_t i = 0; i < line.size(); ++i) {
    if (line.compare(i, kName.size(), kName) == 0) {
      return line.substr(i + kName.size(), line.rfind('}') - i - kName.size());
    }
    if (line[i] != '"') continue;
    for (++i; i < line.size() && line[i] != '"'; ++i) {
      if (line[i] == '\\') ++i;
    }
  }
  return {};
}

Error NotRead(std::string message) {
  return Error::Net(Transport::kProtocol, std::move(message));
}

// The bytes as they were written, where they can be found; whoever wrote the line anew (jq does)
// may have put other fields behind the object.
Result<ObjectRef> ParseObject(const std::string& line, const nlohmann::ordered_json& field) {
  Result<ObjectRef> as_written = Object::Parse(RawObject(line));
  return as_written.ok() ? as_written : Object::Parse(field.dump());
}

// No history lasts longer: a million days, well within what a Duration holds.
constexpr double kSecondsMax = 1e9;

Result<Duration> ParseSeconds(const std::string& text) {
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !std::isfinite(seconds) || seconds < 0 ||
      seconds > kSecondsMax)
    return NotRead("\"t\" is not a number of seconds");
  return Millis(std::llround(seconds * 1000));
}

Result<HistoryEntry> ParseLine(TimePoint start, const std::string& line) {
  if (NestsDeeperThan(line, kJsonDepthMax)) return NotRead("it nests too deep");
  const auto value = nlohmann::ordered_json::parse(line, nullptr, false);
  if (value.is_discarded() || !value.is_object()) return NotRead("not a JSON object");
  const bool is_client_line = value.contains("type") && !value.contains("actor");
  for (const char* key : {"t", "actor", "what"}) {
    if (value.contains(key) && value[key].is_string()) continue;
    return NotRead(is_client_line ? "this is a line of a client's log, not of a history"
                                  : fmt::format("\"{}\" is missing", key));
  }
  const Result<Duration> since = ParseSeconds(value["t"]);
  if (!since.ok()) return since.error();
  HistoryEntry entry(start + *since, value["actor"], value["what"]);
  for (const auto& [key, field] : value.items()) {
    if (key == "t" || key == "actor" || key == "what") continue;
    if (key == "object" && field.is_object()) {
      Result<ObjectRef> object = ParseObject(line, field);
      if (!object.ok()) return object.error();
      entry.SetObject(*object);
    } else if (field.is_string()) {
      entry.Set(key, field.get<std::string>());
    }
  }
  return entry;
}

// Of a head; good for any other line.
Result<void> CheckVersion(const HistoryEntry& entry) {
  if (entry.actor() != "server" || entry.what() != "history") return {};
  const std::string& version = entry.Get("version");
  if (version == std::to_string(kHistoryVersion)) return {};
  return NotRead(
      fmt::format("a history of version {}; this relist reads version {}, a newer one "
                  "may read it",
                  version.empty() ? "?" : version, kHistoryVersion));
}

}  // namespace

HistoryEntry& History::AddCopy(TimePoint when, const HistoryEntry& from) {
  HistoryEntry& entry = Add(when, from.actor(), from.what());
  for (const auto& [key, value] : from.fields()) entry.Set(key, value);
  return entry.SetObject(from.object());
}

const std::string& HistoryEntry::Get(std::string_view key) const {
  static const std::string kAbsent;
  for (const auto& [name, value] : fields_) {
    if (name == key) return value;
  }
  return kAbsent;
}

HistoryEntry& History::Add(TimePoint when, std::string actor, std::string what) {
  return entries_.emplace_back(when, std::move(actor), std::move(what));
}

void History::AppendLine(std::string* out, const HistoryEntry& entry) const {
  *out += "{\"t\":";
  AppendQuoted(out, FormatSeconds(entry.when() - start_));
  AppendField(out, "actor", entry.actor());
  AppendField(out, "what", entry.what());
  for (const auto& [key, value] : entry.fields()) AppendField(out, key, value);
  if (entry.object()) {
    *out += ",\"object\":";
    AppendObject(out, entry.object()->bytes());
  }
  *out += '}';
}

std::string History::Head() const {
  HistoryEntry head(start_, "server", "history");
  head.Set("version", std::to_string(kHistoryVersion)).Set("rate", fmt::format("{}", rate_));
  return LineOf(head) + "\n";
}

std::string History::LineOf(const HistoryEntry& entry) const {
  std::string out;
  AppendLine(&out, entry);
  return out;
}

std::string History::ToText() const {
  std::string out;
  for (const HistoryEntry& entry : entries_) {
    AppendLine(&out, entry);
    out += '\n';
  }
  return out;
}

uint64_t History::Hash() const {
  Fold fold;
  for (const HistoryEntry& entry : entries_) {
    fold.Number(static_cast<uint64_t>((entry.when() - start_) / Millis(1)));
    fold.Text(entry.actor());
    fold.Text(entry.what());
    for (const auto& [key, value] : entry.fields()) {
      fold.Text(key);
      fold.Text(value);
    }
    if (!entry.object()) continue;
    const std::string& bytes = entry.object()->bytes();
    if (!HasBreak(bytes)) {
      fold.Text(bytes);
      continue;
    }
    std::string line;
    AppendObject(&line, bytes);
    fold.Text(line);
  }
  return fold.value();
}

Result<History> History::Parse(const std::string& text, const std::string& file) {
  History history;
  int number = 0;
  const auto wrong = [&](const std::string& what) {
    return NotRead(file.empty() ? fmt::format("line {}: {}", number, what)
                                : fmt::format("{}:{}: {}", file, number, what));
  };
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    const bool is_cut = end == std::string::npos;
    if (is_cut) end = text.size();
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    Result<HistoryEntry> entry = ParseLine(history.start_, line);
    if (!entry.ok()) {
      if (is_cut && line.starts_with('{') && !nlohmann::json::accept(line))
        return wrong("the history ends within this line: it was cut off");
      return wrong(entry.error().message());
    }
    const Result<void> known = CheckVersion(*entry);
    if (!known.ok()) return wrong(known.error().message());
    history.entries_.push_back(std::move(*entry));
  }
  return history;
}

}  // namespace relist
