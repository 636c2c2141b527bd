#include "reflector/rest/kubeconfig.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/wire/base64.h"
#include "reflector/rest/kubeconfig_file.h"

namespace relist {
namespace {

using nlohmann::json;

Error BadConfig(const std::string& where, const std::string& why) {
  return Error::Net(Transport::kOther, fmt::format("{}: {}", where, why));
}

// One context of a file: its parts, checked, and put together.
class Chooser {
 public:
  Chooser(const KubeconfigCluster& cluster, std::string cluster_name, const KubeconfigUser& user,
          std::string user_name)
      : cluster_(cluster),
        user_(user),
        cluster_name_(std::move(cluster_name)),
        user_name_(std::move(user_name)) {}

  Result<RestClientOptions> Choose() {
    Result<void> good = CheckUser();
    if (good.ok()) good = Connect();
    if (good.ok() && tls_) good = Secure();
    if (good.ok() && tls_) good = Identify();
    if (!good.ok()) return good.error();
    out_.impersonate = user_.impersonate;
    return std::move(out_);
  }

 private:
  Error OfCluster(const std::string& why) const {
    return BadConfig(cluster_.where, fmt::format("cluster `{}`: {}", cluster_name_, why));
  }
  Error OfUser(const std::string& why) const {
    return BadConfig(user_.where, fmt::format("user `{}`: {}", user_name_, why));
  }

  // client-go: validateAuthInfo
  Result<void> CheckUser() const {
    const KubeconfigUser& user = user_;
    if (!user.auth_provider.empty()) {
      return OfUser(
          fmt::format("auth-provider `{}` is not supported; exec plugins, tokens and "
                      "client certificates are",
                      user.auth_provider));
    }
    if (!user.token.empty() && !(user.username.empty() && user.password.empty())) {
      return OfUser("token and username or password; only one is allowed");
    }
    if (user.certificate.given() != user.key.given()) {
      return OfUser("client-certificate and client-key go together");
    }
    if (!user.certificate.file.empty() && !user.certificate.data.empty()) {
      return OfUser("client-certificate and client-certificate-data; only one is allowed");
    }
    if (!user.key.file.empty() && !user.key.data.empty()) {
      return OfUser("client-key and client-key-data; only one is allowed");
    }
    const Impersonation& other = user.impersonate;
    if (other.user.empty() && !(other.uid.empty() && other.groups.empty() && other.extra.empty())) {
      return OfUser("as-uid, as-groups and as-user-extra need an `as`");
    }
    return CheckExec();
  }

  Result<void> CheckExec() const {
    if (!user_.exec) return {};
    const ExecConfig& exec = *user_.exec;
    if (exec.command.empty()) return OfUser("exec has no command");
    if (!IsExecVersion(exec.api_version)) {
      return OfUser(
          fmt::format("exec has the apiVersion \"{}\"; client.authentication.k8s.io/v1 "
                      "and v1beta1 are supported",
                      exec.api_version));
    }
    for (const auto& [name, value] : exec.env) {
      if (name.empty()) return OfUser("exec has an env without a name");
    }
    const std::string& mode = user_.exec_interactive_mode;
    const bool old = exec.api_version.ends_with("v1beta1");
    if (mode.empty() && !old) return OfUser("exec has no interactiveMode");
    if (!mode.empty() && mode != "Never" && mode != "IfAvailable" && mode != "Always") {
      return OfUser(
          fmt::format("exec has the interactiveMode \"{}\"; there are Never, IfAvailable "
                      "and Always",
                      mode));
    }
    return {};
  }

  Result<void> Connect() {
    std::string text = cluster_.server;
    if (text.empty()) return OfCluster("server is missing");
    if (text.find("://") == std::string::npos) text = "http://" + text;
    const Result<ServerUrl> url = ParseServerUrl(text);
    if (!url.ok()) return OfCluster("server: " + url.error().message());
    tls_ = url->tls;
    out_.endpoint = {url->host, url->port, nullptr};
    out_.path_prefix = url->path;
    out_.accept_gzip = !cluster_.disable_compression;
    if (!cluster_.proxy_url.empty()) {
      Result<ProxyUrl> proxy = ParseProxyUrl(cluster_.proxy_url);
      if (!proxy.ok()) return OfCluster("proxy-url: " + proxy.error().message());
      out_.proxy = std::move(*proxy);
      return {};
    }
    Result<std::optional<ProxyUrl>> proxy =
        ProxyFor(ProxyEnvironment::OfProcess(), tls_, url->host, url->port);
    if (!proxy.ok()) return proxy.error();
    out_.proxy = std::move(*proxy);
    return {};
  }

