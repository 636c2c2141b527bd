// The fuzzer's corpus, replayed without a fuzzer.
#include <gtest/gtest.h>

#include "core/corpus_test_support.h"

#define LLVMFuzzerTestOneInput ProtobufFuzzOneInput  // another corpus test has that name
#include "fakeapi/encoding/protobuf_fuzz.cc"         // its entry, as libFuzzer would call it
#undef LLVMFuzzerTestOneInput

TEST(ProtobufCorpus, EveryInputIsReadOrRefused) {
  relist::ForEachInput("fakeapi/testdata/fuzz/protobuf", [](std::string input) {
    for (int kind = 0; kind < 10; ++kind) {
      input[0] = static_cast<char>(kind);
      ProtobufFuzzOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
    }
    // Cut anywhere, and with any one byte changed.
    for (size_t i = 1; i < input.size(); ++i) {
      ProtobufFuzzOneInput(reinterpret_cast<const uint8_t*>(input.data()), i);
      std::string changed = input;
      changed[i] = static_cast<char>(~changed[i]);
      ProtobufFuzzOneInput(reinterpret_cast<const uint8_t*>(changed.data()), changed.size());
    }
  });
}
