#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "reflector/rest/kubeconfig.h"

namespace relist {
namespace {

std::string GivenOrEnvironment(const std::string& given, const char* name) {
  if (!given.empty()) return given;
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string FirstWord(const std::string& text) {
  static constexpr const char* kSpace = " \t\r\n";
  const size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
  return text.substr(begin, text.find_first_of(kSpace, begin) - begin);
}

Error NotInCluster(const std::string& why) {
  return Error::Net(Transport::kOther, "in-cluster configuration: " + why);
}

}  // namespace

Result<Kubeconfig> InClusterConfig(const InClusterOptions& options) {
  const std::string host = GivenOrEnvironment(options.host, "KUBERNETES_SERVICE_HOST");
  const std::string port = GivenOrEnvironment(options.port, "KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) {
    return NotInCluster("KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined");
  }
  const bool v6 = host.find(':') != std::string::npos;
  const Result<ServerUrl> url =
      ParseServerUrl(fmt::format("https://{}{}{}:{}", v6 ? "[" : "", host, v6 ? "]" : "", port));
  if (!url.ok()) return NotInCluster(url.error().message());
  Kubeconfig out;
  out.rest.log = options.log;
  out.rest.token_file = options.folder + "/token";
  const std::optional<std::string> token = ReadWholeFile(out.rest.token_file);
  if (!token) return NotInCluster("cannot read " + out.rest.token_file);
  out.rest.bearer_token = FirstWord(*token);

  TlsSettings settings{.ca_file = options.folder + "/ca.crt"};
  Result<std::shared_ptr<TlsClientContext>> context = MakeTlsContext(&settings);
  if (!context.ok()) {
    Say(options.log, LogLevel::kError,
        fmt::format("Expected to load root CA config from {}, but got err: {}", settings.ca_file,
                    context.error().message()));
    settings = {};
    context = MakeTlsContext(&settings);
    if (!context.ok()) return NotInCluster(context.error().message());
  }
  out.rest.endpoint = {url->host, url->port, std::move(*context)};
  out.rest.tls = std::move(settings);
  Result<std::optional<ProxyUrl>> proxy =
      ProxyFor(ProxyEnvironment::OfProcess(), /*tls=*/true, url->host, url->port);
  if (!proxy.ok()) return NotInCluster(proxy.error().message());
  out.rest.proxy = std::move(*proxy);

  out.ns = GivenOrEnvironment("", "POD_NAMESPACE");
  if (out.ns.empty()) {
    out.ns = FirstWord(ReadWholeFile(options.folder + "/namespace").value_or(""));
  }
  if (out.ns.empty()) out.ns = "default";
  return out;
}

}  // namespace relist
