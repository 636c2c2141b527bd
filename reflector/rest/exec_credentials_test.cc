#include "reflector/rest/exec_credentials.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace relist {
namespace exec_credentials_test {

constexpr const char* kV1 = "client.authentication.k8s.io/v1";

std::string Printed(const std::string& status, const std::string& version = kV1) {
  return R"({"kind":"ExecCredential","apiVersion":")" + version + R"(","status":)" + status + "}\n";
}
std::string WhyNot(const std::string& printed) {
  const auto credentials = ParseExecCredentials(printed, kV1);
  return credentials.ok() ? "good" : credentials.error().message();
}

TEST(ExecCredentials, AreATokenOrACertificateWithAnEnd) {
  const auto token = ParseExecCredentials(
      Printed(R"({"token":"abc","expirationTimestamp":"2026-01-01T00:00:05Z"})"), kV1);
  ASSERT_TRUE(token.ok()) << token.error().message();
  EXPECT_EQ(token->token, "abc");
  EXPECT_EQ(token->expires, kSimulationEpoch + Seconds(5));
  const auto pair = ParseExecCredentials(
      Printed(R"({"clientCertificateData":"C","clientKeyData":"K","expirationTimestamp":null})"),
      kV1);
  ASSERT_TRUE(pair.ok());
  EXPECT_EQ(pair->cert_pem, "C");
  EXPECT_EQ(pair->key_pem, "K");
  EXPECT_FALSE(pair->expires);
}

TEST(ExecCredentials, ThatAreNoneAreCalledThat) {
  EXPECT_EQ(WhyNot("token"), "decoding stdout: the exec plugin printed no JSON object");
  EXPECT_EQ(WhyNot(std::string(1000, '[')),
            "decoding stdout: the exec plugin printed no JSON object");
  EXPECT_EQ(WhyNot(R"({"kind":"Secret","apiVersion":"v1"})"),
            "decoding stdout: kind \"Secret\", not ExecCredential");
  EXPECT_EQ(WhyNot(Printed("{}", "client.authentication.k8s.io/v1beta1")),
            "exec plugin is configured to use API version client.authentication.k8s.io/v1, plugin "
            "returned version client.authentication.k8s.io/v1beta1");
  EXPECT_EQ(WhyNot(Printed("null")), "exec plugin didn't return a status field");
  EXPECT_EQ(WhyNot(Printed("{}")), "exec plugin didn't return a token or cert/key pair");
  EXPECT_EQ(WhyNot(Printed(R"({"clientKeyData":"K"})")),
            "exec plugin returned only certificate or key, not both");
  EXPECT_EQ(WhyNot(Printed(R"({"token":7})")), "decoding stdout: token is no string");
  EXPECT_EQ(WhyNot(Printed(R"({"token":"a","expirationTimestamp":"soon"})")),
            "decoding stdout: expirationTimestamp \"soon\" is no time");
}

TEST(ExecCredentials, ArePreparedByWhatThePluginIsTold) {
  ExecConfig config{.api_version = kV1};
  EXPECT_EQ(nlohmann::json::parse(ExecInfo(config, true)),
            nlohmann::json::parse(R"({"kind":"ExecCredential","spec":{"interactive":true},
              "apiVersion":"client.authentication.k8s.io/v1"})"));
  config.cluster_info = R"({"server":"https://h"})";
  EXPECT_EQ(nlohmann::json::parse(ExecInfo(config, false))["spec"],
            nlohmann::json::parse(R"({"interactive":false,"cluster":{"server":"https://h"}})"));
  EXPECT_TRUE(IsExecVersion("client.authentication.k8s.io/v1beta1"));
  EXPECT_FALSE(IsExecVersion("client.authentication.k8s.io/v1alpha1"));
  EXPECT_FALSE(IsExecVersion(""));
}

}  // namespace exec_credentials_test
}  // namespace relist
