// The fuzzer's corpus, replayed without a fuzzer.
#include <gtest/gtest.h>

#include "core/corpus_test_support.h"
#include "fakeapi/http/http_codec_fuzz.cc"  // its entry, as libFuzzer would call it

TEST(HttpCodecCorpus, EveryInputIsReadAlikeInAnySplit) {
  relist::ForEachInput("fakeapi/testdata/fuzz/http_codec", [](std::string input) {
    for (int split = 0; split < 16; ++split) {
      input[0] = static_cast<char>(split);
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
    }
  });
}
