#include "fakeapi/http/http_head.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "fakeapi/http/http_target.h"

namespace relist::fakeapi {
namespace {

bool IsTokenByte(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  return c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsTokenByte);
}

bool IsControl(char c) {
  return (c >= 0 && c < 0x20) || c == 0x7f;
}

bool HasControl(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return IsControl(c) && c != '\t'; });
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// True if the comma-separated list holds `word`.
bool ListHas(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (SameHeaderName(Trim(list.substr(0, comma)), word)) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

HttpRefusal Refuse(const HeadFacts& facts, int status, std::string message) {
  return {status, std::move(message), facts.method, facts.target};
}

bool IsHeadDigit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<HttpRefusal> TakeVersion(std::string_view version, HeadFacts* facts) {
  const bool good = version.size() == 8 && version.starts_with("HTTP/") &&
                    IsHeadDigit(version[5]) && version[6] == '.' && IsHeadDigit(version[7]);
  if (!good) return Refuse(*facts, 400, "malformed HTTP version");
  if (version[5] != '1') return Refuse(*facts, 505, "unsupported protocol version");
  facts->http10 = facts->close = version[7] == '0';
  return std::nullopt;
}

std::optional<HttpRefusal> InspectRequestLine(std::string_view line, HeadFacts* facts) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return Refuse(*facts, 400, "malformed request line");
  }
  const std::string_view method = line.substr(0, first);
  if (!IsToken(method)) return Refuse(*facts, 400, "malformed method");
  facts->method = method;
  std::optional<std::string> target =
      PathAndQueryOf(method, line.substr(first + 1, last - first - 1));
  if (!target) return Refuse(*facts, 400, "malformed request target");
  facts->target = std::move(*target);
  return TakeVersion(line.substr(last + 1), facts);
}

// What the lines so far said of framing: more than one opinion is how requests are smuggled.
struct Framing {
  std::vector<std::string> hosts;
  std::optional<std::string> length;
};

// As golang.org/x/net/http/httpguts has it.
bool IsHostByte(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsHeadDigit(c)) return true;
  return c != '\0' && std::string_view("!$%&()*+,-.:;='[]_~").find(c) != std::string_view::npos;
}

// What is said of hosts is said after all else is good.
std::optional<HttpRefusal> InspectHosts(const std::vector<std::string>& hosts, HeadFacts* facts) {
  if (hosts.size() > 1) return Refuse(*facts, 400, "too many Host headers");
  if (hosts.empty()) {
    if (facts->http10) return std::nullopt;
    return Refuse(*facts, 400, "missing required Host header");
  }
  if (std::all_of(hosts[0].begin(), hosts[0].end(), IsHostByte)) return std::nullopt;
  return Refuse(*facts, 400, "malformed Host header");
}

std::optional<HttpRefusal> TakeLength(std::string_view value, Framing* framing, HeadFacts* facts) {
  if (framing->length && *framing->length != value) {
    return Refuse(*facts, 400, "two different Content-Length headers");
  }
  framing->length = value;
  if (value.empty() || value.find_first_not_of("0123456789") != std::string_view::npos) {
    return Refuse(*facts, 400, "bad Content-Length");
  }
  const char* begin = value.data();
  const std::errc error = std::from_chars(begin, begin + value.size(), facts->content_length).ec;
  if (error != std::errc() || facts->content_length > INT64_MAX) {
    return Refuse(*facts, 400, "bad Content-Length");
  }
  return std::nullopt;
}

std::optional<HttpRefusal> TakeMeaning(std::string_view name, std::string_view value,
                                       Framing* framing, HeadFacts* facts) {
  if (SameHeaderName(name, "Content-Length")) return TakeLength(value, framing, facts);
  if (SameHeaderName(name, "Transfer-Encoding")) {
    if (facts->http10) return std::nullopt;  // there are no chunks in it
    if (facts->chunked || !SameHeaderName(value, "chunked")) {
      return Refuse(*facts, 501, "unsupported transfer encoding");
    }
    facts->chunked = true;
  } else if (SameHeaderName(name, "Expect")) {
    if (!value.empty() && !SameHeaderName(value, "100-continue")) {
      return Refuse(*facts, 417, "unknown expectation");
    }
    facts->expects_continue = !value.empty() && !facts->http10;
  } else if (SameHeaderName(name, "Connection")) {
    if (facts->http10 && ListHas(value, "keep-alive")) facts->close = false;
    if (ListHas(value, "close")) facts->close = true;
  } else if (SameHeaderName(name, "Host")) {
    framing->hosts.emplace_back(value);
  }
  return std::nullopt;
}

std::optional<HttpRefusal> SplitHeader(std::string_view line, HeadFacts* facts) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return Refuse(*facts, 400, "malformed header line");
  const std::string_view name = line.substr(0, colon);
  if (!IsToken(name)) {
    const bool has_blank = name.find(' ') != std::string_view::npos;
    return Refuse(*facts, 400, has_blank ? "invalid header name" : "malformed header line");
  }
  const std::string_view value = Trim(line.substr(colon + 1));
  if (HasControl(value)) return Refuse(*facts, 400, "invalid header value");
  facts->headers.emplace_back(name, value);
  return std::nullopt;
}

// Takes a line off `rest`: what stands before LF, or CR LF.
std::string_view NextLine(std::string_view* rest) {
  const size_t end = std::min(rest->find('\n'), rest->size());
  std::string_view line = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool GoesOn(std::string_view rest) {
  return rest.starts_with(' ') || rest.starts_with('\t');
}

// A header's line; with those that go on with it, a blank between each two, it lies in `joined`.
std::string_view NextHeader(std::string_view* rest, std::string* joined) {
  const std::string_view line = Trim(NextLine(rest));
  if (!GoesOn(*rest)) return line;
  *joined = line;
  while (GoesOn(*rest)) joined->append(" ").append(Trim(NextLine(rest)));
  return *joined;
}

}  // namespace

std::optional<HttpRefusal> InspectHead(std::string_view head, HeadFacts* facts) {
  if (auto refusal = InspectRequestLine(NextLine(&head), facts)) return refusal;
  if (GoesOn(head)) return Refuse(*facts, 400, "malformed header line");
  std::string joined;
  while (true) {
    const std::string_view line = NextHeader(&head, &joined);
    if (line.empty() && head.empty()) break;
    if (auto refusal = SplitHeader(line, facts)) return refusal;
  }
  // What they mean counts only where all of them are headers.
  Framing framing;
  for (const auto& [name, value] : facts->headers) {
    if (auto refusal = TakeMeaning(name, value, &framing, facts)) return refusal;
  }
  if (auto refusal = InspectHosts(framing.hosts, facts)) return refusal;
  if (facts->chunked) facts->content_length = 0;
  return std::nullopt;
}

}  // namespace relist::fakeapi
