#include "fakeapi/encoding/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/check.h"

namespace relist::fakeapi {
namespace {

constexpr int kGzipLevel = 1;
constexpr int kGzipWindow = 16 + MAX_WBITS;  // 16: gzip's wrapping, not zlib's own
constexpr int kGzipMemory = 8;
constexpr size_t kFlushMost = 16;  // an empty block, and bits to the next byte

}  // namespace

bool AllowsGzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    std::string_view token = accept_encoding.substr(0, comma);
    token.remove_prefix(std::min(token.find_first_not_of(" \t"), token.size()));
    token = token.substr(0, token.find_last_not_of(" \t") + 1);
    if (token == "gzip") return true;
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
  }
  return false;
}

std::string Gzip(std::string_view text) {
  CHECK(text.size() <= std::numeric_limits<uInt>::max(), "{} bytes to compress", text.size());
  z_stream stream{};
  const int ready =
      deflateInit2(&stream, kGzipLevel, Z_DEFLATED, kGzipWindow, kGzipMemory, Z_DEFAULT_STRATEGY);
  CHECK(ready == Z_OK, "zlib has no memory");
  std::string out(deflateBound(&stream, text.size()) + kFlushMost, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  // Go's reader hands out what stands before a flush; what stands before the end of a member only
  // when the next one begins, which may be minutes later.
  const int flushed = deflate(&stream, Z_SYNC_FLUSH);
  CHECK(flushed == Z_OK && stream.avail_in == 0, "zlib's own bound was too small");
  const int done = deflate(&stream, Z_FINISH);
  CHECK(done == Z_STREAM_END, "zlib's own bound was too small");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace relist::fakeapi
