// The fuzzer's corpus, replayed without a fuzzer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#define LLVMFuzzerTestOneInput ProtobufFuzzOneInput  // another corpus test has that name
#include "fakeapi/encoding/protobuf_fuzz.cc"         // its entry, as libFuzzer would call it
#undef LLVMFuzzerTestOneInput

TEST(ProtobufCorpus, EveryInputIsReadOrRefused) {
  const std::filesystem::path folder = RELIST_SOURCE_DIR "/fakeapi/testdata/fuzz/protobuf";
  int inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::stringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    std::string input = bytes.str();
    ASSERT_FALSE(input.empty()) << entry.path();
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
    ++inputs;
  }
  EXPECT_GE(inputs, 20);
}
