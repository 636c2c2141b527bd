#include "core/wire/quote.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/wire/json_text.h"

namespace relist {
namespace {

std::string HexEscape(char c, HexCase hex) {
  const auto byte = static_cast<unsigned char>(c);
  return hex == HexCase::kLower ? fmt::format("\\x{:02x}", byte) : fmt::format("\\x{:02X}", byte);
}

}  // namespace

std::string QuoteText(std::string_view text, HexCase hex) {
  std::string out = "\"";
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        const size_t size = Utf8CharacterSize(text.substr(at));
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || size == 0) {
          out += HexEscape(c, hex);
        } else {
          out += text.substr(at, size);
          at += size - 1;
        }
    }
  }
  return out + "\"";
}

std::string ShellWord(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+=:,@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

}  // namespace relist
