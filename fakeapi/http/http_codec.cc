#include "fakeapi/http/http_codec.h"

#include <httplib.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>

namespace relist::fakeapi {
namespace {

// A message in memory, as httplib reads it; what httplib would answer goes nowhere.
class MemoryStream : public httplib::Stream {
 public:
  MemoryStream(std::string_view head, std::string_view body) : head_(head), body_(body) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override {
    std::string_view& from = head_.empty() ? body_ : head_;
    const size_t n = std::min(size, from.size());
    std::memcpy(to, from.data(), n);
    from.remove_prefix(n);
    return static_cast<ssize_t>(n);
  }
  ssize_t write(const char*, size_t size) override { return static_cast<ssize_t>(size); }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return 0; }
  bool drained() const { return head_.empty() && body_.empty(); }
  // Later versions of httplib ask for these; declared without `override` so that both compile.
  virtual bool wait_readable() const { return true; }
  virtual bool wait_writable() const { return true; }
  virtual time_t duration() const { return 0; }

 private:
  std::string_view head_, body_;
};

// Its handlers make no answers: they note that a request is there. An answer that no handler of
// ours caused (httplib's own 400) leaves `target_` without `handled_`.
class RequestParser : public httplib::Server {
 public:
  RequestParser() {
    Get(".*", [this](const httplib::Request&, httplib::Response&) { handled_ = true; });
    Post(".*",
         [this](const httplib::Request&, httplib::Response&, const httplib::ContentReader& reader) {
           handled_ = reader([this](const char* bytes, size_t size) {
             target_->body.append(bytes, size);
             return true;
           });
         });
  }

  // False where httplib would not take the message.
  bool Parse(std::string_view head, std::string_view body, Request* request) {
    MemoryStream stream(head, body);
    target_ = request;
    handled_ = false;
    bool closed = false;
    process_request(stream, false, closed, [this](httplib::Request& seen) { TakeHeaders(seen); });
    target_ = nullptr;
    return handled_ && stream.drained();
  }

 private:
  // Copies the headers, then hides those upon which httplib would act: it would decompress or parse
  // the body, compress its answer, or say "100 Continue" by itself.
  void TakeHeaders(httplib::Request& seen) {
    for (const auto& [name, value] : seen.headers) {
      if (IsHttplibs(name)) continue;
      target_->headers.emplace_back(name, value);
    }
    for (const char* name : {"Accept-Encoding", "Content-Encoding", "Content-Type", "Expect"}) {
      seen.headers.erase(name);
    }
  }

  static bool IsHttplibs(const std::string& name) {
    return name == "REMOTE_ADDR" || name == "REMOTE_PORT" || name == "LOCAL_ADDR" ||
           name == "LOCAL_PORT";
  }

  Request* target_ = nullptr;
  bool handled_ = false;
};

// Holds compiled patterns, no state between messages: one for each thread serves all its
// connections.
RequestParser& Parser() {
  thread_local std::unique_ptr<RequestParser> parser = std::make_unique<RequestParser>();
  return *parser;
}

// Chunk sizes of more digits are nobody's; extensions are skipped up to this much.
constexpr size_t kSizeLineMax = 1024;
// Framing may cost this much beside a body: chunks of one byte cost five more each.
constexpr uint64_t kFramingPerByte = 8;
constexpr uint64_t kFramingFree = 65536;

}  // namespace

HttpCodec::Found HttpCodec::Refuse(int status, std::string message, HttpRefusal* refusal) {
  *refusal = {status, std::move(message), facts_.method, facts_.target};
  return Found::kRefused;
}

