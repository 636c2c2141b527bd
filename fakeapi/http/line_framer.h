// Lines of a watch, or the body of a list, put on the wire otherwise than the server does it: in
// chunks of another size, and with other ends. For faults; JSON is the same either way.
//
//   LineFramer framer({.chunk_lines = 2}, /*chunked=*/true);
//   framer.Add("{}\n");   // "": it waits for the second one
//   framer.Add("{}\n");   // "6\r\n{}\n{}\n\r\n"
//   framer.Flush();       // what still waits
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace relist::fakeapi {

struct LineFraming {
  enum class End {
    kNewline,
    kCrLf,
    kNone,       // not even the last line has one
    kEmptyLine,  // each is followed by an empty one
  } end = End::kNewline;
  uint64_t chunk_size = 0;  // payload bytes in a chunk, at most; 0: whole lines
  int chunk_lines = 1;      // lines in a chunk, where chunk_size is 0
};

// "chunks of 1", "chunks of 2 lines", "lines end CRLF": for histories and messages.
std::string Describe(const LineFraming& framing);

class LineFramer {
 public:
  // Not `chunked`: as in HTTP/1.0, only the lines' ends matter.
  LineFramer(const LineFraming& framing, bool chunked) : framing_(framing), chunked_(chunked) {}

  // What goes out now that `line`, with its newline, is there; "" while it waits for others.
  std::string Add(std::string_view line);
  std::string Flush();

 private:
  const LineFraming framing_;
  const bool chunked_;
  std::string waiting_;
  int lines_ = 0;  // that wait
};

// `payload` as chunks of at most `size` bytes, without a last one.
std::string ChunksOf(std::string_view payload, uint64_t size);

}  // namespace relist::fakeapi
