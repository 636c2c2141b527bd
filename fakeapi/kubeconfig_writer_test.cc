#include "fakeapi/kubeconfig_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace relist::fakeapi {
namespace kubeconfig_writer_test {

namespace fs = std::filesystem;

class KubeconfigWriter : public testing::Test {
 protected:
  KubeconfigWriter() {
    std::string pattern = (fs::temp_directory_path() / "kubeconfig_test.XXXXXX").string();
    folder = mkdtemp(pattern.data());
  }
  ~KubeconfigWriter() override { fs::remove_all(folder); }
  std::string Read(const fs::path& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  fs::path folder;
};

TEST_F(KubeconfigWriter, HoldsServerAuthorityAndToken) {
  EXPECT_EQ(KubeconfigText({.server = "https://127.0.0.1:1", .ca_pem = "PEM\n", .token = "a\"b"}),
            "apiVersion: v1\nkind: Config\nclusters:\n- name: relist\n  cluster:\n"
            "    server: \"https://127.0.0.1:1\"\n    certificate-authority-data: UEVNCg==\n"
            "users:\n- name: relist\n  user:\n    token: \"a\\\"b\"\n"
            "contexts:\n- name: relist\n  context:\n    cluster: relist\n    user: relist\n"
            "current-context: relist\n");
  EXPECT_THAT(KubeconfigText({.server = "http://127.0.0.1:1"}),
              testing::AllOf(testing::Not(testing::HasSubstr("authority")),
                             testing::HasSubstr("user: {}\n")));
}

TEST_F(KubeconfigWriter, WritesForTheOwnerAloneAndReplacesLinksInsteadOfFollowingThem) {
  const fs::path path = folder / "config";
  const fs::path victim = folder / "victim";
  std::ofstream(victim) << "precious";
  fs::create_symlink(victim, path);
  ASSERT_TRUE(WriteKubeconfig(path, "text").ok());
  EXPECT_EQ(Read(path), "text");
  EXPECT_EQ(Read(victim), "precious");
  struct stat facts{};
  ASSERT_EQ(stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
  ASSERT_TRUE(WriteKubeconfig(path, "again").ok());
  EXPECT_EQ(Read(path), "again");
}

TEST_F(KubeconfigWriter, SaysWhichFileCantBeWritten) {
  const Result<void> written = WriteKubeconfig(folder / "no" / "config", "text");
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message(), testing::EndsWith("No such file or directory"));
  EXPECT_THAT(written.error().message(), testing::HasSubstr("/no/config can't be written"));
}

}  // namespace kubeconfig_writer_test
}  // namespace relist::fakeapi
