#include "tools/command/kubeconfig_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace relist::command {
namespace {

TEST(KubeconfigFile, NamesTheServerItsAuthorityAndTheToken) {
  const auto config = nlohmann::json::parse(
      KubeconfigText({.server = "https://127.0.0.1:1", .ca_pem = "pem!", .token = "t"}));
  EXPECT_EQ(config["current-context"], "relist");
  EXPECT_EQ(config["clusters"][0]["cluster"]["server"], "https://127.0.0.1:1");
  EXPECT_EQ(config["clusters"][0]["cluster"]["certificate-authority-data"], "cGVtIQ==");
  EXPECT_EQ(config["users"][0]["user"]["token"], "t");
  EXPECT_EQ(config["contexts"][0]["context"]["user"], "relist");
}

TEST(KubeconfigFile, EachReplicaIsAContext) {
  const auto config = nlohmann::json::parse(
      KubeconfigText({.server = "http://h:1", .replicas = {"http://h:2", "http://h:3"}}));
  EXPECT_EQ(config["current-context"], "relist");
  ASSERT_EQ(config["contexts"].size(), 3u);
  EXPECT_EQ(config["contexts"][2]["name"], "replica-2");
  EXPECT_EQ(config["contexts"][2]["context"]["cluster"], "replica-2");
  EXPECT_EQ(config["clusters"][2]["cluster"]["server"], "http://h:3");
}

TEST(KubeconfigFile, PlainHttpHasNeither) {
  const auto config = nlohmann::json::parse(KubeconfigText({.server = "http://127.0.0.1:1"}));
  EXPECT_EQ(config["clusters"][0]["cluster"].size(), 1u);
  EXPECT_TRUE(config["users"][0]["user"].empty());
}

TEST(KubeconfigFile, OverTlsThereIsAlwaysACredential) {
  const auto config = nlohmann::json::parse(
      KubeconfigText({.server = "https://127.0.0.1:1", .ca_pem = "pem!", .token = ""}));
  EXPECT_FALSE(config["users"][0]["user"]["token"].get<std::string>().empty());
}

TEST(KubeconfigFile, UrlsAreThoseAClientCanReach) {
  EXPECT_EQ(UrlOf(false, "127.0.0.1", 80), "http://127.0.0.1:80");
  EXPECT_EQ(UrlOf(true, "0.0.0.0", 80), "https://127.0.0.1:80");
  EXPECT_EQ(UrlOf(true, "::", 80), "https://[::1]:80");
  EXPECT_EQ(UrlOf(true, "fd00::1", 80), "https://[fd00::1]:80");
}

}  // namespace
}  // namespace relist::command
