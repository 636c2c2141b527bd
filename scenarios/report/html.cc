#include "scenarios/report/html.h"

#include "core/wire/json_text.h"

namespace relist::report {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

// U+2400 and on, for what is below a blank; U+2421 for DEL.
std::string PictureOf(unsigned char control) {
  const int offset = control == 0x7f ? 0x21 : control;
  return {'\xe2', '\x90', static_cast<char>(0x80 + offset)};
}

// U+0080 to U+009F are controls, U+202A to U+202E and U+2066 to U+2069 turn text round.
bool IsUnseen(std::string_view character) {
  const auto last = static_cast<unsigned char>(character.back());
  if (character.size() == 2) return character[0] == '\xc2' && last < 0xa0;
  if (!character.starts_with('\xe2') || character.size() != 3) return false;
  if (character[1] == '\x80') return last >= 0xaa && last <= 0xae;
  return character[1] == '\x81' && last >= 0xa6 && last <= 0xa9;
}

void AppendAscii(std::string* out, char c) {
  switch (c) {
    case '&':
      *out += "&amp;";
      return;
    case '<':
      *out += "&lt;";
      return;
    case '>':
      *out += "&gt;";
      return;
    case '"':
      *out += "&quot;";
      return;
    case '\'':
      *out += "&#39;";
      return;
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(c);
  if ((code < 0x20 && c != '\n' && c != '\t') || code == 0x7f)
    *out += PictureOf(code);
  else
    *out += c;
}

}  // namespace

std::string EscapeHtml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t size = Utf8CharacterSize(text);
    if (size == 1) {
      AppendAscii(&out, text[0]);
    } else if (size == 0 || IsUnseen(text.substr(0, size))) {
      out += kReplacement;
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

}  // namespace relist::report
