// Answers as bytes: the status line with its headers, and chunks.
//
//   EncodeHead({.status = 200, .headers = &headers, .body_size = 17, .now = now});
//   // "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n...\r\n\r\n"
//   FrameChunk("{}\n");   // "3\r\n{}\n\r\n"
//
// An answer may be late, cut by a fault, or shared. Pure functions; bodies are
// never copied.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/time.h"
#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {

struct AnswerHead {
  int status = 200;
  const HeaderList* headers = nullptr;  // Cache-Control and Content-Type are added where absent
  bool chunked = false;                 // in HTTP/1.0: the body ends where the connection does
  uint64_t body_size = 0;               // of a body that is not chunked
  bool close = false;
  TimePoint now;  // Date
  bool http10 = false;
};

// As the real server: "Cache-Control: no-cache, private" and "Content-Type: application/json"
// unless the headers say otherwise. Framing headers among `headers` are left out: they are ours to
// set.
std::string EncodeHead(const AnswerHead& head);

// "Not Found"; "Status" for numbers that have no name.
std::string_view ReasonPhrase(int status);

// "Thu, 01 Jan 2026 00:00:00 GMT": always 29 characters, so that byte offsets don't depend on the
// time.
std::string FormatHttpDate(TimePoint t);

// A whole chunk; `payload` is not empty.
Slice FrameChunk(std::string_view payload);
// "0\r\n\r\n".
Slice LastChunk();
// The payload of one whole chunk on the wire, as slices of it: what HTTP/1.0 sends of it.
Slices UnframeChunk(const Slices& chunk);
// The body as one chunk and a last one; an empty body is the last chunk only. With `chunk_size` in
// chunks of at most so many bytes.
Slices FrameBody(Slices body, uint64_t chunk_size = 0);
// The payload of one whole chunk on the wire, piece by piece: neither its size line nor its end.
template <class Take>
void ForPayload(const Slices& chunk, Take take) {
  static constexpr std::string_view kBreak = "\r\n";
  for (size_t i = 0; i < chunk.size(); ++i) {
    std::string_view bytes = chunk[i].bytes;
    if (i == 0) bytes.remove_prefix(std::min(bytes.find(kBreak) + kBreak.size(), bytes.size()));
    if (i + 1 == chunk.size() && bytes.ends_with(kBreak)) bytes.remove_suffix(kBreak.size());
    take(bytes);
  }
}
// `chunk`, one whole chunk on the wire, shortened to the payload that lies in its first
// `wire_bytes` bytes, framed anew; empty where no payload is left. What a clean cut at that byte
// leaves.
Slices ShortenChunk(const Slices& chunk, uint64_t wire_bytes);
// The first `size` bytes.
Slices Prefix(const Slices& slices, uint64_t size);
uint64_t SizeOf(const Slices& slices);

}  // namespace relist::fakeapi
