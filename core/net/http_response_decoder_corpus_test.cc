#include <gtest/gtest.h>

#include "core/corpus_test_support.h"
#include "core/net/http_response_decoder_fuzz.cc"

namespace relist::http_response_decoder_corpus_test {

TEST(HttpResponseDecoderCorpus, EveryInputThatFuzzingKeptIsDecodedTheSameInAnySplit) {
  ForEachInput("core/testdata/fuzz/http_response_decoder", [](const std::string& bytes) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  });
}

}  // namespace relist::http_response_decoder_corpus_test
