#include "fakeapi/http/http_target.h"

#include <algorithm>

namespace relist::fakeapi {
namespace {

bool IsTargetDigit(char c) {
  return c >= '0' && c <= '9';
}

bool IsTargetLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool IsTargetHex(char c) {
  return IsTargetDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool HasControlOrBlank(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7f;
  });
}

bool EscapesWell(std::string_view path) {
  for (size_t at = path.find('%'); at != std::string_view::npos; at = path.find('%', at + 1)) {
    if (at + 2 >= path.size() || !IsTargetHex(path[at + 1]) || !IsTargetHex(path[at + 2]))
      return false;
  }
  return true;
}

// The length of "http" in "http:...", 0 where there is no scheme.
size_t SchemeSize(std::string_view target) {
  const size_t colon = target.find(':');
  if (colon == std::string_view::npos || !IsTargetLetter(target[0])) return 0;
  const bool good =
      std::all_of(target.begin(), target.begin() + static_cast<ptrdiff_t>(colon), [](char c) {
        return IsTargetLetter(c) || IsTargetDigit(c) || c == '+' || c == '-' || c == '.';
      });
  return good ? colon : 0;
}

// Of "user@host:port" and "[::1]:port".
bool IsAuthority(std::string_view text) {
  text.remove_prefix(text.rfind('@') + 1);  // npos + 1 is 0
  size_t host = text.rfind(':');
  if (text.starts_with('[')) {
    host = text.find(']');
    if (host == std::string_view::npos) return false;
    ++host;
  }
  const std::string_view port = text.substr(std::min(host, text.size()));
  return port.empty() ||
         (port[0] == ':' && std::all_of(port.begin() + 1, port.end(), IsTargetDigit));
}

}  // namespace

std::optional<std::string> PathAndQueryOf(std::string_view method, std::string_view target) {
  if (target.empty() || HasControlOrBlank(target)) return std::nullopt;
  if (target == "*") return "*";
  const bool is_authority = method == "CONNECT" && target[0] != '/';
  const size_t scheme = SchemeSize(target);
  std::string_view rest = target;
  if (is_authority) {
    const size_t end = std::min(target.find_first_of("/?"), target.size());
    if (!IsAuthority(target.substr(0, end))) return std::nullopt;
    rest = target.substr(end);
  } else if (scheme > 0) {
    rest = target.substr(scheme + 1);
    if (rest.starts_with("//")) {
      const size_t end = std::min(rest.find_first_of("/?", 2), rest.size());
      if (!IsAuthority(rest.substr(2, end - 2))) return std::nullopt;
      rest = rest.substr(end);
    } else if (!rest.starts_with('/')) {
      return std::string();  // "mailto:x" has no path
    }
  } else if (target[0] != '/') {
    return std::nullopt;
  }
  if (!EscapesWell(rest.substr(0, rest.find('?')))) return std::nullopt;
  return std::string(rest);
}

}  // namespace relist::fakeapi
