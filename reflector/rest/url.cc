#include "reflector/rest/url.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace relist {
namespace {

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Nothing where a percent sign is not followed by two hex digits.
std::optional<std::string> PercentDecoded(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const int high = at + 1 < text.size() ? HexValue(text[at + 1]) : -1;
    const int low = at + 2 < text.size() ? HexValue(text[at + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

// A URL as it may be shown: without what stands before an @.
Error BadUrl(const std::string& text, const std::string& why) {
  const size_t begin = text.find("://");
  const size_t at = text.rfind('@', text.find('/', begin == std::string::npos ? 0 : begin + 3));
  std::string shown = text;
  if (at != std::string::npos) {
    const size_t from = begin == std::string::npos || begin > at ? 0 : begin + 3;
    shown = text.substr(0, from) + "..." + text.substr(at);
  }
  return Error::Net(Transport::kOther, fmt::format("`{}`: {}", shown, why));
}

std::optional<int> ParsePort(std::string_view digits) {
  int port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return port >= 1 && port <= 65535 ? std::optional(port) : std::nullopt;
}

}  // namespace

Result<Url> ParseUrl(const std::string& text) {
  const size_t colon = text.find("://");
  if (colon == std::string::npos || colon == 0) return BadUrl(text, "a URL without a scheme");
  Url out;
  for (const char c : text.substr(0, colon)) {
    out.scheme += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  std::string_view rest = std::string_view(text).substr(colon + 3);
  const size_t slash = std::min(rest.find_first_of("/?#"), rest.size());
  out.path = rest.substr(slash);
  std::string_view authority = rest.substr(0, slash);
  if (const size_t at = authority.rfind('@'); at != std::string_view::npos) {
    const std::string_view user = authority.substr(0, at);
    authority.remove_prefix(at + 1);
    const size_t split = std::min(user.find(':'), user.size());
    std::optional<std::string> name = PercentDecoded(user.substr(0, split));
    std::optional<std::string> password =
        PercentDecoded(user.substr(std::min(split + 1, user.size())));
    if (!name || !password) return BadUrl(text, "a bad % in user name or password");
    out.username = std::move(*name);
    out.password = std::move(*password);
  }
  const size_t bracket = authority.find(']');
  const size_t port = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (port != std::string_view::npos) {
    const std::string_view digits = authority.substr(port + 1);
    const std::optional<int> number = digits.empty() ? 0 : ParsePort(digits);
    if (!number) return BadUrl(text, "a port is a number from 1 to 65535");
    out.port = *number;
    authority = authority.substr(0, port);
  }
  if (authority.starts_with('[') && authority.ends_with(']')) {
    authority = authority.substr(1, authority.size() - 2);
  }
  out.host = authority;
  if (out.host.empty()) return BadUrl(text, "a URL without a host");
  return out;
}

Result<ServerUrl> ParseServerUrl(const std::string& text) {
  const Result<Url> url = ParseUrl(text);
  if (!url.ok()) return url.error();
  if (url->scheme != "https" && url->scheme != "http") {
    return BadUrl(text, "not an http:// or https:// URL");
  }
  ServerUrl out{.tls = url->scheme == "https", .host = url->host, .port = url->port};
  if (out.port == 0) out.port = out.tls ? 443 : 80;
  out.path = url->path.substr(0, url->path.find_first_of("?#"));
  while (out.path.ends_with('/')) out.path.pop_back();
  return out;
}

std::string HostAndPort(const std::string& host, int port) {
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", v6 ? "[" : "", host, v6 ? "]" : "", port);
}

}  // namespace relist
