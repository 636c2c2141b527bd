// Kubeconfigs, in-cluster configuration, or whichever of them there is: what a RestClient needs.
//
//   Result<Kubeconfig> config = LoadKubeconfig("");            // $KUBECONFIG, or ~/.kube/config
//   Result<Kubeconfig> other = LoadKubeconfig({.context = "staging"});
//   Result<Kubeconfig> inside = InClusterConfig();             // of a pod's service account
//   Result<Kubeconfig> any = LoadClientConfig({});             // a kubeconfig, or else in-cluster
//   RestClient rest(loop, config->rest);
//
// As clientcmd reads them: several files in $KUBECONFIG (a colon between; those that are missing
// are skipped), contexts by name, every key of clusters and users: tokens and token files, client
// certificates, user name and password, exec plugins, impersonation, proxy-url (else the proxy of
// the environment), disable-compression, tls-server-name, insecure-skip-tls-verify. A server
// without a scheme is http://. As with kubectl, no credentials go over plain HTTP, but
// impersonation does. Files of certificates and tokens are read again later, see RestClientOptions.
//
// An Error of one line, with the key and the path: what cannot be read; data together with the file
// it stands for; token together with a password; a client certificate without its key, as-groups
// ... without as; auth-provider, which needs code that client-go has taken out, too. More than
// client-go says: a user that is named and not there.
#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "reflector/log.h"
#include "reflector/rest/rest_options.h"
#include "reflector/rest/url.h"

namespace relist {

struct Kubeconfig {
  RestClientOptions rest;
  std::string ns;  // of the context, or of the pod; may be empty
};

struct KubeconfigOptions {
  std::string path;          // of one file, which must be there; empty: see above
  std::string context;       // empty: current-context
  std::shared_ptr<Log> log;  // becomes that of `rest`
};

Result<Kubeconfig> LoadKubeconfig(const KubeconfigOptions& options);
Result<Kubeconfig> LoadKubeconfig(const std::string& path);
// `where` names the text in messages, `folder` is what relative paths start from.
Result<Kubeconfig> ParseKubeconfig(const std::string& text, const std::string& where,
                                   const std::string& folder,
                                   const KubeconfigOptions& options = {});

struct InClusterOptions {
  // Has token, ca.crt and namespace.
  std::string folder = "/var/run/secrets/kubernetes.io/serviceaccount";
  // Empty: $KUBERNETES_SERVICE_HOST and $KUBERNETES_SERVICE_PORT.
  std::string host, port;
  std::shared_ptr<Log> log;
};
// client-go: InClusterConfig. The namespace is $POD_NAMESPACE, that of the account, or "default".
// Without a token it is an Error; without authorities, a line of the log, and those of the system.
Result<Kubeconfig> InClusterConfig(const InClusterOptions& options = {});

// A kubeconfig; where no file is named and none is there, in-cluster, if host, port and token are
// there (client-go: DeferredLoadingClientConfig).
Result<Kubeconfig> LoadClientConfig(const KubeconfigOptions& options,
                                    const InClusterOptions& in_cluster = {});

}  // namespace relist