  Result<void> Secure() {
    TlsSettings settings;
    settings.pem.server_name = cluster_.tls_server_name;
    settings.pem.insecure_skip_verify = cluster_.insecure;
    settings.pem.ca_pem = cluster_.authority.data;
    settings.pem.cert_pem = user_.certificate.data;
    settings.pem.key_pem = user_.key.data;
    settings.ca_file = cluster_.authority.file;
    settings.cert_file = user_.certificate.file;
    settings.key_file = user_.key.file;
    if (!cluster_.authority.file.empty() && !cluster_.authority.data.empty()) {
      return OfCluster("certificate-authority and certificate-authority-data; only one is allowed");
    }
    if (cluster_.insecure && cluster_.authority.given()) {
      return OfCluster("a certificate authority together with insecure-skip-tls-verify");
    }
    Result<std::shared_ptr<TlsClientContext>> context = MakeTlsContext(&settings);
    if (!context.ok()) return BadConfig(cluster_.where, context.error().message());
    // Who gives either as data has it for good.
    if (settings.cert_file.empty() || settings.key_file.empty()) {
      settings.cert_file.clear();
      settings.key_file.clear();
    }
    out_.endpoint.tls = std::move(*context);
    out_.tls = std::move(settings);
    return {};
  }

  Result<void> Identify() {
    out_.bearer_token = user_.token;
    out_.token_file = user_.token_file;
    out_.username = user_.username;
    out_.password = user_.password;
    if (user_.token.empty() && !user_.token_file.empty() && !ReadWholeFile(user_.token_file)) {
      return BadConfig(user_.where, "tokenFile: cannot read " + user_.token_file);
    }
    if (!user_.exec || user_.certificate.given()) return {};
    ExecConfig exec = *user_.exec;
    const std::string& mode = user_.exec_interactive_mode;
    exec.interactive = mode == "Never"    ? ExecConfig::Interactive::kNo
                       : mode == "Always" ? ExecConfig::Interactive::kAlways
                                          : ExecConfig::Interactive::kIfAvailable;
    if (user_.exec_wants_cluster) exec.cluster_info = ClusterForPlugin();
    out_.exec = std::move(exec);
    return {};
  }

  // client-go: ConfigToExecCluster
  std::string ClusterForPlugin() const {
    json out = {{"server", cluster_.server}, {"config", nullptr}};
    const auto add = [&out](const char* key, const std::string& text) {
      if (!text.empty()) out[key] = text;
    };
    add("tls-server-name", cluster_.tls_server_name);
    add("certificate-authority-data", EncodeBase64(out_.tls->pem.ca_pem));
    add("proxy-url", cluster_.proxy_url);
    if (cluster_.insecure) out["insecure-skip-tls-verify"] = true;
    if (cluster_.disable_compression) out["disable-compression"] = true;
    if (!cluster_.exec_config.empty()) {
      out["config"] = json::parse(cluster_.exec_config, nullptr, /*allow_exceptions=*/false);
    }
    return out.dump(-1, ' ', false, json::error_handler_t::replace);
  }

