// The fuzzer's corpus, replayed without a fuzzer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "fakeapi/http/http_codec_fuzz.cc"  // its entry, as libFuzzer would call it

TEST(HttpCodecCorpus, EveryInputIsReadAlikeInAnySplit) {
  const std::filesystem::path folder = RELIST_SOURCE_DIR "/fakeapi/testdata/fuzz/http_codec";
  int inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::stringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    std::string input = bytes.str();
    ASSERT_FALSE(input.empty()) << entry.path();
    for (int split = 0; split < 16; ++split) {
      input[0] = static_cast<char>(split);
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
    }
    ++inputs;
  }
  EXPECT_GE(inputs, 20);
}
