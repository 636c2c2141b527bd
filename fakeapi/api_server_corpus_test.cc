// The fuzzer's corpus, replayed without a fuzzer.
#include <gtest/gtest.h>

#include "core/corpus_test_support.h"

#define LLVMFuzzerTestOneInput ApiServerFuzzOneInput  // another corpus test has that name
#include "fakeapi/api_server_fuzz.cc"                 // its entry, as libFuzzer would call it
#undef LLVMFuzzerTestOneInput

TEST(ApiServerCorpus, EveryTargetIsAnsweredOrRefused) {
  relist::ForEachInput("fakeapi/testdata/fuzz/api_server", [](const std::string& input) {
    ApiServerFuzzOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  });
}
