#include <gmock/gmock.h>

#include <cstdlib>

#include "core/net/tls_test_support.h"
#include "reflector/rest/kubeconfig.h"
#include "reflector/testing/temporary_folder.h"

namespace relist {
namespace in_cluster_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

class InCluster : public ::testing::Test {
 protected:
  InCluster() {
    folder_.Write("token", "abc\n");
    folder_.Write("ca.crt", tls_test_support::MakeIdentity({.authority = true}).cert_pem);
    folder_.Write("namespace", "team\n");
    unsetenv("POD_NAMESPACE");
    unsetenv("KUBERNETES_SERVICE_HOST");
    unsetenv("KUBERNETES_SERVICE_PORT");
  }
  InClusterOptions Options() {
    return {.folder = folder_.path(), .host = "10.0.0.1", .port = "443", .log = log_};
  }
  TemporaryFolder folder_;
  std::shared_ptr<CollectedLog> log_ = std::make_shared<CollectedLog>();
};

TEST_F(InCluster, IsTheServiceAccountsOfAPod) {
  const auto config = InClusterConfig(Options());
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->rest.endpoint.host, "10.0.0.1");
  EXPECT_EQ(config->rest.endpoint.port, 443);
  EXPECT_NE(config->rest.endpoint.tls, nullptr);
  EXPECT_EQ(config->rest.tls->ca_file, folder_.path() + "/ca.crt");
  EXPECT_EQ(config->rest.token_file, folder_.path() + "/token");
  EXPECT_EQ(config->rest.bearer_token, "abc");
  EXPECT_EQ(config->ns, "team");
}

TEST_F(InCluster, ReadsHostPortAndNamespaceInTheEnvironment) {
  InClusterOptions options = Options();
  options.host = options.port = "";
  EXPECT_EQ(InClusterConfig(options).error().message(),
            "in-cluster configuration: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be "
            "defined");
  setenv("KUBERNETES_SERVICE_HOST", "fd00::1", 1);
  setenv("KUBERNETES_SERVICE_PORT", "6443", 1);
  setenv("POD_NAMESPACE", "pods", 1);
  const auto config = InClusterConfig(options);
  unsetenv("KUBERNETES_SERVICE_HOST");
  unsetenv("KUBERNETES_SERVICE_PORT");
  unsetenv("POD_NAMESPACE");
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->rest.endpoint.host, "fd00::1");
  EXPECT_EQ(config->rest.endpoint.port, 6443);
  EXPECT_EQ(config->ns, "pods");
}

TEST_F(InCluster, NeedsItsTokenButNoAuthoritiesNorNamespace) {
  folder_.Write("ca.crt", "no certificate");
  folder_.Remove("namespace");
  const auto config = InClusterConfig(Options());
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->ns, "default");
  EXPECT_THAT(log_->lines(), ElementsAre(HasSubstr("E Expected to load root CA config from ")));
  folder_.Remove("token");
  EXPECT_EQ(InClusterConfig(Options()).error().message(),
            "in-cluster configuration: cannot read " + folder_.path() + "/token");
}

TEST_F(InCluster, IsForThoseWhoHaveNoKubeconfig) {
  setenv("KUBECONFIG", (folder_.path() + "/config").c_str(), 1);
  const auto inside = LoadClientConfig({}, Options());
  EXPECT_EQ(inside->rest.endpoint.host, "10.0.0.1");
  InClusterOptions nowhere = Options();
  nowhere.folder = "/nowhere";
  EXPECT_EQ(LoadClientConfig({}, nowhere).error().message(),
            folder_.path() +
                "/config: no kubeconfig is here, and none in-cluster: in-cluster "
                "configuration: cannot read /nowhere/token");
  const std::string file =
      folder_.Write("config",
                    "current-context: x\ncontexts: [{name: x, context: {cluster: c}}]\n"
                    "clusters: [{name: c, cluster: {server: 'http://outside:1'}}]\n");
  EXPECT_EQ(LoadClientConfig({}, Options())->rest.endpoint.host, "outside");
  unsetenv("KUBECONFIG");
  EXPECT_EQ(LoadClientConfig({.path = file}, Options())->rest.endpoint.host, "outside");
  EXPECT_FALSE(LoadClientConfig({.path = "/nowhere"}, Options()).ok()) << "what is named must be";
}

}  // namespace in_cluster_test
}  // namespace relist
