#include "fakeapi/encoding/utf8.h"

namespace relist::fakeapi {

size_t Utf8SequenceAt(std::string_view bytes, size_t at) {
  const auto byte = [&](size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u;
  };
  const unsigned first = byte(at), second = byte(at + 1);
  const auto follows = [&](size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(at + 1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool overlong = first == 0xe0 && second < 0xa0;
    const bool surrogate = first == 0xed && second > 0x9f;
    return follows(at + 1) && follows(at + 2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool overlong = first == 0xf0 && second < 0x90;
    const bool too_large = first == 0xf4 && second > 0x8f;
    return follows(at + 1) && follows(at + 2) && follows(at + 3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

std::string MendUtf8(std::string_view bytes) {
  std::string mended;
  mended.reserve(bytes.size());
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = Utf8SequenceAt(bytes, at);
    mended += length > 0 ? bytes.substr(at, length) : "\xef\xbf\xbd";
    at += length > 0 ? length : 1;
  }
  return mended;
}

}  // namespace relist::fakeapi
