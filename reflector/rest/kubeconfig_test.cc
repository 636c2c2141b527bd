#include "reflector/rest/kubeconfig.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace relist {
namespace kubeconfig_test {

using ::testing::HasSubstr;

std::string Config(const std::string& cluster, const std::string& user) {
  return "apiVersion: v1\nkind: Config\ncurrent-context: here\n"
         "contexts:\n- name: here\n  context: {cluster: c, user: u, namespace: team}\n"
         "clusters:\n- name: c\n  cluster:\n" +
         cluster + "users:\n- name: u\n  user:\n" + user;
}

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kubeconfig-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(path_ + "/" + name) << text;
    return path_ + "/" + name;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Kubeconfig, GivesServerNamespaceAndPath) {
  const auto config =
      ParseKubeconfig(Config("    server: http://127.0.0.1:8001/k8s/\n", "    {}\n"), "file", "");
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->rest.endpoint.host, "127.0.0.1");
  EXPECT_EQ(config->rest.endpoint.port, 8001);
  EXPECT_EQ(config->rest.path_prefix, "/k8s");
  EXPECT_EQ(config->ns, "team");
}

TEST(Kubeconfig, SendsNoTokenOverPlainHttp) {
  const auto config = ParseKubeconfig(
      Config("    server: http://127.0.0.1:8001\n", "    token: secret\n"), "file", "");
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->rest.bearer_token, "");
}

TEST(Kubeconfig, TakesTokenAndSkipsVerificationOverTls) {
  const auto config =
      ParseKubeconfig(Config("    server: https://[::1]:6443\n    insecure-skip-tls-verify: true\n",
                             "    token: secret\n"),
                      "file", "");
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->rest.endpoint.host, "::1");
  EXPECT_EQ(config->rest.endpoint.port, 6443);
  EXPECT_NE(config->rest.endpoint.tls, nullptr);
  EXPECT_EQ(config->rest.bearer_token, "secret");
}

TEST(Kubeconfig, NamesTheKeyAndThePathOfAFileThatIsMissing) {
  const auto config = ParseKubeconfig(
      Config("    server: https://h\n    certificate-authority: ca.crt\n", "    {}\n"), "file",
      "/nowhere");
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error().message(), "file: certificate-authority: cannot read /nowhere/ca.crt");
  const auto token =
      ParseKubeconfig(Config("    server: https://h\n", "    tokenFile: /nowhere/t\n"), "file", "");
  ASSERT_FALSE(token.ok());
  EXPECT_EQ(token.error().message(), "file: tokenFile: cannot read /nowhere/t");
}

TEST(Kubeconfig, SaysWhatIsMissingInTheFile) {
  const auto message = [](const std::string& text) {
    const auto config = ParseKubeconfig(text, "file", "");
    return config.ok() ? std::string("good") : config.error().message();
  };
  EXPECT_EQ(message("kind: Config\n"), "file: current-context is missing");
  EXPECT_EQ(message("current-context: x\n"), "file: no context is named `x`");
  EXPECT_THAT(message("a: [b\n"), HasSubstr("file: line 2: "));
  EXPECT_EQ(message("[]"), "file: not a kubeconfig: no YAML mapping");
  EXPECT_THAT(message(Config("    server: ftp://h\n", "    {}\n")), HasSubstr("server: "));
  EXPECT_THAT(
      message(Config("    server: https://h\n    certificate-authority-data: '*'\n", "    {}\n")),
      HasSubstr("certificate-authority-data is not base64"));
  EXPECT_THAT(message(Config("    server: https://h\n", "    client-key-data: YQ==\n")),
              HasSubstr("client-certificate and client-key go together"));
}

TEST(Kubeconfig, RefusesWhatWouldMakeItAnotherConnection) {
  const auto message = [](const std::string& cluster, const std::string& user) {
    const auto config = ParseKubeconfig(Config(cluster, user), "file", "");
    return config.ok() ? std::string("good") : config.error().message();
  };
  const std::string tls = "    server: https://h\n", plain = "    server: http://h\n";
  EXPECT_EQ(message(tls, "    exec: {command: aws}\n"),
            "file: user `u`: exec is not supported; token, tokenFile and client certificates are");
  for (const std::string key : {"auth-provider: {name: gcp}", "username: me", "password: secret"}) {
    for (const std::string& server : {tls, plain}) {
      EXPECT_THAT(message(server, "    " + key + "\n"),
                  HasSubstr(key.substr(0, key.find(':')) + " is not supported"));
    }
  }
  for (const std::string key :
       {"as: somebody", "as-uid: x", "as-groups: [a]", "as-user-extra: {a: [b]}"}) {
    for (const std::string& server : {tls, plain}) {
      EXPECT_THAT(message(server, "    " + key + "\n"),
                  HasSubstr("user `u`: " + key.substr(0, key.find(':')) + " is not supported"));
    }
  }
  EXPECT_EQ(message(plain + "    proxy-url: http://p\n", "    {}\n"),
            "file: cluster `c`: proxy-url is not supported");
}

TEST(Kubeconfig, IgnoresWhatIsEmptyOrUnknown) {
  const auto config = ParseKubeconfig(
      Config("    server: https://h\n    proxy-url: ''\n    extensions: [{name: x}]\n",
             "    exec: null\n    as: ''\n    as-groups: []\n    frobnicate: yes\n"),
      "file", "");
  EXPECT_TRUE(config.ok()) << config.error().message();
}

TEST(Kubeconfig, AsksForNoGzipWhereCompressionIsOff) {
  const std::string off = "    server: http://h\n    disable-compression: true\n";
  EXPECT_FALSE(ParseKubeconfig(Config(off, "    {}\n"), "file", "")->rest.accept_gzip);
  EXPECT_TRUE(
      ParseKubeconfig(Config("    server: http://h\n", "    {}\n"), "file", "")->rest.accept_gzip);
}

TEST(Kubeconfig, FindsTheFileThatTheEnvironmentNames) {
  Folder folder;
  const std::string file =
      folder.Write("config", Config("    server: http://localhost:1\n", "    {}\n"));
  setenv("KUBECONFIG", file.c_str(), 1);
  const auto config = LoadKubeconfig("");
  unsetenv("KUBECONFIG");
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->rest.endpoint.port, 1);
  const auto missing = LoadKubeconfig(folder.path() + "/other");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message(), folder.path() + "/other: cannot read this kubeconfig");
}

TEST(Kubeconfig, ReadsATokenFileBesideItself) {
  Folder folder;
  folder.Write("token", "abc\n");
  const std::string file =
      folder.Write("config", Config("    server: https://localhost\n", "    tokenFile: token\n"));
  const auto config = LoadKubeconfig(file);
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->rest.token_file, folder.path() + "/token");
}

}  // namespace kubeconfig_test
}  // namespace relist
