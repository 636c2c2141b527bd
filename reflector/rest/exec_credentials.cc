#include "reflector/rest/exec_credentials.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/wire/json_text.h"
#include "core/wire/rfc3339.h"

namespace relist {
namespace {

using nlohmann::json;

constexpr const char* kKind = "ExecCredential";
constexpr const char* kGroup = "client.authentication.k8s.io/";

Error BadOutput(const std::string& why) {
  return Error::Net(Transport::kOther, why);
}

// Null and absent are "".
Result<std::string> StringAt(const json& map, const char* key) {
  const auto found = map.find(key);
  if (found == map.end() || found->is_null()) return std::string();
  if (!found->is_string()) return BadOutput(fmt::format("decoding stdout: {} is no string", key));
  return found->get<std::string>();
}

}  // namespace

bool IsExecVersion(const std::string& api_version) {
  return api_version == fmt::format("{}v1", kGroup) ||
         api_version == fmt::format("{}v1beta1", kGroup);
}

std::string ExecInfo(const ExecConfig& config, bool interactive) {
  json info = {{"kind", kKind},
               {"apiVersion", config.api_version},
               {"spec", {{"interactive", interactive}}}};
  json cluster;
  std::string text = config.cluster_info;
  if (!text.empty() && ParseJson(&text, &cluster)) info["spec"]["cluster"] = std::move(cluster);
  return info.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<ExecCredentials> ParseExecCredentials(const std::string& printed,
                                             const std::string& api_version) {
  std::string text = printed;
  json value;
  if (JsonDepth(text) > 100 || !ParseJson(&text, &value) || !value.is_object()) {
    return BadOutput("decoding stdout: the exec plugin printed no JSON object");
  }
  const Result<std::string> kind = StringAt(value, "kind");
  const Result<std::string> version = StringAt(value, "apiVersion");
  if (!kind.ok()) return kind.error();
  if (!version.ok()) return version.error();
  if (*kind != kKind) {
    return BadOutput(fmt::format("decoding stdout: kind \"{}\", not {}", *kind, kKind));
  }
  if (*version != api_version) {
    return BadOutput(
        fmt::format("exec plugin is configured to use API version {}, plugin "
                    "returned version {}",
                    api_version, *version));
  }
  const auto status = value.find("status");
  if (status == value.end() || !status->is_object()) {
    return BadOutput("exec plugin didn't return a status field");
  }
  ExecCredentials out;
  std::string expires;
  const std::pair<const char*, std::string*> fields[] = {
      {"token", &out.token},
      {"clientCertificateData", &out.cert_pem},
      {"clientKeyData", &out.key_pem},
      {"expirationTimestamp", &expires},
  };
  for (const auto& [key, into] : fields) {
    Result<std::string> field = StringAt(*status, key);
    if (!field.ok()) return field.error();
    *into = std::move(*field);
  }
  if (out.token.empty() && out.cert_pem.empty() && out.key_pem.empty()) {
    return BadOutput("exec plugin didn't return a token or cert/key pair");
  }
  if (out.cert_pem.empty() != out.key_pem.empty()) {
    return BadOutput("exec plugin returned only certificate or key, not both");
  }
  if (!expires.empty()) {
    out.expires = ParseRfc3339(expires);
    if (!out.expires) {
      return BadOutput(
          fmt::format("decoding stdout: expirationTimestamp \"{}\" is no time", expires));
    }
  }
  return out;
}

}  // namespace relist
