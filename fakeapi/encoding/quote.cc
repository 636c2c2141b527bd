#include "fakeapi/encoding/quote.h"

#include <fmt/core.h>

namespace relist::fakeapi {

std::string QuoteText(std::string_view text, HexCase hex) {
  std::string out = "\"";
  for (const char c : text) {
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
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          const auto byte = static_cast<unsigned char>(c);
          out += hex == HexCase::kLower ? fmt::format("\\x{:02x}", byte)
                                        : fmt::format("\\x{:02X}", byte);
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

}  // namespace relist::fakeapi
