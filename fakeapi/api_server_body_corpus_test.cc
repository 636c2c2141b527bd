// The fuzzer's corpus, replayed without a fuzzer.
#include <gtest/gtest.h>

#include "core/corpus_test_support.h"

#define LLVMFuzzerTestOneInput ApiServerBodyFuzzOneInput  // another corpus test has that name
#include "fakeapi/api_server_body_fuzz.cc"                // its entry, as libFuzzer would call it
#undef LLVMFuzzerTestOneInput

TEST(ApiServerBodyCorpus, EveryBodyIsStoredOrRefused) {
  relist::ForEachInput("fakeapi/testdata/fuzz/api_server_body", [](const std::string& input) {
    ApiServerBodyFuzzOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  });
}
