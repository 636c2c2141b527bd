#include "tools/command/text_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <iterator>

namespace relist::command {
namespace {

TEST(TextFile, WhatIsWrittenIsRead) {
  const std::string path = testing::TempDir() + "relist_text_file_test";
  const std::string text(200000, 'x');
  ASSERT_TRUE(WriteTextFile(path, text).ok());
  EXPECT_EQ(*ReadTextFile(path), text);
  std::filesystem::remove(path);
}

TEST(TextFile, AFileForItsOwnerIsThatEvenWhereAnOpenOneLay) {
  const std::string path = testing::TempDir() + "relist_text_file_owner_test";
  ASSERT_TRUE(WriteTextFile(path, "open").ok());
  chmod(path.c_str(), 0666);
  ASSERT_TRUE(WriteTextFile(path, "secret", /*only_owner=*/true).ok());
  struct stat facts{};
  ASSERT_EQ(stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
  std::filesystem::remove(path);
}

TEST(TextFile, WhatLiesThereStaysWhereTheNewTextCannotBeWhole) {
  const std::string folder = testing::TempDir() + "relist_text_file_folder";
  std::filesystem::create_directory(folder);
  const std::string path = folder + "/report";
  ASSERT_TRUE(WriteTextFile(path, "old").ok());
  struct rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const struct rlimit small{1000, limit.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const Result<void> written = WriteTextFile(path, std::string(5000, 'x'));
  setrlimit(RLIMIT_FSIZE, &limit);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(*ReadTextFile(path), "old");
  const auto files = std::filesystem::directory_iterator(folder);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  std::filesystem::remove_all(folder);
}

TEST(TextFile, AModeAndALinkStay) {
  const std::string path = testing::TempDir() + "relist_text_file_mode_test";
  const std::string link = path + "_link";
  ASSERT_TRUE(WriteTextFile(path, "old").ok());
  chmod(path.c_str(), 0640);
  std::filesystem::remove(link);
  std::filesystem::create_symlink(path, link);
  ASSERT_TRUE(WriteTextFile(link, "new").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(*ReadTextFile(path), "new");
  struct stat facts{};
  ASSERT_EQ(stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0640u);
  std::filesystem::remove(path);
  std::filesystem::remove(link);
}

TEST(TextFile, ADeviceIsWrittenToAndStaysOne) {
  EXPECT_TRUE(WriteTextFile("/dev/null", "text", /*only_owner=*/true).ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_FALSE(WriteTextFile("/dev/full", "text").ok());
}

TEST(TextFile, AFolderIsNoFile) {
  const Result<std::string> text = ReadTextFile("/");
  ASSERT_FALSE(text.ok());
  EXPECT_NE(text.error().message().find("cannot read /"), std::string::npos);
}

}  // namespace
}  // namespace relist::command
