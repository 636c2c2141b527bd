#include "fakeapi/encoding/yaml_bytes.h"

#include <cstdint>

namespace relist::fakeapi {
namespace {

// What is wrong, in go-yaml's words; null where nothing is.
using YamlWrong = const char*;

uint32_t ByteAt(std::string_view bytes, size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

YamlWrong TakeUtf8(std::string_view bytes, size_t* at, uint32_t* character) {
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const uint32_t first = ByteAt(bytes, *at);
  const size_t width = first < 0x80              ? 1
                       : (first & 0xe0u) == 0xc0 ? 2
                       : (first & 0xf0u) == 0xe0 ? 3
                       : (first & 0xf8u) == 0xf0 ? 4
                                                 : 0;
  if (width == 0) return "invalid leading UTF-8 octet";
  if (*at + width > bytes.size()) return "incomplete UTF-8 octet sequence";
  *character = width == 1 ? first : first & (0x7fu >> width);
  for (size_t i = 1; i < width; ++i) {
    const uint32_t byte = ByteAt(bytes, *at + i);
    if ((byte & 0xc0u) != 0x80) return "invalid trailing UTF-8 octet";
    *character = *character << 6 | (byte & 0x3fu);
  }
  if (*character < kLeast[width]) return "invalid length of a UTF-8 sequence";
  if ((*character >= 0xd800 && *character <= 0xdfff) || *character > 0x10ffff) {
    return "invalid Unicode character";
  }
  *at += width;
  return nullptr;
}

YamlWrong TakeUtf16(std::string_view bytes, bool little, size_t* at, uint32_t* character) {
  const auto unit = [&](size_t i) {
    const uint32_t one = ByteAt(bytes, i), two = ByteAt(bytes, i + 1);
    return little ? two << 8 | one : one << 8 | two;
  };
  if (*at + 2 > bytes.size()) return "incomplete UTF-16 character";
  *character = unit(*at);
  *at += 2;
  if ((*character & 0xfc00u) == 0xdc00) return "unexpected low surrogate area";
  if ((*character & 0xfc00u) != 0xd800) return nullptr;
  if (*at + 2 > bytes.size()) return "incomplete UTF-16 surrogate pair";
  const uint32_t low = unit(*at);
  if ((low & 0xfc00u) != 0xdc00) return "expected low surrogate area";
  *character = 0x10000 + ((*character & 0x3ffu) << 10) + (low & 0x3ffu);
  *at += 2;
  return nullptr;
}

bool IsAllowed(uint32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0x7e) || c == 0x85 ||
         (c >= 0xa0 && c <= 0xfffd) || c >= 0x10000;
}

void AppendUtf8(uint32_t c, std::string* out) {
  const auto push = [out](uint32_t byte) { *out += static_cast<char>(byte); };
  if (c < 0x80) return push(c);
  if (c < 0x800) {
    push(0xc0 | c >> 6);
  } else if (c < 0x10000) {
    push(0xe0 | c >> 12);
    push(0x80 | (c >> 6 & 0x3f));
  } else {
    push(0xf0 | c >> 18);
    push(0x80 | (c >> 12 & 0x3f));
    push(0x80 | (c >> 6 & 0x3f));
  }
  push(0x80 | (c & 0x3f));
}

}  // namespace

Result<std::string> ReadYamlBytes(std::string_view bytes) {
  const bool little = bytes.starts_with("\xff\xfe");
  const bool wide = little || bytes.starts_with("\xfe\xff");
  size_t at = wide ? 2 : bytes.starts_with("\xef\xbb\xbf") ? 3 : 0;
  std::string text;
  text.reserve(bytes.size());
  while (at < bytes.size()) {
    uint32_t character = 0;
    YamlWrong wrong =
        wide ? TakeUtf16(bytes, little, &at, &character) : TakeUtf8(bytes, &at, &character);
    if (wrong == nullptr && !IsAllowed(character)) wrong = "control characters are not allowed";
    if (wrong != nullptr) {
      return Error::Net(Transport::kProtocol, std::string("yaml: ") + wrong);
    }
    const std::string_view rest = bytes.substr(at);
    const bool feed_follows =
        rest.starts_with('\n') || rest.starts_with(std::string_view("\0\n", 2));
    if (character == 0x85 || (character == '\r' && !feed_follows)) character = '\n';
    AppendUtf8(character, &text);
  }
  return text;
}

}  // namespace relist::fakeapi
