#include "fakeapi/http/http_codec.h"

#include <algorithm>
#include <utility>

#include "fakeapi/api/api_errors.h"

namespace relist::fakeapi {
namespace {

// net/http's limits: of a chunk's size line and of all trailers, of digits, of framing beside data.
constexpr size_t kSizeLineMax = 4096;
constexpr size_t kSizeDigits = 16;
constexpr uint64_t kFramingPerByte = 8;
constexpr uint64_t kFramingFree = 65536;

// Of broken chunks the handler learns while it reads the body: a 500 with Go's words.
constexpr int kBrokenBody = 500;

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The size that a chunk's line tells, or what Go says of it.
const char* ParseChunkSize(std::string_view line, uint64_t* size) {
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  line = line.substr(0, line.find(';'));
  if (line.empty()) return "empty hex number for chunk length";
  *size = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const int digit = HexValue(line[i]);
    if (digit < 0) return "invalid byte in chunk length";
    if (i == kSizeDigits) return "http chunk length too large";
    *size = *size * 16 + static_cast<uint64_t>(digit);
  }
  return nullptr;
}

}  // namespace

HttpCodec::Found HttpCodec::Refuse(int status, std::string message, HttpRefusal* refusal) {
  *refusal = {status, std::move(message), facts_.method, facts_.target};
  return Found::kRefused;
}

// After a POST a few of them are passed over, and no others.
void HttpCodec::SkipLineEnds() {
  const size_t there = std::min(buffer_.find_first_not_of("\r\n"), buffer_.size());
  const size_t count = std::min(there, line_ends_left_);
  buffer_.erase(0, count);
  line_ends_left_ = buffer_.empty() ? line_ends_left_ - count : 0;
}

HttpCodec::Found HttpCodec::FindHead(HttpRefusal* refusal) {
  if (line_ends_left_ > 0) SkipLineEnds();
  if (scanned_ == 0) {
    if (!buffer_.empty() && static_cast<unsigned char>(buffer_[0]) < ' ') {
      return Refuse(400, "not HTTP (a TLS client, perhaps)", refusal);
    }
  }
  while (true) {
    const size_t newline = buffer_.find('\n', scanned_);
    if (newline == std::string::npos || newline >= limits_.head_max) break;
    const size_t before = newline > 0 && buffer_[newline - 1] == '\r' ? newline - 1 : newline;
    scanned_ = newline + 1;
    if (before > 0 && buffer_[before - 1] == '\n') return TakeHead(scanned_, refusal);
  }
  if (buffer_.size() > limits_.head_max) {
    return Refuse(431, "Request Header Fields Too Large", refusal);
  }
  scanned_ = buffer_.size();
  return Found::kNotYet;
}

HttpCodec::Found HttpCodec::TakeHead(size_t head_size, HttpRefusal* refusal) {
  facts_ = {};
  if (auto bad = InspectHead(std::string_view(buffer_).substr(0, head_size), &facts_)) {
    *refusal = std::move(*bad);
    return Found::kRefused;
  }
  if (facts_.content_length > limits_.body_max) {
    return Refuse(413, "Request entity too large", refusal);
  }
  buffer_.erase(0, head_size);
  scanned_ = body_wire_ = 0;
  chunk_left_ = 0;
  in_trailers_ = false;
  continue_due_ = facts_.expects_continue && facts_.has_body();
  state_ = State::kBody;
  return Found::kYes;
}

HttpCodec::Found HttpCodec::FindBodyEnd(HttpRefusal* refusal) {
  if (facts_.chunked) return ScanChunks(refusal);
  body_wire_ = facts_.content_length;
  return buffer_.size() >= body_wire_ ? Found::kYes : Found::kNotYet;
}

// Undoes the chunks as they come, and finds where they end.
HttpCodec::Found HttpCodec::ScanChunks(HttpRefusal* refusal) {
  while (!in_trailers_) {
    if (chunk_left_ > 2) {
      const size_t step = std::min<uint64_t>(chunk_left_ - 2, buffer_.size() - scanned_);
      unchunked_.append(buffer_, scanned_, step);
      scanned_ += step;
      chunk_left_ -= step;
    }
    if (chunk_left_ > 0) {
      if (buffer_.size() - scanned_ < chunk_left_) return Found::kNotYet;
      if (buffer_.compare(scanned_, 2, "\r\n") != 0) {
        return Refuse(kBrokenBody, "malformed chunked encoding", refusal);
      }
      scanned_ += 2;
      chunk_left_ = 0;
    }
    if (const Found line = ScanSizeLine(refusal); line != Found::kYes) return line;
  }
  return ScanTrailers(refusal);
}

