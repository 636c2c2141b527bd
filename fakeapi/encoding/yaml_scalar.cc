#include "fakeapi/encoding/yaml_scalar.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/wire/quote.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool IsYamlDigit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<ordered_json> AsInteger(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.starts_with("0b")) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.starts_with("0o")) {
    base = 8;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  if (!negative) return ordered_json(value);
  if (value > uint64_t{1} << 63) return std::nullopt;
  return ordered_json(static_cast<int64_t>(~value + 1));
}

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool LooksLikeFloat(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  size_t digits = 0;
  const auto skip_digits = [&] {
    for (; !text.empty() && IsYamlDigit(text.front()); ++digits) text.remove_prefix(1);
  };
  skip_digits();
  const bool whole = digits > 0;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    skip_digits();
    if (!whole && digits == 0) return false;
  } else if (!whole) {
    return false;
  }
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), IsYamlDigit);
}

// "2026-01-01", "2026-01-01T00:00:00Z": text in JSON, but quoted in YAML.
bool LooksLikeTimestamp(std::string_view text) {
  return text.size() >= 8 && std::all_of(text.begin(), text.begin() + 4, IsYamlDigit) &&
         text[4] == '-';
}

// "1:20": sixty-based in YAML 1.1, which others may read so.
bool LooksLikeBase60(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && IsYamlDigit(text.front()) && text.find(':') != std::string_view::npos &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return IsYamlDigit(c) || c == ':' || c == '.' || c == '_'; });
}

bool HasSpecial(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

bool IsPlainSafe(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || HasSpecial(text)) return false;
  constexpr std::string_view kIndicators = ",[]{}#&*!|>'\"%@`";
  if (kIndicators.find(text.front()) != std::string_view::npos) return false;
  if (std::string_view("-?:").find(text.front()) != std::string_view::npos &&
      (text.size() == 1 || text[1] == ' ')) {
    return false;
  }
  if (text == "---" || text == "..." || text == "=" || text == "<<") return false;
  return text.find(": ") == std::string_view::npos && text.find(" #") == std::string_view::npos &&
         text.back() != ':';
}

std::string SingleQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c;
    if (c == '\'') out += '\'';
  }
  return out + "'";
}

}  // namespace

ordered_json ResolvePlainScalar(const std::string& text) {
  if (IsOneOf(text, {"", "~", "null", "Null", "NULL"})) return nullptr;
  if (IsOneOf(text, {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) {
    return true;
  }
  if (IsOneOf(text, {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) {
    return false;
  }
  const char first = text.front();
  if (!IsYamlDigit(first) && first != '-' && first != '+' && first != '.') return text;
  std::string plain = text;
  plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
  if (std::optional<ordered_json> integer = AsInteger(plain)) return *integer;
  if (LooksLikeFloat(plain)) return std::strtod(plain.c_str(), nullptr);
  return text;
}

std::string YamlString(std::string_view text) {
  const bool same = ResolvePlainScalar(std::string(text)).is_string() &&
                    !LooksLikeTimestamp(text) && !LooksLikeBase60(text) &&
                    !IsOneOf(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf",
                                    "-.Inf", "-.INF", ".nan", ".NaN", ".NAN"});
  if (!same || HasSpecial(text)) return QuoteText(text, HexCase::kUpper);
  return IsPlainSafe(text) ? std::string(text) : SingleQuoted(text);
}

bool FitsLiteralBlock(std::string_view text) {
  if (text.find('\n') == std::string_view::npos) return false;
  if (text.front() == ' ' || text.front() == '\n' || text.back() == ' ') return false;
  if (text.find(" \n") != std::string_view::npos) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  });
}

}  // namespace relist::fakeapi
