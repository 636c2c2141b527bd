#include "tools/command/output_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tools/command/text_file.h"

namespace relist::command {
namespace output_files_test {

class OutputFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_);
    ASSERT_TRUE(WriteTextFile(input_, "x").ok());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Check(const std::vector<NamedFile>& outputs) const {
    const Result<void> checked =
        CheckOutputFiles(outputs, {{"--scenario", ""}, {"--objects", input_}});
    return checked.ok() ? "" : checked.error().message();
  }

  const std::string folder_ = testing::TempDir() + "relist_output_files_test";
  const std::string input_ = folder_ + "/in.yaml";
};

TEST_F(OutputFiles, TakeNoInputsPlaceHoweverItIsWritten) {
  const std::string link = folder_ + "/link", dotted = folder_ + "/./in.yaml";
  std::filesystem::create_symlink(input_, link);
  std::filesystem::create_hard_link(input_, folder_ + "/hard");
  for (const std::string& path : {input_, dotted, link, folder_ + "/hard"}) {
    EXPECT_EQ(Check({{"--kubeconfig", path}}),
              "--kubeconfig " + path +
                  ": this is the file of --objects, which it would empty: name another");
  }
}

TEST_F(OutputFiles, TakeNoPlaceOfEachOther) {
  const std::string one = folder_ + "/new", same = folder_ + "/./new";
  EXPECT_EQ(Check({{"--history", one}, {"--kubeconfig", same}}),
            "--kubeconfig " + same + ": this is the file of --history, too: name another");
  EXPECT_EQ(Check({{"--history", one}, {"--kubeconfig", folder_ + "/other"}}), "");
  // Links that lead to nothing yet, one by a path of its own, one by its folder's.
  const std::string link = folder_ + "/link", far = folder_ + "/far";
  std::filesystem::create_symlink("new", link);
  std::filesystem::create_symlink(link, far);
  for (const std::string& path : {link, far}) {
    EXPECT_NE(Check({{"--history", path}, {"--kubeconfig", one}}), "") << path;
    EXPECT_EQ(Check({{"--history", path}, {"--kubeconfig", folder_ + "/other"}}), "") << path;
  }
}

TEST_F(OutputFiles, MayAllBeOneDeviceOrNotBeGiven) {
  EXPECT_EQ(Check({{"--history", "/dev/null"}, {"--kubeconfig", "/dev/null"}}), "");
  EXPECT_EQ(Check({{"--history", ""}, {"--kubeconfig", ""}}), "");
}

}  // namespace output_files_test
}  // namespace relist::command
