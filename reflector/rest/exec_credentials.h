// What is said to a credential plugin, and what it says: ExecCredential of client.authentication.
// k8s.io/v1 and v1beta1, which are alike.
//
//   environment += "KUBERNETES_EXEC_INFO=" + ExecInfo(config, /*interactive=*/false);
//   Result<ExecCredentials> credentials = ParseExecCredentials(printed, config.api_version);
//
// Pure. Errors are one line, in client-go's words.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/time.h"

namespace relist {

// A kubeconfig's `exec`.
struct ExecConfig {
  enum class Interactive { kNo, kIfAvailable, kAlways };
  std::string api_version;  // client.authentication.k8s.io/v1 or .../v1beta1
  std::string command;
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;
  std::string install_hint;
  Interactive interactive = Interactive::kNo;
  std::string cluster_info;  // JSON for the plugin; empty: provideClusterInfo is not set
  // client-go waits for ever. Somebody who types needs longer.
  Duration deadline = Seconds(60);
  Duration interactive_deadline = Seconds(600);
};

struct ExecCredentials {
  std::string token;
  std::string cert_pem, key_pem;  // both or neither
  std::optional<TimePoint> expires;
};

bool IsExecVersion(const std::string& api_version);
std::string ExecInfo(const ExecConfig& config, bool interactive);
Result<ExecCredentials> ParseExecCredentials(const std::string& printed,
                                             const std::string& api_version);

}  // namespace relist
