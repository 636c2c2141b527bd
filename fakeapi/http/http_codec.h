// HTTP/1.1 requests out of bytes, as Go's net/http takes and refuses them.
//
//   HttpCodec codec(limits);
//   codec.Feed(bytes);                       // any piece of the stream
//   HttpMessage message;
//   HttpRefusal refusal;
//   switch (codec.Next(&message, &refusal)) {
//     case HttpCodec::Step::kRequest: ...    // message.request is complete, body and all
//
// No socket, no clock. http_head judges heads; bodies and their chunks are read here. Answers are
// http_encoder's: they may be made long after the request was read. One thread at a time.
//
// Ours, and no library's: ARCHITECTURE.md says why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fakeapi/api/http_types.h"
#include "fakeapi/http/http_head.h"

namespace relist::fakeapi {

struct HttpLimits {
  size_t head_max = 1024 * 1024 + 4096;  // request line and headers; 431 above (net/http's limit)
  size_t body_max = 3 * 1024 * 1024;     // after chunks are undone; 413 above
};

struct HttpMessage {
  Request request;
  bool close = false;   // the connection ends after the answer
  bool http10 = false;  // no chunks in the answer, and its version is the request's
};

class HttpCodec {
 public:
  enum class Step {
    kNeedMore,
    kContinue,  // "100 Continue" is due; said once for a message
    kRequest,   // *message is filled
    kRefused,   // *refusal is filled; nothing after it can be understood, the codec is spent
  };

  // `after_post`: the connection's last request was one, so that line ends may come before the next
  // (old clients' habit, which net/http knows).
  explicit HttpCodec(HttpLimits limits, bool after_post = false)
      : limits_(limits), line_ends_left_(after_post ? kLineEndsAfterPost : 0) {}

  void Feed(std::string_view bytes) { buffer_ += bytes; }
  Step Next(HttpMessage* message, HttpRefusal* refusal);

  // No byte of a further request is here.
  bool empty() const { return buffer_.empty(); }
  // The head is complete, the body is not.
  bool in_body() const { return state_ == State::kBody; }
  size_t buffered() const { return buffer_.size(); }

 private:
  enum class State { kHead, kBody, kSpent };
  enum class Found { kNotYet, kYes, kRefused };

  Found FindHead(HttpRefusal* refusal);
  Found TakeHead(size_t head_size, HttpRefusal* refusal);
  Found FindBodyEnd(HttpRefusal* refusal);
  Found ScanChunks(HttpRefusal* refusal);
  Found ScanSizeLine(HttpRefusal* refusal);
  Found ScanTrailers(HttpRefusal* refusal);
  void SkipLineEnds();
  Found Refuse(int status, std::string message, HttpRefusal* refusal);
  void Deliver(HttpMessage* message);

  HttpLimits limits_;
  State state_ = State::kHead;
  std::string
      buffer_;  // from the first byte of the current message; of its body once the head is taken
  size_t scanned_ = 0;    // bytes of buffer_ that need no second look
  size_t body_wire_ = 0;  // size of the body's framed bytes, once known
  static constexpr size_t kLineEndsAfterPost = 4;
  size_t line_ends_left_;  // so many may still be passed over, however they come
  HeadFacts facts_;
  std::string unchunked_;  // the chunks' payload so far
  bool in_trailers_ = false;
  bool continue_due_ = false;
  uint64_t chunk_left_ = 0;  // of the current chunk, its CRLF included
};

}  // namespace relist::fakeapi