// One size line at `scanned_`: sets chunk_left_, or in_trailers_ after the last chunk.
HttpCodec::Found HttpCodec::ScanSizeLine(HttpRefusal* refusal) {
  const size_t end = buffer_.find('\n', scanned_);
  if (end == std::string::npos || end - scanned_ > kSizeLineMax) {
    if (buffer_.size() - scanned_ <= kSizeLineMax) return Found::kNotYet;
    return Refuse(kBrokenBody, "header line too long", refusal);
  }
  const std::string_view line = std::string_view(buffer_).substr(scanned_, end - scanned_);
  if (!line.ends_with('\r')) {
    return Refuse(kBrokenBody, "chunked line ends with bare LF", refusal);
  }
  if (line.find('\r') != line.size() - 1) {
    return Refuse(kBrokenBody, "invalid CR in chunked line", refusal);
  }
  uint64_t size = 0;
  if (const char* wrong = ParseChunkSize(line.substr(0, line.size() - 1), &size)) {
    return Refuse(kBrokenBody, wrong, refusal);
  }
  if (size > limits_.body_max || unchunked_.size() + size > limits_.body_max) {
    return Refuse(413, "Request entity too large", refusal);
  }
  scanned_ = end + 1;
  in_trailers_ = size == 0;
  chunk_left_ = size == 0 ? 0 : size + 2;
  if (scanned_ > (unchunked_.size() + size) * kFramingPerByte + kFramingFree) {
    return Refuse(kBrokenBody, "chunked encoding contains too much non-data", refusal);
  }
  return Found::kYes;
}

// What follows the last chunk is read, and nothing is made of it.
HttpCodec::Found HttpCodec::ScanTrailers(HttpRefusal* refusal) {
  std::string_view rest = std::string_view(buffer_).substr(scanned_);
  if (rest.size() < 2) return Found::kNotYet;
  size_t size = 2;
  if (!rest.starts_with("\r\n")) {
    const size_t end = rest.find("\r\n\r\n");
    if (end == std::string_view::npos || end > kSizeLineMax) {
      if (rest.size() < kSizeLineMax) return Found::kNotYet;
      return Refuse(kBrokenBody, "http: suspiciously long trailer after chunked body", refusal);
    }
    size = end + 4;
    rest = rest.substr(0, end);
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find("\r\n"));
      if (line.find(':') == std::string_view::npos) {
        return Refuse(kBrokenBody, "malformed MIME header: missing colon: " + GoQuote(line),
                      refusal);
      }
      rest.remove_prefix(std::min(line.size() + 2, rest.size()));
    }
  }
  body_wire_ = scanned_ + size;
  return Found::kYes;
}

// Fills *message; what lies behind it stays for the next one.
void HttpCodec::Deliver(HttpMessage* message) {
  const bool alone = buffer_.size() == body_wire_;
  Request& request = message->request;
  if (facts_.chunked) {
    request.body = std::move(unchunked_);
  } else if (alone) {
    request.body = std::move(buffer_);
  } else {
    request.body.assign(buffer_, 0, body_wire_);
  }
  request.method = std::move(facts_.method);
  request.target = std::move(facts_.target);
  request.headers = std::move(facts_.headers);
  message->close = facts_.close;
  message->http10 = facts_.http10;
  if (alone) {
    std::string().swap(buffer_);  // an idle connection keeps no buffer
  } else {
    buffer_.erase(0, body_wire_);
  }
  std::string().swap(unchunked_);
  facts_ = {};
  scanned_ = 0;
  line_ends_left_ = request.method == "POST" ? kLineEndsAfterPost : 0;
  state_ = State::kHead;
}

HttpCodec::Step HttpCodec::Next(HttpMessage* message, HttpRefusal* refusal) {
  if (state_ == State::kSpent) return Step::kNeedMore;
  Found found = Found::kYes;
  if (state_ == State::kHead) found = FindHead(refusal);
  if (found == Found::kYes && continue_due_) {
    continue_due_ = false;
    return Step::kContinue;
  }
  if (found == Found::kYes) found = FindBodyEnd(refusal);
  if (found == Found::kYes) {
    Deliver(message);
    return Step::kRequest;
  }
  if (found == Found::kNotYet) return Step::kNeedMore;
  state_ = State::kSpent;
  std::string().swap(buffer_);
  return Step::kRefused;
}

}  // namespace relist::fakeapi
