#include "tools/command/history_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "tools/command/text_file.h"

namespace relist::command {
namespace {

TEST(HistoryFile, WritesEachEntryOnceAndGoesOnAfterAReset) {
  const std::string path = testing::TempDir() + "relist_history_file_test";
  Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open(path, nullptr);
  ASSERT_TRUE(file.ok());
  History history;
  history.Add(kSimulationEpoch, "server", "control").Set("action", "evict");
  (*file)->Append(history);
  (*file)->Append(history);
  const std::string first = history.ToText();
  (*file)->StartOver(history);
  history.Clear();
  (*file)->Append(history);
  history.Add(kSimulationEpoch, "server", "control").Set("action", "reset");
  EXPECT_TRUE((*file)->Finish(history, Seconds(10)).ok());
  EXPECT_EQ(*ReadTextFile(path), history.Head() + first + history.ToText());
  std::filesystem::remove(path);
}

// So many lines that a pipe does not hold them.
History LongHistory() {
  History history;
  for (int i = 0; i < 30000; ++i) {
    history.Add(kSimulationEpoch, "server", "control").Set("action", std::to_string(i));
  }
  return history;
}

TEST(HistoryFile, AReaderThatIsSlowGetsAllOfIt) {
  const std::string path = testing::TempDir() + "relist_history_file_pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  Result<std::string> got = std::string();
  std::thread reader([&] { got = ReadTextFile(path); });
  Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open(path, nullptr);
  ASSERT_TRUE(file.ok());
  History history = LongHistory();
  const std::string text = history.Head() + history.ToText();
  (*file)->Append(history);
  (*file)->StartOver(history);
  history.Clear();
  EXPECT_TRUE((*file)->Finish(history, Seconds(60)).ok());
  file->reset();
  reader.join();
  EXPECT_EQ(*got, text);
  std::filesystem::remove(path);
}

TEST(HistoryFile, AReaderThatStallsIsNotWaitedFor) {
  const std::string path = testing::TempDir() + "relist_history_file_stall";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open(path, nullptr);
  ASSERT_TRUE(file.ok());
  const History history = LongHistory();
  (*file)->Append(history);
  const Result<void> kept = (*file)->Finish(history, Millis(50));
  ASSERT_FALSE(kept.ok());
  EXPECT_THAT(kept.error().message(),
              testing::ContainsRegex("stall: nobody read it: its last [0-9]+ lines"));
  close(reader);
  std::filesystem::remove(path);
}

TEST(HistoryFile, AFullDeviceIsToldOnceAndNothingIsWrittenFromThenOn) {
  std::string told;
  Result<std::unique_ptr<HistoryFile>> file =
      HistoryFile::Open("/dev/full", [&](const Error& error) { told += error.message(); });
  ASSERT_TRUE(file.ok());
  History history;
  history.Add(kSimulationEpoch, "server", "control").Set("action", "evict");
  (*file)->Append(history);
  EXPECT_TRUE((*file)->Finish(history, Seconds(10)).ok());
  EXPECT_EQ(told, "cannot write /dev/full: No space left on device");
  EXPECT_TRUE((*file)->failed());
}

TEST(HistoryFile, AFolderThatIsNotThereIsAnErrorWithThePath) {
  const Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open("/no/such/folder/h", nullptr);
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message().find("/no/such/folder/h"), std::string::npos);
}

}  // namespace
}  // namespace relist::command
