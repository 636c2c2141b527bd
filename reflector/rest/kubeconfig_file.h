// What stands in kubeconfig files, before somebody chooses a context: clientcmd's api.Config.
//
//   Result<KubeconfigFile> file = ParseKubeconfigFile(text, "/etc/admin.conf");
//   MergeKubeconfig(&*file, std::move(*second));       // what `file` has wins
//
// Relative paths are resolved against the folder of the file that has them. Keys that nobody knows
// are ignored. Errors are one line: "PATH: cluster `c`: server is no text".
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/result.h"
#include "reflector/rest/exec_credentials.h"
#include "reflector/rest/rest_identity.h"

namespace relist {

// PEM of a key's file, or what its -data held.
struct KubeconfigPem {
  std::string file, data;
  bool given() const { return !file.empty() || !data.empty(); }
};

struct KubeconfigCluster {
  std::string where;  // the file
  std::string server, tls_server_name, proxy_url;
  bool insecure = false, disable_compression = false;
  KubeconfigPem authority;
  std::string exec_config;  // JSON of the extension client.authentication.k8s.io/exec; "": none
};

struct KubeconfigUser {
  std::string where;
  std::string token, token_file, username, password;
  KubeconfigPem certificate, key;
  Impersonation impersonate;
  std::optional<ExecConfig> exec;
  std::string exec_interactive_mode;  // as it stands there
  bool exec_wants_cluster = false;
  std::string auth_provider;  // its name, or "?"; "": none
};

struct KubeconfigContext {
  std::string where;
  std::string cluster, user, ns;
};

struct KubeconfigFile {
  std::string current_context;
  std::map<std::string, KubeconfigCluster> clusters;
  std::map<std::string, KubeconfigUser> users;
  std::map<std::string, KubeconfigContext> contexts;
};

// `where` is the file's path, or a word for messages; an empty text is an empty file.
Result<KubeconfigFile> ParseKubeconfigFile(const std::string& text, const std::string& where,
                                           const std::string& folder);

// client-go: ClientConfigLoadingRules.Load. The first file that has a name keeps it, whole; the
// first that says a current-context is heard.
void MergeKubeconfig(KubeconfigFile* into, KubeconfigFile other);

}  // namespace relist
