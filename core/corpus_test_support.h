// What fuzzing kept, for tests that replay it without a fuzzer.
//
//   ForEachInput("core/testdata/fuzz/http_response_decoder", [](std::string bytes) { ... });
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>

namespace relist {

// A corpus that got lost must not look like one in which all is well.
inline constexpr size_t kLeastInputs = 20;

// The files of a folder of this tree, by name. An input that is empty is a failure.
inline void ForEachInput(const std::string& folder,
                         const std::function<void(std::string bytes)>& try_one) {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(RELIST_SOURCE_DIR "/" + folder)) {
    files.insert(entry.path());
  }
  EXPECT_GE(files.size(), kLeastInputs) << folder;
  for (const std::filesystem::path& path : files) {
    SCOPED_TRACE(path.string());
    std::ifstream file(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    ASSERT_FALSE(bytes.empty());
    try_one(std::move(bytes));
  }
}

}  // namespace relist
