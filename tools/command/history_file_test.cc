#include "tools/command/history_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tools/command/text_file.h"

namespace relist::command {
namespace {

TEST(HistoryFile, WritesEachEntryOnceAndGoesOnAfterAReset) {
  const std::string path = testing::TempDir() + "relist_history_file_test";
  Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open(path);
  ASSERT_TRUE(file.ok());
  History history;
  history.Add(kSimulationEpoch, "server", "control").Set("action", "evict");
  (*file)->Append(history);
  (*file)->Append(history);
  const std::string first = history.ToText();
  EXPECT_EQ(*ReadTextFile(path), first);
  history.Clear();
  (*file)->Append(history);
  history.Add(kSimulationEpoch, "server", "control").Set("action", "reset");
  (*file)->Append(history);
  EXPECT_EQ(*ReadTextFile(path), first + history.ToText());
  std::filesystem::remove(path);
}

TEST(HistoryFile, AFolderThatIsNotThereIsAnErrorWithThePath) {
  const Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open("/no/such/folder/h");
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message().find("/no/such/folder/h"), std::string::npos);
}

}  // namespace
}  // namespace relist::command
