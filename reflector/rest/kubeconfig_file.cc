#include "reflector/rest/kubeconfig_file.h"

#include <fmt/core.h>
#include <yaml-cpp/yaml.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/wire/base64.h"

namespace relist {
namespace {

using nlohmann::json;

// Thrown and caught in this file: what is wrong, and where.
struct BadFile {
  std::string why;
};

bool IsAbsent(const YAML::Node& node) {
  return !node || node.IsNull();
}

std::string ScalarAt(const YAML::Node& map, const char* key) {
  const YAML::Node value = map[key];
  if (IsAbsent(value)) return "";
  if (!value.IsScalar()) throw BadFile{fmt::format("{} is no text", key)};
  return value.Scalar();
}

bool FlagAt(const YAML::Node& map, const char* key) {
  const std::string text = ScalarAt(map, key);
  if (text.empty()) return false;
  bool flag = false;
  if (!YAML::convert<bool>::decode(map[key], flag)) {
    throw BadFile{fmt::format("{} is neither true nor false", key)};
  }
  return flag;
}

YAML::Node ListAt(const YAML::Node& map, const char* key) {
  const YAML::Node value = map[key];
  if (IsAbsent(value)) return YAML::Node(YAML::NodeType::Sequence);
  if (!value.IsSequence()) throw BadFile{fmt::format("{} is no list", key)};
  return value;
}

std::vector<std::string> TextsOf(const YAML::Node& list, const char* key) {
  std::vector<std::string> out;
  for (const YAML::Node& entry : list) {
    if (!entry.IsScalar()) throw BadFile{fmt::format("{} is no list of texts", key)};
    out.push_back(entry.Scalar());
  }
  return out;
}

// Plain scalars as YAML's core schema has them.
json ScalarToJson(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return text;  // it stood in quotes
  if (text == "true" || text == "false") return text == "true";
  const char* end = text.data() + text.size();
  int64_t whole = 0;
  if (const auto [stop, error] = std::from_chars(text.data(), end, whole);
      error == std::errc() && stop == end && !text.empty()) {
    return whole;
  }
  double number = 0;
  if (const auto [stop, error] = std::from_chars(text.data(), end, number);
      error == std::errc() && stop == end && text.find_first_of("in") == std::string::npos) {
    return number;
  }
  return text;
}

// `left`: how many nodes it may have; aliases can make few bytes many.
json YamlToJson(const YAML::Node& node, int depth, int* left) {
  if (depth == 0 || --*left < 0) throw BadFile{"an extension is too large"};
  if (IsAbsent(node)) return nullptr;
  if (node.IsScalar()) return ScalarToJson(node);
  json out = node.IsSequence() ? json::array() : json::object();
  if (node.IsSequence()) {
    for (const YAML::Node& entry : node) out.push_back(YamlToJson(entry, depth - 1, left));
  } else {
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) throw BadFile{"a key of an extension is no text"};
      out[entry.first.Scalar()] = YamlToJson(entry.second, depth - 1, left);
    }
  }
  return out;
}

class FileReader {
 public:
  FileReader(std::string where, const std::string& folder)
      : where_(std::move(where)), folder_(folder) {}

  KubeconfigFile Read(const YAML::Node& root) {
    KubeconfigFile out;
    out.current_context = ScalarAt(root, "current-context");
    ReadAll(root, "clusters", "cluster", &FileReader::ReadCluster, &out.clusters);
    ReadAll(root, "users", "user", &FileReader::ReadUser, &out.users);
    ReadAll(root, "contexts", "context", &FileReader::ReadContext, &out.contexts);
    return out;
  }

 private:
  template <class T>
  void ReadAll(const YAML::Node& root, const char* list, const char* kind,
               T (FileReader::*read)(const YAML::Node&), std::map<std::string, T>* into) {
    for (const YAML::Node& entry : ListAt(root, list)) {
      if (!entry.IsMap()) throw BadFile{fmt::format("an entry of {} is no mapping", list)};
      const std::string name = ScalarAt(entry, "name");
      try {
        const YAML::Node inside = entry[kind];
        if (!IsAbsent(inside) && !inside.IsMap()) throw BadFile{"is no mapping"};
        const YAML::Node empty(YAML::NodeType::Map);
        T read_one = (this->*read)(IsAbsent(inside) ? empty : inside);
        read_one.where = where_;
        if (!into->emplace(name, std::move(read_one)).second) throw BadFile{"is there twice"};
      } catch (const BadFile& bad) {
        throw BadFile{fmt::format("{} `{}`: {}", kind, name, bad.why)};
      }
    }
  }

