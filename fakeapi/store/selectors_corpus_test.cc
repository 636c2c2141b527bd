// The fuzzer's corpus, replayed without a fuzzer.
#include <gtest/gtest.h>

#include "core/corpus_test_support.h"

#define LLVMFuzzerTestOneInput SelectorsFuzzOneInput  // another corpus test has that name
#include "fakeapi/store/selectors_fuzz.cc"            // its entry, as libFuzzer would call it
#undef LLVMFuzzerTestOneInput

TEST(SelectorsCorpus, EveryTextSelectsOrIsRefused) {
  relist::ForEachInput("fakeapi/testdata/fuzz/selectors", [](const std::string& input) {
    SelectorsFuzzOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  });
}
