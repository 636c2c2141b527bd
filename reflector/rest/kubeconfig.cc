#include "reflector/rest/kubeconfig.h"

#include <fmt/core.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "core/net/tls.h"

namespace relist {
namespace {

Error Bad(const std::string& where, const std::string& why) {
  return Error::Net(Transport::kOther, fmt::format("{}: {}", where, why));
}

// A key's text; "" where it is absent or no scalar.
std::string Text(const YAML::Node& map, const char* key) {
  if (!map || !map.IsMap()) return "";
  const YAML::Node value = map[key];
  return value && value.IsScalar() ? value.Scalar() : "";
}

// Present, and neither null nor empty.
bool Given(const YAML::Node& map, const char* key) {
  if (!map || !map.IsMap()) return false;
  const YAML::Node value = map[key];
  if (!value || value.IsNull()) return false;
  return value.IsScalar() ? !value.Scalar().empty() : value.size() > 0;
}

// Keys of a kubeconfig with which kubectl would connect in another way, or as somebody else.
constexpr const char* kOtherCredentials[] = {"exec", "auth-provider", "username", "password"};
constexpr const char* kOtherPersons[] = {"as", "as-uid", "as-groups", "as-user-extra"};

bool Flag(const YAML::Node& map, const char* key) {
  return Text(map, key) == "true";
}

// The entry of `list` whose name is `name`, or an undefined node.
YAML::Node Named(const YAML::Node& list, const std::string& name) {
  if (list && list.IsSequence()) {
    for (const YAML::Node& entry : list) {
      if (Text(entry, "name") == name) return entry;
    }
  }
  return YAML::Node(YAML::NodeType::Undefined);
}

// A device that never ends is no configuration.
constexpr size_t kBytesMax = size_t{16} << 20;

std::optional<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text;
  std::array<char, 65536> buffer;
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    text.append(buffer.data(), static_cast<size_t>(file.gcount()));
    if (text.size() > kBytesMax) return std::nullopt;
  }
  if (file.bad()) return std::nullopt;
  return text;
}

std::optional<std::string> DecodeBase64(const std::string& text) {
  std::string out;
  uint32_t bits = 0;
  int have = 0;
  for (char c : text) {
    int value = 0;
    if (c >= 'A' && c <= 'Z') {
      value = c - 'A';
    } else if (c >= 'a' && c <= 'z') {
      value = c - 'a' + 26;
    } else if (c >= '0' && c <= '9') {
      value = c - '0' + 52;
    } else if (c == '+') {
      value = 62;
    } else if (c == '/') {
      value = 63;
    } else if (c == '=' || c == '\n' || c == '\r' || c == ' ') {
      continue;
    } else {
      return std::nullopt;
    }
    bits = bits << 6 | static_cast<uint32_t>(value);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out += static_cast<char>(bits >> have & 0xff);
  }
  return out;
}

class Reader {
 public:
  Reader(std::string where, std::string folder)
      : where_(std::move(where)), folder_(std::move(folder)) {}

  Result<Kubeconfig> Read(const YAML::Node& root) {
    const std::string context_name = Text(root, "current-context");
    if (context_name.empty()) return Bad(where_, "current-context is missing");
    const YAML::Node context = Named(root["contexts"], context_name)["context"];
    if (!context) return Bad(where_, fmt::format("no context is named `{}`", context_name));
    const std::string cluster_name = Text(context, "cluster");
    const YAML::Node cluster = Named(root["clusters"], cluster_name)["cluster"];
    if (!cluster) return Bad(where_, fmt::format("no cluster is named `{}`", cluster_name));
    YAML::Node user(YAML::NodeType::Undefined);
    const std::string user_name = Text(context, "user");
    if (!user_name.empty()) {
      user = Named(root["users"], user_name)["user"];
      if (!user) return Bad(where_, fmt::format("no user is named `{}`", user_name));
    }
    Kubeconfig out;
    out.ns = Text(context, "namespace");
    Result<ServerUrl> url = ParseServerUrl(Text(cluster, "server"));
    if (!url.ok()) return Bad(where_, "server: " + url.error().message());
    out.rest.endpoint = {url->host, url->port, nullptr};
    out.rest.path_prefix = url->path;
    out.rest.accept_gzip = !Flag(cluster, "disable-compression");
    if (Given(cluster, "proxy-url")) {
      return Bad(where_, fmt::format("cluster `{}`: proxy-url is not supported", cluster_name));
    }
    for (const char* key : kOtherPersons) {
      if (!Given(user, key)) continue;
      return Bad(where_, fmt::format("user `{}`: {} is not supported", user_name, key));
    }
    for (const char* key : kOtherCredentials) {
      if (!Given(user, key)) continue;
      return Bad(where_, fmt::format("user `{}`: {} is not supported; token, tokenFile and "
                                     "client certificates are",
                                     user_name, key));
    }
    // Credentials are for TLS only, as in clientcmd.
    if (url->tls) {
      Result<void> secured = Secure(cluster, user, &out.rest);
      if (!secured.ok()) return secured.error();
    }
    return out;
  }