  KubeconfigCluster ReadCluster(const YAML::Node& map) {
    KubeconfigCluster out;
    out.server = ScalarAt(map, "server");
    out.tls_server_name = ScalarAt(map, "tls-server-name");
    out.proxy_url = ScalarAt(map, "proxy-url");
    out.insecure = FlagAt(map, "insecure-skip-tls-verify");
    out.disable_compression = FlagAt(map, "disable-compression");
    out.authority = PemAt(map, "certificate-authority");
    for (const YAML::Node& extension : ListAt(map, "extensions")) {
      if (ScalarAt(extension, "name") != "client.authentication.k8s.io/exec") continue;
      int left = 10000;
      out.exec_config = YamlToJson(extension["extension"], 100, &left)
                            .dump(-1, ' ', false, json::error_handler_t::replace);
    }
    return out;
  }

  KubeconfigUser ReadUser(const YAML::Node& map) {
    KubeconfigUser out;
    out.token = ScalarAt(map, "token");
    out.token_file = Resolved(ScalarAt(map, "tokenFile"));
    out.username = ScalarAt(map, "username");
    out.password = ScalarAt(map, "password");
    out.certificate = PemAt(map, "client-certificate");
    out.key = PemAt(map, "client-key");
    out.impersonate.user = ScalarAt(map, "as");
    out.impersonate.uid = ScalarAt(map, "as-uid");
    out.impersonate.groups = TextsOf(ListAt(map, "as-groups"), "as-groups");
    if (const YAML::Node extra = map["as-user-extra"]; !IsAbsent(extra)) {
      if (!extra.IsMap()) throw BadFile{"as-user-extra is no mapping"};
      for (const auto& entry : extra) {
        if (!entry.second.IsSequence()) throw BadFile{"as-user-extra has what is no list"};
        out.impersonate.extra[entry.first.Scalar()] = TextsOf(entry.second, "as-user-extra");
      }
    }
    if (const YAML::Node provider = map["auth-provider"]; !IsAbsent(provider)) {
      const std::string name = provider.IsMap() ? ScalarAt(provider, "name") : "";
      out.auth_provider = name.empty() ? "?" : name;
    }
    if (const YAML::Node exec = map["exec"]; !IsAbsent(exec)) ReadExec(exec, &out);
    return out;
  }

  void ReadExec(const YAML::Node& map, KubeconfigUser* user) {
    if (!map.IsMap()) throw BadFile{"exec is no mapping"};
    ExecConfig& exec = user->exec.emplace();
    exec.api_version = ScalarAt(map, "apiVersion");
    exec.command = ScalarAt(map, "command");
    // A command with a slash is a file beside this one; others are looked for in PATH.
    if (exec.command.find('/') != std::string::npos) exec.command = Resolved(exec.command);
    exec.args = TextsOf(ListAt(map, "args"), "args");
    for (const YAML::Node& variable : ListAt(map, "env")) {
      if (!variable.IsMap()) throw BadFile{"an entry of env is no mapping"};
      exec.env.emplace_back(ScalarAt(variable, "name"), ScalarAt(variable, "value"));
    }
    exec.install_hint = ScalarAt(map, "installHint");
    user->exec_interactive_mode = ScalarAt(map, "interactiveMode");
    user->exec_wants_cluster = FlagAt(map, "provideClusterInfo");
  }

  KubeconfigContext ReadContext(const YAML::Node& map) {
    return {"", ScalarAt(map, "cluster"), ScalarAt(map, "user"), ScalarAt(map, "namespace")};
  }

  KubeconfigPem PemAt(const YAML::Node& map, const std::string& key) {
    KubeconfigPem out{Resolved(ScalarAt(map, key.c_str())), ""};
    const std::string data_key = key + "-data";
    const std::string data = ScalarAt(map, data_key.c_str());
    if (data.empty()) return out;
    Result<std::string> decoded = DecodeBase64(data);
    if (!decoded.ok()) throw BadFile{data_key + " is not base64"};
    out.data = std::move(*decoded);
    return out;
  }

  std::string Resolved(const std::string& path) const {
    return path.empty() || path.starts_with('/') || folder_.empty() ? path : folder_ + "/" + path;
  }

  std::string where_, folder_;
};

}  // namespace

Result<KubeconfigFile> ParseKubeconfigFile(const std::string& text, const std::string& where,
                                           const std::string& folder) {
  const auto bad = [&](const std::string& why) {
    return Error::Net(Transport::kOther, fmt::format("{}: {}", where, why));
  };
  try {
    const YAML::Node root = YAML::Load(text);
    if (IsAbsent(root)) return KubeconfigFile{};
    if (!root.IsMap()) return bad("not a kubeconfig: no YAML mapping");
    return FileReader(where, folder).Read(root);
  } catch (const BadFile& file) {
    return bad(file.why);
  } catch (const YAML::Exception& e) {
    return bad(fmt::format("line {}: {}", e.mark.line + 1, e.msg));
  }
}

void MergeKubeconfig(KubeconfigFile* into, KubeconfigFile other) {
  if (into->current_context.empty()) into->current_context = std::move(other.current_context);
  into->clusters.merge(other.clusters);
  into->users.merge(other.users);
  into->contexts.merge(other.contexts);
}

}  // namespace relist
