#include "tools/command/kubeconfig_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/wire/base64.h"

namespace relist::command {
std::string KubeconfigText(const KubeconfigFacts& facts) {
  using Json = nlohmann::ordered_json;
  Json user = Json::object();
  if (!facts.token.empty()) {
    user["token"] = facts.token;
  } else if (facts.server.starts_with("https:")) {
    user["token"] = "none-is-asked-for";
  }
  const Json named_user = {{"name", "relist"}, {"user", user}};
  Json config = {{"apiVersion", "v1"}, {"kind", "Config"}, {"current-context", "relist"}};
  config["users"].push_back(named_user);
  const auto add = [&](const std::string& name, const std::string& url) {
    Json cluster = {{"server", url}};
    if (!facts.ca_pem.empty()) cluster["certificate-authority-data"] = EncodeBase64(facts.ca_pem);
    config["clusters"].push_back({{"name", name}, {"cluster", cluster}});
    config["contexts"].push_back(
        {{"name", name}, {"context", {{"cluster", name}, {"user", "relist"}}}});
  };
  add("relist", facts.server);
  for (size_t i = 0; i < facts.replicas.size(); ++i) {
    add(fmt::format("replica-{}", i + 1), facts.replicas[i]);
  }
  return config.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string UrlOf(bool tls, const std::string& address, int port) {
  std::string host = address;
  if (host == "0.0.0.0") host = "127.0.0.1";
  if (host == "::") host = "::1";
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return fmt::format("{}://{}:{}", tls ? "https" : "http", host, port);
}

}  // namespace relist::command
