#include "core/net/gunzip.h"

#define ZLIB_CONST
#include <zlib.h>

#include "core/check.h"

namespace relist {

struct Gunzip::Impl {
  z_stream stream{};
  bool at_end = true;
  std::string why;
};

Gunzip::Gunzip() : impl_(std::make_unique<Impl>()) {
  const int got =
      inflateInit2(&impl_->stream, 16 + MAX_WBITS);  // 16: gzip, not zlib's own wrapping
  CHECK(got == Z_OK, "inflateInit2 gave {}", got);
}

Gunzip::~Gunzip() {
  inflateEnd(&impl_->stream);
}

bool Gunzip::AtEnd() const {
  return impl_->at_end;
}
const std::string& Gunzip::why() const {
  return impl_->why;
}

bool Gunzip::Feed(std::string_view bytes, std::string* out) {
  z_stream& stream = impl_->stream;
  char buffer[16 * 1024];
  stream.next_in = reinterpret_cast<const Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  // A full buffer may hide more output behind an empty input.
  for (bool more = false; stream.avail_in > 0 || more;) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    if (stream.avail_in > 0) impl_->at_end = false;
    const int got = inflate(&stream, Z_SYNC_FLUSH);
    out->append(buffer, sizeof buffer - stream.avail_out);
    more = stream.avail_out == 0;
    if (got == Z_STREAM_END) {
      impl_->at_end = true;
      more = false;
      inflateReset(&stream);
    } else if (got != Z_OK && got != Z_BUF_ERROR) {
      impl_->why = stream.msg ? stream.msg : "corrupt gzip data";
      return false;
    }
  }
  return true;
}

}  // namespace relist
