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
  EXPECT_TRUE((*file)->Append(history).ok());
  EXPECT_TRUE((*file)->Append(history).ok());
  const std::string first = history.ToText();
  EXPECT_EQ(*ReadTextFile(path), first);
  (*file)->StartOver();
  history.Clear();
  EXPECT_TRUE((*file)->Append(history).ok());
  history.Add(kSimulationEpoch, "server", "control").Set("action", "reset");
  EXPECT_TRUE((*file)->Append(history).ok());
  EXPECT_EQ(*ReadTextFile(path), first + history.ToText());
  std::filesystem::remove(path);
}

TEST(HistoryFile, AFullDeviceIsAnError) {
  Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open("/dev/full");
  ASSERT_TRUE(file.ok());
  History history;
  history.Add(kSimulationEpoch, "server", "control").Set("action", "evict");
  for (int i = 0; i < 2; ++i) {
    const Result<void> written = (*file)->Append(history);
    ASSERT_FALSE(written.ok());
    EXPECT_NE(written.error().message().find("cannot write /dev/full: "), std::string::npos);
  }
}

TEST(HistoryFile, AFolderThatIsNotThereIsAnErrorWithThePath) {
  const Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open("/no/such/folder/h");
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message().find("/no/such/folder/h"), std::string::npos);
}

}  // namespace
}  // namespace relist::command
