#include "tools/command/text_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

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

TEST(TextFile, AFolderIsNoFile) {
  const Result<std::string> text = ReadTextFile("/");
  ASSERT_FALSE(text.ok());
  EXPECT_NE(text.error().message().find("cannot read /"), std::string::npos);
}

}  // namespace
}  // namespace relist::command
