#include "fakeapi/http/http_head.h"

#include <algorithm>
#include <charconv>

namespace relist::fakeapi {
namespace {

// httplib refuses header lines over 8 KB; a percent sign becomes three bytes on the way to it.
constexpr size_t kParkAbove = 2048;

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

// "http://host/path?query" is "/path?query".
std::string_view WithoutAuthority(std::string_view target) {
  for (std::string_view scheme : {"http://", "https://"}) {
    if (target.size() < scheme.size() || !SameHeaderName(target.substr(0, scheme.size()), scheme)) {
      continue;
    }
    const size_t path = target.find_first_of("/?", scheme.size());
    return path == std::string_view::npos ? "/" : target.substr(path);
  }
  return target;
}

std::optional<HttpRefusal> InspectRequestLine(std::string_view line, HeadFacts* facts) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return Refuse(*facts, 400, "malformed request line");
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!IsToken(method)) return Refuse(*facts, 400, "malformed method");
  facts->method = method;
  if (std::any_of(target.begin(), target.end(), [](char c) { return IsControl(c) || c == ' '; })) {
    return Refuse(*facts, 400, "malformed request target");
  }
  const std::string_view path = WithoutAuthority(target);
  if (path.empty() || (path[0] != '/' && path[0] != '?' && path != "*")) {
    return Refuse(*facts, 400, "malformed request target");
  }
  facts->target = path[0] == '?' ? "/" + std::string(path) : std::string(path);
  if (version == "HTTP/1.0") {
    facts->http10 = facts->close = true;
  } else if (version != "HTTP/1.1") {
    if (version.substr(0, 5) != "HTTP/") return Refuse(*facts, 400, "malformed HTTP version");
    return Refuse(*facts, 505, "unsupported protocol version");
  }
  return std::nullopt;
}

// What the lines so far said of framing: more than one opinion is how requests are smuggled.
struct Framing {
  int hosts = 0;
  std::optional<std::string> length;
};

std::optional<HttpRefusal> TakeLength(std::string_view value, Framing* framing, HeadFacts* facts) {
  if (framing->length && *framing->length != value) {
    return Refuse(*facts, 400, "two different Content-Length headers");
  }
  framing->length = value;
  if (value.empty() || value.find_first_not_of("0123456789") != std::string_view::npos) {
    return Refuse(*facts, 400, "bad Content-Length");
  }
  const char* begin = value.data();
  if (std::from_chars(begin, begin + value.size(), facts->content_length).ec != std::errc()) {
    facts->content_length = UINT64_MAX;  // longer than any limit
  }
  return std::nullopt;
}

std::optional<HttpRefusal> TakeMeaning(std::string_view name, std::string_view value,
                                       Framing* framing, HeadFacts* facts) {
  if (SameHeaderName(name, "Content-Length")) return TakeLength(value, framing, facts);
  if (SameHeaderName(name, "Transfer-Encoding")) {
    if (facts->chunked || !SameHeaderName(value, "chunked") || facts->http10) {
      return Refuse(*facts, 501, "unsupported transfer encoding");
    }
    facts->chunked = true;
  } else if (SameHeaderName(name, "Expect")) {
    if (!SameHeaderName(value, "100-continue")) {
      return Refuse(*facts, 417, "unknown expectation");
    }
    facts->expects_continue = !facts->http10;
  } else if (SameHeaderName(name, "Connection")) {
    facts->close = facts->close || ListHas(value, "close");
  } else if (SameHeaderName(name, "Host")) {
    ++framing->hosts;
  }
  return std::nullopt;
}

// httplib percent-decodes header values: escape what it would undo.
void AppendLine(std::string_view name, std::string_view value, std::string* out) {
  out->append(name).append(": ");
  for (char c : value) {
    if (c == '%') {
      out->append("%25");
    } else {
      out->push_back(c);
    }
  }
  out->append("\r\n");
}

std::optional<HttpRefusal> InspectHeader(std::string_view line, Framing* framing,
                                         HeadFacts* facts) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon))) {
    return Refuse(*facts, 400, "malformed header line");
  }
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = Trim(line.substr(colon + 1));
  if (HasControl(value)) return Refuse(*facts, 400, "invalid header value");
  if (auto refusal = TakeMeaning(name, value, framing, facts)) return refusal;
  if (value.empty() || name.size() + value.size() > kParkAbove || SameHeaderName(name, "Range")) {
    facts->parked.emplace_back(name, value);
  } else {
    AppendLine(name, value, &facts->for_httplib);
  }
  return std::nullopt;
}

}  // namespace

std::optional<HttpRefusal> InspectHead(std::string_view head, HeadFacts* facts) {
  const size_t line_end = head.find("\r\n");
  if (auto refusal = InspectRequestLine(head.substr(0, line_end), facts)) return refusal;
  Framing framing;
  size_t at = line_end + 2;
  while (head.compare(at, 2, "\r\n") != 0) {
    const size_t end = head.find("\r\n", at);
    if (auto refusal = InspectHeader(head.substr(at, end - at), &framing, facts)) return refusal;
    at = end + 2;
  }
  if (framing.hosts > 1) return Refuse(*facts, 400, "too many Host headers");
  if (framing.hosts == 0 && !facts->http10) {
    return Refuse(*facts, 400, "missing required Host header");
  }
  if (facts->chunked && framing.length) {
    return Refuse(*facts, 400, "both Content-Length and Transfer-Encoding");
  }
  // The target may be longer than httplib takes, and it decodes what we want as sent; it knows few
  // methods; and it reads a body for POST only when nothing else applies.
  facts->for_httplib.insert(0, facts->has_body() ? "POST / HTTP/1.1\r\n" : "GET / HTTP/1.1\r\n");
  facts->for_httplib += "\r\n";
  return std::nullopt;
}

}  // namespace relist::fakeapi
