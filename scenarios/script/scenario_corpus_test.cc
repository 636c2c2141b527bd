// What fuzzing kept, and every shipped case.
#include "scenarios/script/scenario_fuzz_test_support.h"

#include <gtest/gtest.h>

#include "core/corpus_test_support.h"
#include "scenarios/script/scenario.h"

namespace relist {
namespace {

TEST(ScenarioCorpusTest, WhatFuzzingKeptIsReadOrRefused) {
  ForEachInput("scenarios/testdata/fuzz/scenario", TryScenario);
}

TEST(ScenarioCorpusTest, EveryCaseIsReadAgainAsItself) {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(RELIST_SOURCE_DIR "/scenarios/cases")) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    TryScenario(std::string((std::istreambuf_iterator<char>(file)), {}));
  }
}

}  // namespace
}  // namespace relist
