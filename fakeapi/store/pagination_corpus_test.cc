// The fuzzer's corpus, replayed without a fuzzer.
#include <gtest/gtest.h>

#include "core/corpus_test_support.h"

#define LLVMFuzzerTestOneInput PaginationFuzzOneInput  // another corpus test has that name
#include "fakeapi/store/pagination_fuzz.cc"            // its entry, as libFuzzer would call it
#undef LLVMFuzzerTestOneInput

TEST(PaginationCorpus, EveryTokenIsTakenOrRefused) {
  relist::ForEachInput("fakeapi/testdata/fuzz/pagination", [](const std::string& input) {
    PaginationFuzzOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  });
}
