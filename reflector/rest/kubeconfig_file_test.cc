// What is read out of a kubeconfig's exec and extensions, and how it is judged.
#include "reflector/rest/kubeconfig_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "reflector/rest/kubeconfig.h"

namespace relist {
namespace kubeconfig_file_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::string WithExec(const std::string& exec, const std::string& more = "",
                     const std::string& server = "https://h") {
  return "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"
         "users: [{name: u, user: {exec: " +
         exec + more + "}}]\nclusters:\n- name: c\n  cluster:\n    server: " + server + "\n";
}
Result<Kubeconfig> Parse(const std::string& text) {
  return ParseKubeconfig(text, "file", "/folder");
}

TEST(KubeconfigFile, ReadsAPlugin) {
  const auto config = Parse(WithExec(
      "{apiVersion: client.authentication.k8s.io/v1, command: aws, args: [a, b], installHint: "
      "brew, interactiveMode: Never, env: [{name: A, value: b}, {name: C}]}"));
  ASSERT_TRUE(config.ok()) << config.error().message();
  const ExecConfig& exec = *config->rest.exec;
  EXPECT_EQ(exec.command, "aws");
  EXPECT_THAT(exec.args, ElementsAre("a", "b"));
  EXPECT_THAT(exec.env, ElementsAre(Pair("A", "b"), Pair("C", "")));
  EXPECT_EQ(exec.install_hint, "brew");
  EXPECT_EQ(exec.interactive, ExecConfig::Interactive::kNo);
  EXPECT_EQ(exec.cluster_info, "");
}

TEST(KubeconfigFile, LooksForAPluginWithASlashBesideItself) {
  const std::string beta = "{apiVersion: client.authentication.k8s.io/v1beta1, command: ";
  EXPECT_EQ(Parse(WithExec(beta + "./bin/x}"))->rest.exec->command, "/folder/./bin/x");
  EXPECT_EQ(Parse(WithExec(beta + "/bin/x}"))->rest.exec->command, "/bin/x");
  EXPECT_EQ(Parse(WithExec(beta + "x}"))->rest.exec->interactive,
            ExecConfig::Interactive::kIfAvailable)
      << "the old version's default";
}

TEST(KubeconfigFile, AsksNoPluginOverPlainHttpOrBesideACertificate) {
  const std::string beta = "{apiVersion: client.authentication.k8s.io/v1beta1, command: x}";
  EXPECT_FALSE(Parse(WithExec(beta, "", "http://h"))->rest.exec);
}

TEST(KubeconfigFile, SaysWhatIsWrongWithAPlugin) {
  const auto why = [](const std::string& exec) {
    const auto config = Parse(WithExec(exec));
    return config.ok() ? "good" : config.error().message();
  };
  const std::string v1 = "apiVersion: client.authentication.k8s.io/v1, ";
  EXPECT_EQ(why("{}"), "file: user `u`: exec has no command");
  EXPECT_THAT(why("{command: x, apiVersion: client.authentication.k8s.io/v1alpha1}"),
              HasSubstr("exec has the apiVersion \"client.authentication.k8s.io/v1alpha1\""));
  EXPECT_EQ(why("{" + v1 + "command: x}"), "file: user `u`: exec has no interactiveMode");
  EXPECT_THAT(why("{" + v1 + "command: x, interactiveMode: Maybe}"), HasSubstr("\"Maybe\""));
  EXPECT_EQ(why("{" + v1 + "command: x, interactiveMode: Never, env: [{value: x}]}"),
            "file: user `u`: exec has an env without a name");
  EXPECT_EQ(why("[]"), "file: user `u`: exec is no mapping");
}

TEST(KubeconfigFile, TellsAPluginOfTheClusterWhereItWants) {
  const std::string plugin =
      "{apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Never, "
      "provideClusterInfo: true}";
  const std::string text = WithExec(plugin) +
                           "    insecure-skip-tls-verify: true\n    proxy-url: http://p\n"
                           "    tls-server-name: name\n    disable-compression: true\n"
                           "    extensions:\n    - name: client.authentication.k8s.io/exec\n"
                           "      extension: {audience: abc, n: 7, q: '7', f: 1.5, b: true, "
                           "z: null, l: [a, {b: c}]}\n    - name: other\n";
  const auto config = Parse(text);
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(nlohmann::json::parse(config->rest.exec->cluster_info),
            nlohmann::json::parse(R"({"server":"https://h","tls-server-name":"name",
              "insecure-skip-tls-verify":true,"proxy-url":"http://p","disable-compression":true,
              "config":{"audience":"abc","n":7,"q":"7","f":1.5,"b":true,"z":null,
                        "l":["a",{"b":"c"}]}})"));
  EXPECT_EQ(nlohmann::json::parse(Parse(WithExec(plugin))->rest.exec->cluster_info),
            nlohmann::json::parse(R"({"server":"https://h","config":null})"));
}

TEST(KubeconfigFile, RefusesAnExtensionThatAliasesMakeHuge) {
  std::string bomb = "[x, x, x, x, x, x, x, x, x, x]";
  std::string text =
      "clusters:\n- name: c\n  cluster:\n    extensions:\n"
      "    - name: client.authentication.k8s.io/exec\n      extension:\n"
      "        a0: &a0 " +
      bomb + "\n";
  for (int i = 1; i < 8; ++i) {
    text += "        a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) text += (k ? ", *a" : "*a") + std::to_string(i - 1);
    text += "]\n";
  }
  EXPECT_EQ(ParseKubeconfigFile(text, "file", "").error().message(),
            "file: cluster `c`: an extension is too large");
}

}  // namespace kubeconfig_file_test
}  // namespace relist
