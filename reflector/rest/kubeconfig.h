// Reads a kubeconfig's current context into what a RestClient needs (clientcmd's subset: server,
// certificate-authority(-data), tls-server-name, insecure-skip-tls-verify, disable-compression,
// token, tokenFile, client-certificate(-data), client-key(-data), namespace).
//
//   Result<Kubeconfig> config = LoadKubeconfig("");            // $KUBECONFIG, or ~/.kube/config
//   RestClient rest(loop, config->rest);
//
// Paths are relative to the file's folder. A file that it names and that cannot be read is an Error
// of one line with the key and the path. As with kubectl, no credentials go over plain HTTP. Data
// wins over a file, tokenFile over token. What would make the connection another one, and is not
// done here, is an Error: proxy-url, impersonation (as, as-groups ...), exec, auth-provider,
// username and password; over plain HTTP, too, where whoever wrote them expects them to be used.
// Keys that nobody knows are ignored.
#pragma once

#include <string>

#include "core/result.h"
#include "reflector/rest/rest_client.h"

namespace relist {

struct Kubeconfig {
  RestClientOptions rest;
  std::string ns;  // of the context; may be empty
};

// An empty path: the first file that $KUBECONFIG names, else ~/.kube/config.
Result<Kubeconfig> LoadKubeconfig(const std::string& path);
// `where` names the text in messages, `folder` is what relative paths start from.
Result<Kubeconfig> ParseKubeconfig(const std::string& text, const std::string& where,
                                   const std::string& folder);

// "https://10.0.0.1:6443/prefix": host, port (80 or 443 if it has none) and the rest.
struct ServerUrl {
  bool tls = false;
  std::string host;
  int port = 0;
  std::string path;
};
Result<ServerUrl> ParseServerUrl(const std::string& url);

}  // namespace relist
