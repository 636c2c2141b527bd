#include "core/net/http_response_decoder.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/net/gunzip.h"

namespace relist {
namespace {

constexpr size_t kChunkLineMax = 4096;

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool SameText(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return Lower(x) == Lower(y); });
}

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool IsToken(std::string_view text) {
  static constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (Lower(c) >= 'a' && Lower(c) <= 'z') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool IsFieldValue(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

// Whether a comma-separated list has `token`.
bool ListHas(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (SameText(Trim(list.substr(0, comma)), token)) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

// Decimal or hexadecimal digits and nothing else; false where they do not fit 63 bits.
bool ParseDigits(std::string_view text, int base, uint64_t* value) {
  *value = 0;
  for (char c : text) {
    int digit = Lower(c) >= 'a' && Lower(c) <= 'f' ? Lower(c) - 'a' + 10 : c - '0';
    if (digit < 0 || digit >= base || (digit < 10 && (c < '0' || c > '9'))) return false;
    if (*value >
        (uint64_t{INT64_MAX} - static_cast<uint64_t>(digit)) / static_cast<uint64_t>(base)) {
      return false;
    }
    *value = *value * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit);
  }
  return !text.empty();
}

}  // namespace

std::string_view HttpResponseHead::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (SameText(key, name)) return value;
  }
  return {};
}

std::vector<std::string_view> HttpResponseHead::All(std::string_view name) const {
  std::vector<std::string_view> out;
  for (const auto& [key, value] : headers) {
    if (SameText(key, name)) out.push_back(value);
  }
  return out;
}

struct HttpResponseDecoder::Impl {
  enum class Phase {
    kStatusLine,
    kHeaders,
    kFixed,  // Content-Length
    kChunkLine,
    kChunkData,
    kChunkEnd,
    kTrailers,
    kUntilClose,
    kOver
  };

  explicit Impl(size_t max) : head_max(max) {}
  void Feed(std::string_view bytes);
  void FeedEnd();
  bool TakeLine(std::string_view* rest, size_t max, std::string* line);
  void OnStatusLine(const std::string& line);
  void OnHeaderLine(const std::string& line);
  void OnHeadEnd();
  void ChooseFraming();
  bool ChooseLength();
  void OnChunkLine(const std::string& line);
  void TakeData(std::string_view* rest);
  void TakeChunkEnd(std::string_view* rest);
  void TakeHeadLine(std::string_view* rest);
  void Finish();
  void Fail(Transport how, std::string why) {
    state = State::kFailed;
    phase = Phase::kOver;
    error = Error::Net(how, std::move(why));
  }
  void FailFraming(std::string why) { Fail(Transport::kProtocol, std::move(why)); }

  const size_t head_max;
  State state = State::kHead;
  Phase phase = Phase::kStatusLine;
  HttpResponseHead head;
  bool head_complete = false;
  bool started = false;   // a byte came
  bool old = false;       // HTTP/1.0
  std::string pending;    // a line that is not yet complete, or the CRLF behind a chunk
  size_t head_bytes = 0;  // in lines that are complete
  uint64_t left = 0;      // of the fixed body, or of the chunk
  bool ends_with_connection = false;
  std::unique_ptr<Gunzip> gunzip;
  std::string body;
  std::string excess;
  Error error;
};

void HttpResponseDecoder::Impl::Feed(std::string_view rest) {
  started = started || !rest.empty();
  while (!rest.empty()) {
    switch (phase) {
      case Phase::kStatusLine:
      case Phase::kHeaders:
      case Phase::kTrailers:
        TakeHeadLine(&rest);
        break;
      case Phase::kChunkLine: {
        std::string line;
        if (TakeLine(&rest, kChunkLineMax, &line)) OnChunkLine(line);
        break;
      }
      case Phase::kChunkEnd:
        TakeChunkEnd(&rest);
        break;
      case Phase::kFixed:
      case Phase::kChunkData:
      case Phase::kUntilClose:
        TakeData(&rest);
        break;
      case Phase::kOver:
        if (state == State::kDone) excess += rest;
        return;
    }
  }
}

