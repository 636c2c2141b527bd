// The response decoder under bytes of any kind. The first byte of the input says how the rest is
// split: the result may not depend on it. Its corpus, replayed by the ordinary tests, is in
// core/testdata/fuzz/http_response_decoder.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/net/http_response_decoder.h"

namespace {

using relist::HttpResponseDecoder;

void Require(bool condition) {
  if (!condition) std::abort();
}

struct DecodedWhole {
  HttpResponseDecoder::State state;
  std::string body, excess, error;
  int status;
  bool keep_alive;
  bool operator==(const DecodedWhole&) const = default;
};

DecodedWhole DecodeInPieces(std::string_view bytes, size_t piece) {
  HttpResponseDecoder decoder;
  std::string body;
  for (size_t i = 0; i < bytes.size(); i += piece) {
    decoder.Feed(bytes.substr(i, piece));
    body += decoder.TakeBody();
  }
  decoder.FeedEnd();
  const HttpResponseDecoder::State state = decoder.state();
  Require(state == HttpResponseDecoder::State::kDone ||
          state == HttpResponseDecoder::State::kFailed);
  Require(state == HttpResponseDecoder::State::kFailed || decoder.head() != nullptr);
  Require((state == HttpResponseDecoder::State::kFailed) == !decoder.error().message().empty());
  const int status = decoder.head() ? decoder.head()->status : 0;
  return {state,  body + decoder.TakeBody(), decoder.Excess(), decoder.error().message(),
          status, decoder.keep_alive()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 1 << 16) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const DecodedWhole whole = DecodeInPieces(bytes, bytes.size() + 1);
  DecodedWhole pieces = DecodeInPieces(bytes, 1 + data[0] % 16);
  // Where zlib finds corrupt data, how much of the good before it comes out depends on where the
  // input was split.
  if (whole.error.starts_with("gzip: ")) pieces.body = whole.body;
  Require(whole == pieces);
  return 0;
}
