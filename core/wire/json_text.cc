#include "core/wire/json_text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

namespace relist {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kLineSeparator = "\xE2\x80\xA8", kParagraphSeparator = "\xE2\x80\xA9";

// The code unit of an escape "\uXXXX" at `i`; -1 if there is none.
int EscapedUnit(std::string_view text, size_t i) {
  if (i + 6 > text.size() || text[i] != '\\' || text[i + 1] != 'u') return -1;
  int unit = 0;
  for (size_t k = i + 2; k < i + 6; ++k) {
    const char c = text[k];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool IsHighHalf(int unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool IsLowHalf(int unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

// A backslash outside a string is not JSON anyway, so escapes are told without knowing where we
// are.
std::string MendSurrogates(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const int unit = EscapedUnit(text, i);
    size_t n = text[i] == '\\' ? 2 : 1;
    if (IsHighHalf(unit) && IsLowHalf(EscapedUnit(text, i + 6))) {
      n = 12;
    } else if (IsHighHalf(unit) || IsLowHalf(unit)) {
      out += "\\ufffd";
      i += 6;
      continue;
    }
    out += text.substr(i, n);
    i += n;
  }
  return out;
}

// What a byte means for a string in JSON: 0 nothing, 1 it is escaped, 2 it is not ASCII.
constexpr std::array<uint8_t, 256> kByteClass = [] {
  std::array<uint8_t, 256> classes{};
  for (size_t c = 0; c < 0x20; ++c) classes[c] = 1;
  classes['"'] = classes['\\'] = 1;
  for (size_t c = 0x80; c < 256; ++c) classes[c] = 2;
  return classes;
}();

// Where the string that begins at `begin` has its closing quote; the end of the text if it has
// none.
size_t StringEnd(std::string_view text, size_t begin) {
  for (size_t at = begin; (at = text.find('"', at)) != std::string_view::npos; ++at) {
    size_t escapes = 0;
    while (at - escapes > begin && text[at - escapes - 1] == '\\') ++escapes;
    if (escapes % 2 == 0) return at;
    begin = at + 1;
  }
  return text.size();
}

}  // namespace

size_t Utf8CharacterSize(std::string_view bytes) {
  const auto at = [&](size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u;
  };
  const auto follows = [&](size_t i) { return at(i) >= 0x80 && at(i) < 0xC0; };
  const unsigned first = at(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    const bool overlong = first == 0xE0 && at(1) < 0xA0;
    const bool surrogate = first == 0xED && at(1) >= 0xA0;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first < 0xF5) {
    const bool overlong = first == 0xF0 && at(1) < 0x90;
    const bool too_high = first == 0xF4 && at(1) >= 0x90;
    return follows(1) && follows(2) && follows(3) && !overlong && !too_high ? 4 : 0;
  }
  return 0;
}

bool IsUtf8(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size();) {
    uint64_t eight = 0;
    if (i + 8 <= bytes.size()) {
      std::memcpy(&eight, bytes.data() + i, 8);
      if ((eight & 0x8080808080808080u) == 0) {
        i += 8;
        continue;
      }
    }
    const size_t n = Utf8CharacterSize(bytes.substr(i));
    if (n == 0) return false;
    i += n;
  }
  return true;
}

bool IsPlainInJson(std::string_view text) {
  uint8_t all = 0;
  for (const char c : text) all |= kByteClass[static_cast<unsigned char>(c)];
  return (all & 1) == 0 && ((all & 2) == 0 || IsUtf8(text));
}

bool IsPlainInGoJson(std::string_view text) {
  // Sixteen at a time: large texts are what objects are made of.
  using Bytes [[gnu::vector_size(16)]] = unsigned char;
  using Marks [[gnu::vector_size(16)]] = signed char;
  Marks escaped{}, beyond_ascii{};
  Bytes bytes;
  const auto look = [&](const char* from, size_t size) {
    std::memcpy(&bytes, from, size);
    escaped |= (bytes < 0x20) | (bytes == '"') | (bytes == '\\') | (bytes == '<') | (bytes == '>') |
               (bytes == '&');
    beyond_ascii |= bytes >= 0x80;
  };
  size_t at = 0;
  for (; at + sizeof(Bytes) <= text.size(); at += sizeof(Bytes)) {
    look(text.data() + at, sizeof(Bytes));
  }
  bytes = Bytes{} + static_cast<unsigned char>('a');
  look(text.data() + at, text.size() - at);
  const auto any = [](const Marks& marks) {
    uint64_t halves[2];
    static_assert(sizeof halves == sizeof marks);
    std::memcpy(halves, &marks, sizeof halves);
    return (halves[0] | halves[1]) != 0;
  };
  if (any(escaped)) return false;
  if (!any(beyond_ascii)) return true;
  return IsUtf8(text) && text.find(kLineSeparator) == std::string_view::npos &&
         text.find(kParagraphSeparator) == std::string_view::npos;
}

std::string EscapeAsGo(std::string json) {
  constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
      {"<", "\\u003c"},
      {">", "\\u003e"},
      {"&", "\\u0026"},
      {kLineSeparator, "\\u2028"},
      {kParagraphSeparator, "\\u2029"}};
  const std::string_view all = json;
  std::string out;
  size_t copied = 0;
  for (size_t at = 0; (at = all.find_first_of("<>&\xe2", at)) != std::string::npos; ++at) {
    for (const auto& [text, escape] : kEscapes) {
      if (!all.substr(at).starts_with(text)) continue;
      out.append(all, copied, at - copied).append(escape);
      copied = at + text.size();
      break;
    }
  }
  if (copied == 0) return json;
  return out.append(all, copied);
}

std::string MendUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size();) {
    const size_t n = Utf8CharacterSize(bytes.substr(i));
    out += n > 0 ? bytes.substr(i, n) : kReplacement;
    i += std::max<size_t>(n, 1);
  }
  return out;
}

std::string MendJson(std::string_view bytes) {
  return MendSurrogates(MendUtf8(bytes));
}

bool ParseJson(std::string* bytes, nlohmann::json* value) {
  if (JsonDepth(*bytes) > kJsonDepthMax) return false;
  *value = nlohmann::json::parse(*bytes, nullptr, false);
  if (!value->is_discarded()) return true;
  std::string mended = MendJson(*bytes);
  if (mended == *bytes) return false;
  *value = nlohmann::json::parse(mended, nullptr, false);
  if (value->is_discarded()) return false;
  bytes->swap(mended);
  return true;
}

std::string TextAt(const nlohmann::json& from, const char* key) {
  const auto it = from.find(key);
  return it != from.end() && it->is_string() ? it->get<std::string>() : std::string();
}

int JsonDepth(std::string_view bytes) {
  int depth = 0, deepest = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (c == '"') {
      i = StringEnd(bytes, i + 1);
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

bool NestsDeeperThan(std::string_view bytes, int depth) {
  return bytes.size() > static_cast<size_t>(depth) && JsonDepth(bytes) > depth;
}

}  // namespace relist
