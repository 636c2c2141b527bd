#include "fakeapi/api/request_target.h"

#include <optional>

namespace relist::fakeapi {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Nothing where a percent sign is not followed by two hex digits.
std::optional<std::string> Unescape(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = HexDigit(text[i + 1]);
      const int low = HexDigit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

void AddPair(std::string_view pair, HeaderList* query) {
  if (pair.empty() || pair.find(';') != std::string_view::npos) return;
  const size_t equals = pair.find('=');
  std::optional<std::string> name = Unescape(pair.substr(0, equals), true);
  std::optional<std::string> value = std::string();
  if (equals != std::string_view::npos) value = Unescape(pair.substr(equals + 1), true);
  if (name && value) query->emplace_back(std::move(*name), std::move(*value));
}

}  // namespace

RequestTarget ParseTarget(std::string_view target) {
  RequestTarget out;
  const size_t mark = target.find('?');
  const std::string_view path = target.substr(0, mark);
  out.path = Unescape(path, false).value_or(std::string(path));
  if (mark == std::string_view::npos) return out;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const size_t end = rest.find('&');
    AddPair(rest.substr(0, end), &out.query);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace relist::fakeapi
