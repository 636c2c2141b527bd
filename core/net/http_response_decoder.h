// The one HTTP/1.1 response decoder of both worlds: incremental, small, fuzzed.
//
//   HttpResponseDecoder decoder;
//   decoder.Feed(bytes);                       // any split, down to a byte at a time
//   if (decoder.head()) Use(decoder.head()->status);
//   body += decoder.TakeBody();                // what has come so far, framing and gzip undone
//   if (eof) decoder.FeedEnd();
//   decoder.state();
//
// Undoes Content-Length, chunked (extensions and trailers skipped), close-delimited bodies, 1xx
// interim answers, Content-Encoding: gzip with several members (SRV-36; data comes out at member
// ends, too). Limits: heads and trailers 64 KB unless told otherwise, chunk-size line 4 KB; the
// body has none. As strict as Go's net/http where a mistake would move the end of a body: a bare LF
// may end a header line, but not a chunk-size line. The answer to a HEAD is not for it. Not
// thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace relist {

struct HttpResponseHead {
  int status = 0;
  std::string reason;
  std::vector<std::pair<std::string, std::string>> headers;
  // The first of that name, letter case aside; "" without.
  std::string_view Header(std::string_view name) const;
  // All of that name, in their order.
  std::vector<std::string_view> All(std::string_view name) const;
};

class HttpResponseDecoder {
 public:
  enum class State {
    kHead,  // the head is not yet complete
    kBody,
    kDone,    // the body ended as its framing says; bytes after it are in Excess()
    kFailed,  // see error(): kProtocol, or kUnexpectedEof / kEof from FeedEnd
  };

  // `head_max`: of all header lines of one answer together, 1xx and trailers included.
  explicit HttpResponseDecoder(size_t head_max = 64 * 1024);
  ~HttpResponseDecoder();
  HttpResponseDecoder(HttpResponseDecoder&&) noexcept;
  HttpResponseDecoder& operator=(HttpResponseDecoder&&) noexcept;

  void Feed(std::string_view bytes);
  // The peer finished: kDone for a close-delimited body, kUnexpectedEof inside any other, kEof
  // before the first byte.
  void FeedEnd();

  State state() const;
  const HttpResponseHead* head() const;  // null before it is complete
  std::string TakeBody();
  // The same; the memory of *into serves for what comes next.
  void TakeBody(std::string* into);
  bool inflates() const;  // the body comes as gzip
  const Error& error() const;
  bool keep_alive() const;  // after kDone: the connection may carry another request
  const std::string& Excess() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist
