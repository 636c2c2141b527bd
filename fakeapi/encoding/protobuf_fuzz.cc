// The protobuf decoder under bytes of any kind. The first byte of the input chooses the kind, the
// rest is the body. What is decoded has to be JSON that comes back as it went, and no larger than
// its bytes allow. Its corpus, replayed by the ordinary tests, is in
// fakeapi/testdata/fuzz/protobuf.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "fakeapi/encoding/protobuf.h"

namespace protobuf_fuzz {
namespace {

using nlohmann::ordered_json;
using relist::Result;
using relist::fakeapi::DecodeProtobuf;
using relist::fakeapi::FindProtobufKind;
using relist::fakeapi::ProtobufBody;
using relist::fakeapi::ReadProtobufBody;

// The dearest two bytes are an empty container.
constexpr size_t kJsonPerByte = 60;
constexpr size_t kJsonOfNothing = 1000;

void Require(bool condition) {
  if (!condition) std::abort();
}

void Decode(std::string_view kind, std::string_view body) {
  const Result<ProtobufBody> read = ReadProtobufBody(body);
  if (!read.ok()) return Require(!read.error().message().empty());
  const Result<ordered_json> value = DecodeProtobuf(*FindProtobufKind(kind), read->raw);
  if (!value.ok()) return Require(!value.error().message().empty());
  const std::string text = value->dump();  // throws where a text is not UTF-8
  Require(text.size() <= kJsonOfNothing + kJsonPerByte * body.size());
  Require(ordered_json::parse(text) == *value);
}

}  // namespace
}  // namespace protobuf_fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 1 << 16) return 0;
  constexpr std::string_view kKinds[] = {"ConfigMap",  "Secret",       "Namespace", "Pod",
                                         "Deployment", "Service",      "Node",      "Lease",
                                         "Event",      "DeleteOptions"};
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  protobuf_fuzz::Decode(kKinds[data[0] % std::size(kKinds)], body);
  return 0;
}
