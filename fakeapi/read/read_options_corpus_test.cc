// The fuzzer's corpus, replayed without a fuzzer.
#include <gtest/gtest.h>

#include "core/corpus_test_support.h"

#define LLVMFuzzerTestOneInput ReadOptionsFuzzOneInput  // another corpus test has that name
#include "fakeapi/read/read_options_fuzz.cc"            // its entry, as libFuzzer would call it
#undef LLVMFuzzerTestOneInput

TEST(ReadOptionsCorpus, EveryNumberIsAsGoReadsIt) {
  relist::ForEachInput("fakeapi/testdata/fuzz/read_options", [](const std::string& input) {
    ReadOptionsFuzzOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  });
}