 private:
  Result<void> Secure(const YAML::Node& cluster, const YAML::Node& user, RestClientOptions* rest) {
    TlsClientOptions tls;
    tls.server_name = Text(cluster, "tls-server-name");
    tls.insecure_skip_verify = Flag(cluster, "insecure-skip-tls-verify");
    const std::pair<const char*, std::string*> parts[] = {
        {"certificate-authority", &tls.ca_pem},
        {"client-certificate", &tls.cert_pem},
        {"client-key", &tls.key_pem},
    };
    for (const auto& [key, into] : parts) {
      Result<std::string> pem = DataOrFile(into == &tls.ca_pem ? cluster : user, key);
      if (!pem.ok()) return pem.error();
      *into = std::move(*pem);
    }
    if (tls.insecure_skip_verify && !tls.ca_pem.empty()) {
      return Bad(where_, "a certificate authority together with insecure-skip-tls-verify");
    }
    if (tls.cert_pem.empty() != tls.key_pem.empty()) {
      return Bad(where_, "client-certificate and client-key go together");
    }
    Result<std::shared_ptr<TlsClientContext>> context = TlsClientContext::Make(tls);
    if (!context.ok()) return Bad(where_, context.error().message());
    rest->endpoint.tls = std::move(*context);
    rest->bearer_token = Text(user, "token");
    if (const std::string file = Text(user, "tokenFile"); !file.empty()) {
      rest->token_file = Resolve(file);
      if (!ReadFile(rest->token_file)) return Unreadable("tokenFile", rest->token_file);
    }
    return {};
  }

  // KEY-data, base64, or the file that KEY names; "" where neither is given.
  Result<std::string> DataOrFile(const YAML::Node& map, const std::string& key) {
    const std::string data = Text(map, (key + "-data").c_str());
    if (!data.empty()) {
      std::optional<std::string> decoded = DecodeBase64(data);
      if (!decoded) return Bad(where_, key + "-data is not base64");
      return std::move(*decoded);
    }
    const std::string file = Text(map, key.c_str());
    if (file.empty()) return std::string();
    std::optional<std::string> text = ReadFile(Resolve(file));
    if (!text) return Unreadable(key, Resolve(file));
    return std::move(*text);
  }

  Error Unreadable(const std::string& key, const std::string& path) const {
    return Bad(where_, fmt::format("{}: cannot read {}", key, path));
  }
  std::string Resolve(const std::string& path) const {
    return path.starts_with('/') || folder_.empty() ? path : folder_ + "/" + path;
  }

  std::string where_, folder_;
};

std::string DefaultPath() {
  if (const char* list = std::getenv("KUBECONFIG"); list && *list) {
    const std::string paths = list;
    return paths.substr(0, paths.find(':'));
  }
  const char* home = std::getenv("HOME");
  return std::string(home ? home : "") + "/.kube/config";
}

}  // namespace

Result<ServerUrl> ParseServerUrl(const std::string& url) {
  ServerUrl out;
  std::string_view rest = url;
  if (rest.starts_with("https://")) {
    out.tls = true;
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else {
    return Bad(fmt::format("`{}`", url), "not an http:// or https:// URL");
  }
  const size_t slash = std::min(rest.find('/'), rest.size());
  out.path = rest.substr(slash);
  while (out.path.ends_with('/')) out.path.pop_back();
  std::string_view authority = rest.substr(0, slash);
  std::string_view port;
  const size_t bracket = authority.find(']');
  const size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos) {
    port = authority.substr(colon + 1);
    authority = authority.substr(0, colon);
  }
  if (authority.starts_with('[') && authority.ends_with(']')) {
    authority = authority.substr(1, authority.size() - 2);
  }
  out.host = authority;
  out.port = out.tls ? 443 : 80;
  if (!port.empty()) {
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
    if (error != std::errc() || end != port.data() + port.size() || out.port < 1 ||
        out.port > 65535) {
      return Bad(fmt::format("`{}`", url), "a port is a number from 1 to 65535");
    }
  }
  if (out.host.empty()) return Bad(fmt::format("`{}`", url), "a URL without a host");
  return out;
}

Result<Kubeconfig> ParseKubeconfig(const std::string& text, const std::string& where,
                                   const std::string& folder) {
  try {
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap()) return Bad(where, "not a kubeconfig: no YAML mapping");
    return Reader(where, folder).Read(root);
  } catch (const YAML::Exception& e) {
    return Bad(where, fmt::format("line {}: {}", e.mark.line + 1, e.msg));
  }
}

Result<Kubeconfig> LoadKubeconfig(const std::string& path) {
  const std::string file = path.empty() ? DefaultPath() : path;
  const std::optional<std::string> text = ReadFile(file);
  if (!text) return Bad(file, "cannot read this kubeconfig");
  const size_t slash = file.rfind('/');
  return ParseKubeconfig(*text, file, slash == std::string::npos ? "" : file.substr(0, slash));
}

}  // namespace relist
