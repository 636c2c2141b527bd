#include "reflector/rest/kubeconfig.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "core/net/tls_test_support.h"
#include "core/wire/base64.h"
#include "reflector/testing/temporary_folder.h"

namespace relist {
namespace kubeconfig_test {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

std::string Config(const std::string& cluster, const std::string& user) {
  return "apiVersion: v1\nkind: Config\ncurrent-context: here\n"
         "contexts:\n- name: here\n  context: {cluster: c, user: u, namespace: team}\n"
         "clusters:\n- name: c\n  cluster:\n" +
         cluster + "users:\n- name: u\n  user:\n" + user;
}

std::string MessageOf(const std::string& cluster, const std::string& user,
                      const KubeconfigOptions& options = {}) {
  const auto config = ParseKubeconfig(Config(cluster, user), "file", "", options);
  return config.ok() ? std::string("good") : config.error().message();
}

const std::string kTls = "    server: https://h\n", kPlain = "    server: http://h\n";

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

TEST(Kubeconfig, RefusesWhatContradictsItself) {
  EXPECT_EQ(MessageOf(kTls, "    {token: x, username: me}\n"),
            "file: user `u`: token and username or password; only one is allowed");
  EXPECT_EQ(MessageOf(kTls, "    {client-key: a, client-key-data: YQ==, client-certificate: b}\n"),
            "file: user `u`: client-key and client-key-data; only one is allowed");
  EXPECT_EQ(MessageOf(kTls,
                      "    {client-key: a, client-certificate: b, "
                      "client-certificate-data: YQ==}\n"),
            "file: user `u`: client-certificate and client-certificate-data; only one is allowed");
  EXPECT_EQ(MessageOf(kTls + "    certificate-authority: a\n    certificate-authority-data: YQ==\n",
                      "    {}\n"),
            "file: cluster `c`: certificate-authority and certificate-authority-data; only one is "
            "allowed");
  EXPECT_THAT(MessageOf(kTls + "    certificate-authority-data: YQ==\n"
                               "    insecure-skip-tls-verify: true\n",
                        "    {}\n"),
              HasSubstr("together with insecure-skip-tls-verify"));
  for (const std::string key : {"as-uid: x", "as-groups: [a]", "as-user-extra: {a: [b]}"}) {
    EXPECT_EQ(MessageOf(kPlain, "    " + key + "\n"),
              "file: user `u`: as-uid, as-groups and as-user-extra need an `as`");
  }
}

TEST(Kubeconfig, RefusesWhatItsTextMayNotBe) {
  EXPECT_EQ(MessageOf("    server: [a]\n", "    {}\n"), "file: cluster `c`: server is no text");
  EXPECT_EQ(MessageOf(kTls + "    insecure-skip-tls-verify: maybe\n", "    {}\n"),
            "file: cluster `c`: insecure-skip-tls-verify is neither true nor false");
  EXPECT_EQ(MessageOf(kTls, "    {as: a, as-groups: x}\n"), "file: user `u`: as-groups is no list");
  EXPECT_EQ(MessageOf(kTls, "    {}\n- name: u\n  user: {}\n"), "file: user `u`: is there twice");
  EXPECT_EQ(MessageOf("    {}\n", "    {}\n"), "file: cluster `c`: server is missing");
}

TEST(Kubeconfig, RefusesAuthProvidersAsClientGoDoes) {
  for (const std::string& server : {kTls, kPlain}) {
    EXPECT_EQ(MessageOf(server, "    auth-provider: {name: gcp}\n"),
              "file: user `u`: auth-provider `gcp` is not supported; exec plugins, tokens and "
              "client certificates are");
  }
}

TEST(Kubeconfig, TakesUserNameAndPasswordOverTlsOnly) {
  const std::string user = "    {username: me, password: secret}\n";
  EXPECT_EQ(ParseKubeconfig(Config(kTls, user), "file", "")->rest.password, "secret");
  EXPECT_EQ(ParseKubeconfig(Config(kPlain, user), "file", "")->rest.username, "");
}

TEST(Kubeconfig, TakesImpersonationOverPlainHttpToo) {
  const auto config = ParseKubeconfig(
      Config(kPlain, "    {as: jane, as-uid: u1, as-groups: [a, b], as-user-extra: {k: [v, w]}}\n"),
      "file", "");
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->rest.impersonate,
            (Impersonation{"jane", "u1", {"a", "b"}, {{"k", {"v", "w"}}}}));
}

TEST(Kubeconfig, TakesTheProxyOfTheClusterOrElseOfTheEnvironment) {
  const std::string with = kTls + "    proxy-url: http://me:pw@p:3128\n";
  const std::string socks = kTls + "    proxy-url: socks5://p\n";
  EXPECT_EQ(ParseKubeconfig(Config(with, "    {}\n"), "file", "")->rest.proxy,
            (ProxyUrl{"http", "p", 3128, "me", "pw"}));
  EXPECT_EQ(ParseKubeconfig(Config(socks, "    {}\n"), "file", "")->rest.proxy->port, 1080);
  EXPECT_EQ(MessageOf(kTls + "    proxy-url: ftp://p\n", "    {}\n"),
            "file: cluster `c`: proxy-url: unsupported scheme \"ftp\" of a proxy, must be http, "
            "https, or socks5");
  setenv("HTTPS_PROXY", "http://env:1", 1);
  EXPECT_EQ(ParseKubeconfig(Config(kTls, "    {}\n"), "file", "")->rest.proxy->host, "env");
  EXPECT_EQ(ParseKubeconfig(Config(with, "    {}\n"), "file", "")->rest.proxy->host, "p");
  unsetenv("HTTPS_PROXY");
  EXPECT_FALSE(ParseKubeconfig(Config(kTls, "    {}\n"), "file", "")->rest.proxy);
}

TEST(Kubeconfig, TakesAServerWithoutASchemeForPlainHttp) {
  const auto config =
      ParseKubeconfig(Config("    server: localhost:8080\n", "    token: x\n"), "file", "");
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->rest.endpoint.port, 8080);
  EXPECT_EQ(config->rest.endpoint.tls, nullptr);
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

TEST(Kubeconfig, ChoosesAContextByName) {
  const std::string text = Config(kPlain, "    {}\n") + "- name: v\n  user: {as: jane}\n";
  const std::string two = text.substr(0, text.find("clusters:")) +
                          "- name: there\n  context: {cluster: c, user: v, namespace: other}\n" +
                          text.substr(text.find("clusters:"));
  EXPECT_EQ(ParseKubeconfig(two, "file", "")->ns, "team");
  const auto other = ParseKubeconfig(two, "file", "", {.context = "there"});
  ASSERT_TRUE(other.ok()) << other.error().message();
  EXPECT_EQ(other->ns, "other");
  EXPECT_EQ(other->rest.impersonate.user, "jane");
  EXPECT_EQ(ParseKubeconfig(two, "file", "", {.context = "x"}).error().message(),
            "file: no context is named `x`");
}

TEST(Kubeconfig, FindsTheFileThatTheEnvironmentNames) {
  TemporaryFolder folder;
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

TEST(Kubeconfig, MergesTheFilesThatTheEnvironmentNames) {
  TemporaryFolder folder;
  const std::string users =
      folder.Write("users", "users:\n- name: u\n  user: {as: first}\n- name: c\n  user: {}\n");
  const std::string all = folder.Write("all", Config(kPlain, "    {as: second, as-uid: x}\n"));
  const std::string last = folder.Write("last", "current-context: elsewhere\n");
  const std::string list = users + "::" + folder.path() + "/missing:" + all + ":" + last;
  setenv("KUBECONFIG", list.c_str(), 1);
  const auto config = LoadKubeconfig("");
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->ns, "team");
  EXPECT_EQ(config->rest.impersonate, (Impersonation{"first", "", {}, {}}))
      << "the first file that has a name keeps it, whole";
  folder.Write("last", "a: [b");
  EXPECT_THAT(LoadKubeconfig("").error().message(), HasSubstr("/last: line 1: "));
  folder.Remove("users");
  folder.Remove("all");
  folder.Remove("last");
  EXPECT_EQ(LoadKubeconfig("").error().message(), users + ":" + folder.path() + "/missing:" + all +
                                                      ":" + last + ": cannot read this kubeconfig");
  unsetenv("KUBECONFIG");
}

TEST(Kubeconfig, ReadsATokenFileBesideItself) {
  TemporaryFolder folder;
  folder.Write("token", "abc\n");
  const std::string file =
      folder.Write("config", Config("    server: https://localhost\n", "    tokenFile: token\n"));
  const auto config = LoadKubeconfig(file);
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->rest.token_file, folder.path() + "/token");
}