// Moves bytes up to a LF from *rest; true if the line is complete (it keeps its CR, if it had one).
bool HttpResponseDecoder::Impl::TakeLine(std::string_view* rest, size_t max, std::string* line) {
  const size_t end = rest->find('\n');
  const bool complete = end != std::string_view::npos;
  const size_t n = complete ? end + 1 : rest->size();
  if (pending.size() + n > max) {
    FailFraming(phase == Phase::kChunkLine ? "chunk-size line too long" : "header too long");
    return false;
  }
  pending.append(*rest, 0, n);
  rest->remove_prefix(n);
  if (!complete) return false;
  pending.pop_back();
  line->swap(pending);
  pending.clear();
  return true;
}

void HttpResponseDecoder::Impl::TakeHeadLine(std::string_view* rest) {
  std::string line;
  if (!TakeLine(rest, head_max - head_bytes, &line)) return;
  head_bytes += line.size() + 1;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (phase == Phase::kStatusLine) {
    OnStatusLine(line);
  } else if (phase == Phase::kHeaders) {
    line.empty() ? OnHeadEnd() : OnHeaderLine(line);
  } else if (line.empty()) {
    Finish();
  }
}

void HttpResponseDecoder::Impl::OnStatusLine(const std::string& line) {
  const std::string_view text = line;
  old = text.starts_with("HTTP/1.0 ");
  uint64_t status = 0;
  const bool good = (old || text.starts_with("HTTP/1.1 ")) && text.size() >= 12 &&
                    ParseDigits(text.substr(9, 3), 10, &status) && status >= 100 &&
                    (text.size() == 12 || text[12] == ' ') && IsFieldValue(text);
  if (!good)
    return FailFraming(fmt::format("malformed HTTP status line \"{}\"", line.substr(0, 80)));
  head = {};
  head.status = static_cast<int>(status);
  if (text.size() > 13) head.reason = text.substr(13);
  phase = Phase::kHeaders;
}

void HttpResponseDecoder::Impl::OnHeaderLine(const std::string& line) {
  const bool folded = line.front() == ' ' || line.front() == '\t';
  const size_t colon = line.find(':');
  const bool good =
      folded ? !head.headers.empty() : colon != std::string::npos && IsToken(line.substr(0, colon));
  if (!good || !IsFieldValue(line)) {
    return FailFraming(fmt::format("malformed header line \"{}\"", line.substr(0, 80)));
  }
  if (folded) {
    std::string& value = head.headers.back().second;
    const std::string_view more = Trim(line);
    if (!value.empty() && !more.empty()) value += ' ';
    value += more;
  } else {
    head.headers.emplace_back(line.substr(0, colon),
                              Trim(std::string_view(line).substr(colon + 1)));
  }
}

void HttpResponseDecoder::Impl::OnHeadEnd() {
  if (head.status == 101) return FailFraming("101 without having asked for it");
  if (head.status < 200) {
    phase = Phase::kStatusLine;
    return;
  }
  head_complete = true;
  state = State::kBody;
  ends_with_connection = old;
  for (const auto& [name, value] : head.headers) {
    if (SameText(name, "Connection") && ListHas(value, "close")) ends_with_connection = true;
  }
  const std::string_view coding = head.Header("Content-Encoding");
  if (SameText(coding, "gzip") || SameText(coding, "x-gzip")) {
    gunzip = std::make_unique<Gunzip>();
  } else if (!coding.empty() && !SameText(coding, "identity")) {
    return FailFraming(fmt::format("content encoding \"{}\" is not supported", coding));
  }
  ChooseFraming();
}

// RFC 9112, 6.3.
void HttpResponseDecoder::Impl::ChooseFraming() {
  if (head.status == 204 || head.status == 304) return Finish();
  int codings = 0;
  for (const auto& [name, value] : head.headers) {
    if (!SameText(name, "Transfer-Encoding")) continue;
    if (++codings > 1 || old || !SameText(value, "chunked")) {
      return FailFraming(fmt::format("transfer encoding \"{}\" is not supported", value));
    }
  }
  if (!ChooseLength()) return;
  if (codings == 1) {
    // A length beside it is for nobody; the connection has had somebody odd in its way.
    ends_with_connection = ends_with_connection || phase == Phase::kFixed;
    phase = Phase::kChunkLine;
  } else if (phase == Phase::kUntilClose) {
    ends_with_connection = true;
  } else if (left == 0) {
    Finish();
  }
}

