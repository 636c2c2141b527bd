#include "tools/command/kubeconfig_file.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <nlohmann/json.hpp>

namespace relist::command {
namespace {

std::string Base64(const std::string& bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
  out.resize(static_cast<size_t>(size));
  return out;
}

}  // namespace

std::string KubeconfigText(const KubeconfigFacts& facts) {
  using Json = nlohmann::ordered_json;
  Json cluster = {{"server", facts.server}};
  if (!facts.ca_pem.empty()) cluster["certificate-authority-data"] = Base64(facts.ca_pem);
  Json user = Json::object();
  if (!facts.token.empty()) {
    user["token"] = facts.token;
  } else if (facts.server.starts_with("https:")) {
    user["token"] = "none-is-asked-for";
  }
  const Json named_cluster = {{"name", "relist"}, {"cluster", cluster}};
  const Json named_user = {{"name", "relist"}, {"user", user}};
  const Json context = {{"name", "relist"},
                        {"context", {{"cluster", "relist"}, {"user", "relist"}}}};
  Json config = {{"apiVersion", "v1"}, {"kind", "Config"}, {"current-context", "relist"}};
  config["clusters"].push_back(named_cluster);
  config["users"].push_back(named_user);
  config["contexts"].push_back(context);
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