  const KubeconfigCluster& cluster_;
  const KubeconfigUser& user_;
  const std::string cluster_name_, user_name_;
  RestClientOptions out_;
  bool tls_ = false;
};

Result<Kubeconfig> ChooseContext(const KubeconfigFile& file, const std::string& where,
                                 const KubeconfigOptions& options) {
  const std::string name = options.context.empty() ? file.current_context : options.context;
  if (name.empty()) return BadConfig(where, "current-context is missing");
  const auto context = file.contexts.find(name);
  if (context == file.contexts.end()) {
    return BadConfig(where, fmt::format("no context is named `{}`", name));
  }
  const KubeconfigContext& chosen = context->second;
  const auto cluster = file.clusters.find(chosen.cluster);
  if (cluster == file.clusters.end()) {
    return BadConfig(where, fmt::format("no cluster is named `{}`", chosen.cluster));
  }
  const auto user = file.users.find(chosen.user);
  if (user == file.users.end() && !chosen.user.empty()) {
    return BadConfig(where, fmt::format("no user is named `{}`", chosen.user));
  }
  const KubeconfigUser nobody{.where = chosen.where};
  Chooser chooser(cluster->second, cluster->first, user == file.users.end() ? nobody : user->second,
                  chosen.user);
  Result<RestClientOptions> rest = chooser.Choose();
  if (!rest.ok()) return rest.error();
  rest->log = options.log;
  return Kubeconfig{std::move(*rest), chosen.ns};
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// Where kubeconfigs are looked for when none is named; each once.
std::vector<std::string> UsualPaths() {
  std::vector<std::string> out;
  if (const char* list = std::getenv("KUBECONFIG"); list && *list) {
    const std::string paths = list;
    for (size_t begin = 0; begin <= paths.size();) {
      const size_t end = std::min(paths.find(':', begin), paths.size());
      const std::string path = paths.substr(begin, end - begin);
      if (!path.empty() && std::find(out.begin(), out.end(), path) == out.end()) {
        out.push_back(path);
      }
      begin = end + 1;
    }
    return out;
  }
  const char* home = std::getenv("HOME");
  return {std::string(home ? home : "") + "/.kube/config"};
}

struct Merged {
  KubeconfigFile file;
  std::string where;  // the files, a colon between
  bool any = false;   // one of them was there
};

Result<Merged> MergeUsual(const std::vector<std::string>& paths) {
  Merged out;
  for (const std::string& path : paths) {
    out.where += (out.where.empty() ? "" : ":") + path;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) continue;
    const std::optional<std::string> text = ReadWholeFile(path);
    if (!text) return BadConfig(path, "cannot read this kubeconfig");
    Result<KubeconfigFile> one = ParseKubeconfigFile(*text, path, FolderOf(path));
    if (!one.ok()) return one.error();
    out.any = true;
    MergeKubeconfig(&out.file, std::move(*one));
  }
  return out;
}

}  // namespace

Result<Kubeconfig> ParseKubeconfig(const std::string& text, const std::string& where,
                                   const std::string& folder, const KubeconfigOptions& options) {
  const Result<KubeconfigFile> file = ParseKubeconfigFile(text, where, folder);
  if (!file.ok()) return file.error();
  return ChooseContext(*file, where, options);
}

Result<Kubeconfig> LoadKubeconfig(const KubeconfigOptions& options) {
  if (!options.path.empty()) {
    const std::optional<std::string> text = ReadWholeFile(options.path);
    if (!text) return BadConfig(options.path, "cannot read this kubeconfig");
    return ParseKubeconfig(*text, options.path, FolderOf(options.path), options);
  }
  const Result<Merged> merged = MergeUsual(UsualPaths());
  if (!merged.ok()) return merged.error();
  if (!merged->any) return BadConfig(merged->where, "cannot read this kubeconfig");
  return ChooseContext(merged->file, merged->where, options);
}

Result<Kubeconfig> LoadKubeconfig(const std::string& path) {
  return LoadKubeconfig(KubeconfigOptions{.path = path});
}

Result<Kubeconfig> LoadClientConfig(const KubeconfigOptions& options,
                                    const InClusterOptions& in_cluster) {
  if (!options.path.empty()) return LoadKubeconfig(options);
  const Result<Merged> merged = MergeUsual(UsualPaths());
  if (!merged.ok()) return merged.error();
  const bool empty =
      merged->file.contexts.empty() && merged->file.clusters.empty() && merged->file.users.empty();
  if (merged->any && !empty) return ChooseContext(merged->file, merged->where, options);
  Result<Kubeconfig> inside = InClusterConfig(in_cluster);
  if (inside.ok()) return inside;
  return BadConfig(merged->where,
                   "no kubeconfig is here, and none in-cluster: " + inside.error().message());
}

}  // namespace relist