bool HttpResponseDecoder::Impl::ChooseLength() {
  phase = Phase::kUntilClose;
  for (const auto& [name, value] : head.headers) {
    if (!SameText(name, "Content-Length")) continue;
    uint64_t length = 0;
    if (!ParseDigits(value, 10, &length) || (phase == Phase::kFixed && length != left)) {
      FailFraming(fmt::format("bad Content-Length \"{}\"", value));
      return false;
    }
    phase = Phase::kFixed;
    left = length;
  }
  return true;
}

void HttpResponseDecoder::Impl::OnChunkLine(const std::string& line) {
  std::string_view size = line;
  const bool crlf = !size.empty() && size.back() == '\r';
  if (crlf) size.remove_suffix(1);
  const bool one_line = crlf && size.find('\r') == std::string_view::npos;
  size = size.substr(0, size.find(';'));
  while (!size.empty() && (size.back() == ' ' || size.back() == '\t')) size.remove_suffix(1);
  if (!one_line || size.size() > 16 || !ParseDigits(size, 16, &left)) {
    return FailFraming(fmt::format("malformed chunk size \"{}\"", line.substr(0, 40)));
  }
  phase = left == 0 ? Phase::kTrailers : Phase::kChunkData;
}

void HttpResponseDecoder::Impl::TakeData(std::string_view* rest) {
  size_t n = rest->size();
  if (phase != Phase::kUntilClose) n = static_cast<size_t>(std::min<uint64_t>(n, left));
  const std::string_view data = rest->substr(0, n);
  rest->remove_prefix(n);
  left -= phase == Phase::kUntilClose ? 0 : n;
  if (!gunzip) {
    body += data;
  } else if (!gunzip->Feed(data, &body)) {
    return FailFraming("gzip: " + gunzip->why());
  }
  if (phase == Phase::kUntilClose || left > 0) return;
  if (phase == Phase::kFixed) return Finish();
  phase = Phase::kChunkEnd;
}

void HttpResponseDecoder::Impl::TakeChunkEnd(std::string_view* rest) {
  pending += rest->front();
  rest->remove_prefix(1);
  if (!std::string_view("\r\n").starts_with(pending))
    return FailFraming("malformed chunked encoding");
  if (pending.size() < 2) return;
  pending.clear();
  phase = Phase::kChunkLine;
}

void HttpResponseDecoder::Impl::Finish() {
  if (gunzip && !gunzip->AtEnd()) {
    return Fail(Transport::kUnexpectedEof, "unexpected EOF: the body ends inside its gzip data");
  }
  state = State::kDone;
  phase = Phase::kOver;
}

void HttpResponseDecoder::Impl::FeedEnd() {
  if (phase == Phase::kOver) return;
  if (phase == Phase::kUntilClose) return Finish();
  if (!started) return Fail(Transport::kEof, "EOF");
  Fail(Transport::kUnexpectedEof, "unexpected EOF");
}

HttpResponseDecoder::HttpResponseDecoder(size_t head_max)
    : impl_(std::make_unique<Impl>(head_max)) {}
HttpResponseDecoder::~HttpResponseDecoder() = default;
HttpResponseDecoder::HttpResponseDecoder(HttpResponseDecoder&&) noexcept = default;
HttpResponseDecoder& HttpResponseDecoder::operator=(HttpResponseDecoder&&) noexcept = default;

void HttpResponseDecoder::Feed(std::string_view bytes) {
  impl_->Feed(bytes);
}
void HttpResponseDecoder::FeedEnd() {
  impl_->FeedEnd();
}
HttpResponseDecoder::State HttpResponseDecoder::state() const {
  return impl_->state;
}
const HttpResponseHead* HttpResponseDecoder::head() const {
  return impl_->head_complete ? &impl_->head : nullptr;
}
std::string HttpResponseDecoder::TakeBody() {
  return std::exchange(impl_->body, {});
}
void HttpResponseDecoder::TakeBody(std::string* into) {
  into->clear();
  std::swap(impl_->body, *into);
}
bool HttpResponseDecoder::inflates() const {
  return impl_->gunzip != nullptr;
}
const Error& HttpResponseDecoder::error() const {
  return impl_->error;
}
bool HttpResponseDecoder::keep_alive() const {
  return impl_->state == State::kDone && !impl_->ends_with_connection;
}
const std::string& HttpResponseDecoder::Excess() const {
  return impl_->excess;
}

}  // namespace relist
