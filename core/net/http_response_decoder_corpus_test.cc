#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/net/http_response_decoder_fuzz.cc"

namespace relist::http_response_decoder_corpus_test {

TEST(HttpResponseDecoderCorpus, EveryInputThatFuzzingKeptIsDecodedTheSameInAnySplit) {
  const std::filesystem::path folder =
      RELIST_SOURCE_DIR "/core/testdata/fuzz/http_response_decoder";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    ++count;
  }
  EXPECT_GE(count, 20);
}

}  // namespace relist::http_response_decoder_corpus_test
