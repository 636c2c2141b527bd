#include "fakeapi/http/line_framer.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace relist::fakeapi {

std::string Describe(const LineFraming& framing) {
  switch (framing.end) {
    case LineFraming::End::kCrLf:
      return "lines end CRLF";
    case LineFraming::End::kNone:
      return "lines end with nothing";
    case LineFraming::End::kEmptyLine:
      return "lines end with an empty line";
    case LineFraming::End::kNewline:
      break;
  }
  return framing.chunk_size > 0 ? fmt::format("chunks of {}", framing.chunk_size)
                                : fmt::format("chunks of {} lines", framing.chunk_lines);
}

std::string ChunksOf(std::string_view payload, uint64_t size) {
  std::string chunks;
  for (size_t at = 0; at < payload.size(); at += size) {
    const std::string_view piece = payload.substr(at, size);
    chunks += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
  }
  return chunks;
}

std::string LineFramer::Add(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  waiting_ += line;
  switch (framing_.end) {
    case LineFraming::End::kNewline:
      waiting_ += '\n';
      break;
    case LineFraming::End::kCrLf:
      waiting_ += "\r\n";
      break;
    case LineFraming::End::kNone:
      break;
    case LineFraming::End::kEmptyLine:
      waiting_ += "\n\n";
      break;
  }
  ++lines_;
  return framing_.chunk_size == 0 && lines_ < framing_.chunk_lines ? "" : Flush();
}

std::string LineFramer::Flush() {
  lines_ = 0;
  std::string text = std::exchange(waiting_, {});
  if (!chunked_ || text.empty()) return text;
  return ChunksOf(text, framing_.chunk_size > 0 ? framing_.chunk_size : text.size());
}

}  // namespace relist::fakeapi
