#include "core/wire/base64.h"

#include <cstdint>

namespace relist {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::string_view kUrlAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

int SextetOf(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

Error IllegalBase64(size_t at) {
  return Error::Net(Transport::kProtocol,
                    "illegal base64 data at input byte " + std::to_string(at));
}

bool IsLineBreak(char c) {
  return c == '\n' || c == '\r';
}

}  // namespace

Result<std::string> DecodeBase64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  uint32_t group = 0;
  int sextets = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (IsLineBreak(text[at])) continue;
    if (text[at] == '=') {
      // Padding: of two sextets two, of three one, and nothing behind it.
      if (sextets < 2) return IllegalBase64(at);
      size_t next = at + 1;
      while (next < text.size() && IsLineBreak(text[next])) ++next;
      if (sextets == 2) {
        if (next >= text.size()) return IllegalBase64(text.size());
        if (text[next] != '=') return IllegalBase64(next - 1);
        ++next;
        while (next < text.size() && IsLineBreak(text[next])) ++next;
      }
      if (next < text.size()) return IllegalBase64(next);
      group <<= 6 * (4 - sextets);
      out += static_cast<char>(group >> 16);
      if (sextets == 3) out += static_cast<char>(group >> 8);
      return out;
    }
    const int sextet = SextetOf(text[at]);
    if (sextet < 0) return IllegalBase64(at);
    group = group << 6 | static_cast<uint32_t>(sextet);
    if (++sextets < 4) continue;
    out += static_cast<char>(group >> 16);
    out += static_cast<char>(group >> 8);
    out += static_cast<char>(group);
    group = 0;
    sextets = 0;
  }
  if (sextets != 0) return IllegalBase64(text.size());
  return out;
}

std::string EncodeBase64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t count = bytes.size() - at < 3 ? bytes.size() - at : 3;
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (size_t i = 0; i < 4; ++i) {
      out += i <= count ? kAlphabet[group >> (18 - 6 * i) & 63] : '=';
    }
  }
  return out;
}

std::string EncodeBase64Url(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() * 4 + 2) / 3);
  uint32_t held = 0;
  int bits = 0;
  for (const char byte : bytes) {
    held = held << 8 | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 6; bits -= 6) out += kUrlAlphabet[held >> (bits - 6) & 63];
  }
  if (bits > 0) out += kUrlAlphabet[held << (6 - bits) & 63];
  return out;
}

Result<std::string> DecodeBase64Url(std::string_view text) {
  std::string out;
  uint32_t held = 0;
  int letters = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' || text[i] == '\n') continue;
    const size_t value = kUrlAlphabet.find(text[i]);
    if (value == std::string_view::npos) return IllegalBase64(i);
    held = held << 6 | static_cast<uint32_t>(value);
    if (++letters % 4 == 0) {
      for (const int shift : {16, 8, 0}) out += static_cast<char>(held >> shift & 255);
      held = 0;
    }
  }
  if (letters % 4 == 1) return IllegalBase64(text.size() - 1);
  if (letters % 4 >= 2) out += static_cast<char>(held >> (letters % 4 == 2 ? 4 : 10) & 255);
  if (letters % 4 == 3) out += static_cast<char>(held >> 2 & 255);
  return out;
}

}  // namespace relist
