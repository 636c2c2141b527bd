// The watch decoder under bytes of any kind. The first byte of the input says how the rest is
// split: the result may not depend on it. Its corpus is in reflector/testdata/fuzz/watch_decoder.
#include "reflector/decoding/watch_decoder.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

std::vector<std::string> DecodeInPieces(std::string_view bytes, size_t piece) {
  relist::WatchDecoder decoder;
  std::vector<std::string> out;
  for (size_t at = 0; at < bytes.size(); at += piece) {
    decoder.Feed(bytes.substr(at, piece));
    while (std::optional<relist::WatchEvent> event = decoder.Next()) {
      if (!event->object) std::abort();
      out.push_back(std::string(Name(event->type)) + event->object->key().ToString() +
                    event->object->resource_version() + event->object->bytes());
    }
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 1 << 16) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (DecodeInPieces(bytes, bytes.size() + 1) != DecodeInPieces(bytes, 1 + data[0] % 16)) {
    std::abort();
  }
  return 0;
}
