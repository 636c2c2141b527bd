#include "reflector/utf8.h"

namespace relist {
namespace {

bool IsTail(std::string_view bytes, size_t at, unsigned char low = 0x80,
            unsigned char high = 0xbf) {
  if (at >= bytes.size()) return false;
  const auto c = static_cast<unsigned char>(bytes[at]);
  return c >= low && c <= high;
}

// Length of the character at `at`; 0 if it is none (overlong forms and surrogates are none).
size_t CharacterLength(std::string_view bytes, size_t at) {
  const auto c = static_cast<unsigned char>(bytes[at]);
  if (c < 0x80) return 1;
  if (c >= 0xc2 && c <= 0xdf) return IsTail(bytes, at + 1) ? 2 : 0;
  if (c >= 0xe0 && c <= 0xef) {
    const bool second = c == 0xe0   ? IsTail(bytes, at + 1, 0xa0)
                        : c == 0xed ? IsTail(bytes, at + 1, 0x80, 0x9f)
                                    : IsTail(bytes, at + 1);
    return second && IsTail(bytes, at + 2) ? 3 : 0;
  }
  if (c >= 0xf0 && c <= 0xf4) {
    const bool second = c == 0xf0   ? IsTail(bytes, at + 1, 0x90)
                        : c == 0xf4 ? IsTail(bytes, at + 1, 0x80, 0x8f)
                                    : IsTail(bytes, at + 1);
    return second && IsTail(bytes, at + 2) && IsTail(bytes, at + 3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string MendUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + 8);
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = CharacterLength(bytes, at);
    if (length == 0) {
      out += "\xef\xbf\xbd";
      ++at;
    } else {
      out.append(bytes, at, length);
      at += length;
    }
  }
  return out;
}

}  // namespace relist
