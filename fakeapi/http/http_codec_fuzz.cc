// The request codec under bytes of any kind. The first byte of the input says how the rest is
// split: the result may not depend on it. Its corpus, replayed by the ordinary tests, is in
// fakeapi/testdata/fuzz/http_codec.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fakeapi/http/http_codec.h"

namespace http_codec_fuzz {
namespace {

using relist::fakeapi::HttpCodec;
using relist::fakeapi::HttpMessage;
using relist::fakeapi::HttpRefusal;

void Require(bool condition) {
  if (!condition) std::abort();
}

std::string Show(const HttpMessage& message) {
  std::string out = message.request.method + ' ' + message.request.target;
  for (const auto& [name, value] : message.request.headers) out += '\n' + name + ": " + value;
  return out + '\n' + message.request.body + (message.close ? "\nclose" : "");
}

std::vector<std::string> DecodeInPieces(std::string_view bytes, size_t piece) {
  HttpCodec codec({.head_max = 4000, .body_max = 1000});
  std::vector<std::string> out;
  for (size_t i = 0; i < bytes.size(); i += piece) {
    codec.Feed(bytes.substr(i, piece));
    for (bool more = true; more;) {
      HttpMessage message;
      HttpRefusal refusal;
      switch (codec.Next(&message, &refusal)) {
        case HttpCodec::Step::kNeedMore:
          more = false;
          break;
        case HttpCodec::Step::kContinue:
          break;  // no part of the request
        case HttpCodec::Step::kRequest:
          Require(message.request.body.size() <= 1000);
          out.push_back(Show(message));
          break;
        case HttpCodec::Step::kRefused:
          Require(refusal.status >= 400 && !refusal.message.empty());
          out.push_back(std::to_string(refusal.status) + ' ' + refusal.message);
          break;
      }
    }
  }
  return out;
}

}  // namespace
}  // namespace http_codec_fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 1 << 16) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  using http_codec_fuzz::DecodeInPieces;
  http_codec_fuzz::Require(DecodeInPieces(bytes, bytes.size() + 1) ==
                           DecodeInPieces(bytes, 1 + data[0] % 16));
  return 0;
}