HttpCodec::Found HttpCodec::FindHead(HttpRefusal* refusal) {
  if (scanned_ == 0) {  // empty lines before a request are passed over (RFC 9112, 2.2)
    size_t skip = 0;
    while (buffer_.compare(skip, 2, "\r\n") == 0) skip += 2;
    buffer_.erase(0, skip);
    if (buffer_ == "\r") return Found::kNotYet;
    if (!buffer_.empty() && static_cast<unsigned char>(buffer_[0]) < ' ') {
      return Refuse(400, "not HTTP (a TLS client, perhaps)", refusal);
    }
  }
  while (true) {
    const size_t newline = buffer_.find('\n', scanned_);
    if (newline == std::string::npos || newline >= limits_.head_max) break;
    if (newline == 0 || buffer_[newline - 1] != '\r') {
      return Refuse(400, "a line ends without a carriage return", refusal);
    }
    scanned_ = newline + 1;
    if (newline >= 3 && buffer_[newline - 2] == '\n') return TakeHead(scanned_, refusal);
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
  chunk_left_ = body_size_ = 0;
  continue_due_ = facts_.expects_continue && facts_.has_body() && buffer_.empty();
  state_ = State::kBody;
  return Found::kYes;
}

HttpCodec::Found HttpCodec::FindBodyEnd(HttpRefusal* refusal) {
  if (facts_.chunked) return ScanChunks(refusal);
  body_wire_ = facts_.content_length;
  return buffer_.size() >= body_wire_ ? Found::kYes : Found::kNotYet;
}

// Finds where a chunked body ends, more strictly than httplib reads it afterwards.
HttpCodec::Found HttpCodec::ScanChunks(HttpRefusal* refusal) {
  while (true) {
    if (chunk_left_ > 0) {
      const size_t step = std::min<uint64_t>(chunk_left_, buffer_.size() - scanned_);
      scanned_ += step;
      chunk_left_ -= step;
      if (chunk_left_ > 0) return Found::kNotYet;
      if (buffer_.compare(scanned_ - 2, 2, "\r\n") != 0) {
        return Refuse(400, "a chunk is longer than it said", refusal);
      }
    }
    const Found line = ScanSizeLine(refusal);
    if (line != Found::kYes || body_wire_ > 0) return line;
  }
}

// One size line at `scanned_`: sets chunk_left_, or body_wire_ after the last chunk.
HttpCodec::Found HttpCodec::ScanSizeLine(HttpRefusal* refusal) {
  const size_t end = buffer_.find("\r\n", scanned_);
  if (end == std::string::npos || end - scanned_ > kSizeLineMax) {
    if (buffer_.size() - scanned_ <= kSizeLineMax + 1) return Found::kNotYet;
    return Refuse(400, "malformed chunk size", refusal);
  }
  uint64_t size = 0;
  const char* last = buffer_.data() + end;
  const auto [stop, error] = std::from_chars(buffer_.data() + scanned_, last, size, 16);
  if (error == std::errc::result_out_of_range) {
    return Refuse(413, "Request entity too large", refusal);
  }
  if (error != std::errc() || (stop != last && *stop != ';') || buffer_[scanned_] == '-' ||
      std::memchr(stop, '\n', static_cast<size_t>(last - stop)) != nullptr) {
    return Refuse(400, "malformed chunk size", refusal);
  }
  if (size > limits_.body_max || body_size_ + size > limits_.body_max) {
    return Refuse(413, "Request entity too large", refusal);
  }
  body_size_ += size;
  if (size == 0) {
    if (buffer_.size() < end + 4) return Found::kNotYet;  // the scan of this line is repeated
    if (buffer_.compare(end + 2, 2, "\r\n") != 0) return Refuse(400, "trailers", refusal);
    body_wire_ = end + 4;
    return Found::kYes;
  }
  scanned_ = end + 2;
  chunk_left_ = size + 2;
  if (scanned_ > body_size_ * kFramingPerByte + kFramingFree) {
    return Refuse(400, "too much framing for so short a body", refusal);
  }
  return Found::kYes;
}

bool HttpCodec::Deliver(HttpMessage* message, HttpRefusal* refusal) {
  *message = {};
  const std::string_view body(buffer_.data(), body_wire_);
  const bool good = Parser().Parse(facts_.for_httplib, body, &message->request);
  if (!good) {
    Refuse(400, "malformed request", refusal);
    return false;
  }
  message->request.method = std::move(facts_.method);
  message->request.target = std::move(facts_.target);
  for (auto& parked : facts_.parked) message->request.headers.push_back(std::move(parked));
  message->close = facts_.close;
  message->http10 = facts_.http10;
  if (buffer_.size() == body_wire_) {
    std::string().swap(buffer_);  // an idle connection keeps no buffer
  } else {
    buffer_.erase(0, body_wire_);
  }
  facts_ = {};
  scanned_ = 0;
  state_ = State::kHead;
  return true;
}

HttpCodec::Step HttpCodec::Next(HttpMessage* message, HttpRefusal* refusal) {
  if (state_ == State::kSpent) return Step::kNeedMore;
  Found found = Found::kYes;
  if (state_ == State::kHead) found = FindHead(refusal);
  if (found == Found::kYes) found = FindBodyEnd(refusal);
  if (found == Found::kYes && Deliver(message, refusal)) return Step::kRequest;
  if (found == Found::kNotYet) {
    if (!continue_due_) return Step::kNeedMore;
    continue_due_ = false;
    return Step::kContinue;
  }
  state_ = State::kSpent;
  std::string().swap(buffer_);
  return Step::kRefused;
}

}  // namespace relist::fakeapi