TEST(Kubeconfig, DoesWithoutTheTokenFileWhereThereIsAToken) {
  EXPECT_EQ(MessageOf(kTls, "    {token: x, tokenFile: /nowhere/t}\n"), "good");
}

TEST(Kubeconfig, RemembersTheFilesOfItsCertificatesUnlessOneIsData) {
  using tls_test_support::MakeIdentity;
  const auto identity = MakeIdentity({.name = "jane"});
  TemporaryFolder folder;
  folder.Write("ca.crt", identity.cert_pem);
  folder.Write("tls.crt", identity.cert_pem);
  folder.Write("tls.key", identity.key_pem);
  const std::string ca = kTls + "    certificate-authority: ca.crt\n";
  const auto files =
      ParseKubeconfig(Config(ca, "    {client-certificate: tls.crt, client-key: tls.key}\n"),
                      "file", folder.path());
  ASSERT_TRUE(files.ok()) << files.error().message();
  EXPECT_EQ(files->rest.tls->ca_file, folder.path() + "/ca.crt");
  EXPECT_EQ(files->rest.tls->cert_file, folder.path() + "/tls.crt");
  EXPECT_EQ(files->rest.tls->pem.key_pem, identity.key_pem);
  const auto mixed =
      ParseKubeconfig(Config(ca, "    {client-certificate: tls.crt, client-key-data: " +
                                     EncodeBase64(identity.key_pem) + "}\n"),
                      "file", folder.path());
  ASSERT_TRUE(mixed.ok()) << mixed.error().message();
  EXPECT_EQ(mixed->rest.tls->cert_file, "");
  EXPECT_EQ(mixed->rest.tls->pem.cert_pem, identity.cert_pem);
}

}  // namespace kubeconfig_test
}  // namespace relist
