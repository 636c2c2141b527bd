#include "fakeapi/encoding/go_json_error.h"

#include <fmt/core.h>

#include <vector>

#include "core/wire/object.h"

namespace relist::fakeapi {
namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsHex(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool IsJsonSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string QuoteChar(char c) {
  if (c == '\'') return "'\\''";
  if (c == '"') return "'\"'";
  if (c == '\\') return "'\\\\'";
  if (c == '\n') return "'\\n'";
  if (c == '\r') return "'\\r'";
  if (c == '\t') return "'\\t'";
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x20 || byte == 0x7f) return fmt::format("'\\x{:02x}'", byte);
  // Go makes a rune of the byte: Latin-1, escaped where it can't be printed.
  if (byte >= 0x80 && (byte <= 0xa0 || byte == 0xad)) return fmt::format("'\\u{:04x}'", byte);
  if (byte >= 0x80) {
    return std::string("'") + static_cast<char>(0xc0 | (byte >> 6)) +
           static_cast<char>(0x80 | (byte & 0x3f)) + "'";
  }
  return std::string("'") + c + "'";
}

// One pass; `open_` holds the containers that are open, what is expected next is where the code
// stands.
class JsonJudge {
 public:
  explicit JsonJudge(std::string_view bytes) : bytes_(bytes) {}

  std::optional<std::string> Judge() {
    do {
      if (!Value()) return error_;
    } while (!done_);
    SkipSpace();
    if (at_ < bytes_.size()) return Bad("after top-level value"), error_;
    return std::nullopt;
  }

 private:
  bool Bad(std::string_view context) {
    error_ = at_ >= bytes_.size()
                 ? "unexpected end of JSON input"
                 : fmt::format("invalid character {} {}", QuoteChar(bytes_[at_]), context);
    return false;
  }
  char Here() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; }
  bool AtEnd() const { return at_ >= bytes_.size(); }
  void SkipSpace() {
    while (!AtEnd() && IsJsonSpace(bytes_[at_])) ++at_;
  }

  // One value, or the opening of one; then whatever closes behind it.
  bool Value() {
    SkipSpace();
    if (AtEnd()) return Bad("");
    switch (Here()) {
      case '{':
        return Open('{') && FirstKey();
      case '[':
        return Open('[') && FirstElement();
      case '"':
        return String() && AfterValue();
      case 't':
        return Literal("true") && AfterValue();
      case 'f':
        return Literal("false") && AfterValue();
      case 'n':
        return Literal("null") && AfterValue();
      default:
        if (Here() == '-' || IsDigit(Here())) return Number() && AfterValue();
        return Bad("looking for beginning of value");
    }
  }

  bool Open(char container) {
    if (open_.size() >= static_cast<size_t>(kJsonDepthMax)) return Bad("exceeded max depth");
    open_.push_back(container);
    ++at_;
    return true;
  }

  bool FirstKey() {
    SkipSpace();
    return Here() == '}' && !AtEnd() ? Close() : Key();
  }

  bool FirstElement() {
    SkipSpace();
    return Here() == ']' && !AtEnd() ? Close() : true;
  }

  bool Key() {
    SkipSpace();
    if (AtEnd() || Here() != '"') return Bad("looking for beginning of object key string");
    if (!String()) return false;
    SkipSpace();
    if (AtEnd() || Here() != ':') return Bad("after object key");
    ++at_;
    return true;
  }

  bool Close() {
    open_.pop_back();
    ++at_;
    return AfterValue();
  }

  bool AfterValue() {
    if (open_.empty()) {
      done_ = true;
      return true;
    }
    SkipSpace();
    const bool object = open_.back() == '{';
    if (!AtEnd() && Here() == (object ? '}' : ']')) return Close();
    if (AtEnd() || Here() != ',') {
      return Bad(object ? "after object key:value pair" : "after array element");
    }
    ++at_;
    return object ? Key() : true;
  }

  bool Literal(std::string_view word) {
    for (const char expected : word) {
      if (AtEnd() || Here() != expected) {
        return Bad(fmt::format("in literal {} (expecting {})", word, QuoteChar(expected)));
      }
      ++at_;
    }
    return true;
  }

  bool String() {
    ++at_;
    while (!AtEnd()) {
      const char c = bytes_[at_];
      if (c == '"') return ++at_, true;
      if (static_cast<unsigned char>(c) < 0x20) return Bad("in string literal");
      ++at_;
      if (c == '\\' && !Escape()) return false;
    }
    return Bad("");
  }

  bool Escape() {
    if (AtEnd() || std::string_view("bfnrt\\/\"u").find(Here()) == std::string_view::npos) {
      return Bad("in string escape code");
    }
    const bool unicode = bytes_[at_++] == 'u';
    for (int i = 0; unicode && i < 4; ++i, ++at_) {
      if (AtEnd() || !IsHex(Here())) return Bad("in \\u hexadecimal character escape");
    }
    return true;
  }

  bool Digits(std::string_view context) {
    if (AtEnd() || !IsDigit(Here())) return Bad(context);
    while (!AtEnd() && IsDigit(Here())) ++at_;
    return true;
  }

  bool Number() {
    if (Here() == '-') ++at_;
    if (!AtEnd() && Here() == '0') {
      ++at_;
    } else if (!Digits("in numeric literal")) {
      return false;
    }
    if (!AtEnd() && Here() == '.') {
      ++at_;
      if (!Digits("after decimal point in numeric literal")) return false;
    }
    if (!AtEnd() && (Here() == 'e' || Here() == 'E')) {
      ++at_;
      if (!AtEnd() && (Here() == '+' || Here() == '-')) ++at_;
      if (!Digits("in exponent of numeric literal")) return false;
    }
    return true;
  }

  std::string_view bytes_;
  size_t at_ = 0;
  std::vector<char> open_;
  bool done_ = false;
  std::string error_;
};

}  // namespace

std::optional<std::string> GoJsonError(std::string_view bytes) {
  return JsonJudge(bytes).Judge();
}

}  // namespace relist::fakeapi
