#include "fakeapi/answer/health.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"

namespace relist::fakeapi {
namespace {

// The hook that has not finished while a cache has yet to list what it is of.
constexpr std::string_view kCaches = "poststarthook/storage-readiness";

// What runs once after a start. All three have them, and these in the middle of the list.
constexpr std::string_view kHooks[] = {
    "poststarthook/start-apiserver-admission-initializer",
    "poststarthook/generic-apiserver-start-informers",
    "poststarthook/priority-and-fairness-config-consumer",
    "poststarthook/priority-and-fairness-filter",
    "poststarthook/storage-object-count-tracker-hook",
    "poststarthook/start-apiextensions-informers",
    "poststarthook/start-apiextensions-controllers",
    "poststarthook/crd-informer-synced",
    "poststarthook/start-system-namespaces-controller",
    "poststarthook/peer-endpoint-reconciler-controller",
    "poststarthook/start-cluster-authentication-info-controller",
    "poststarthook/start-kube-apiserver-identity-lease-controller",
    "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
    "poststarthook/storage-readiness",
    "poststarthook/start-legacy-token-tracking-controller",
    "poststarthook/start-service-ip-repair-controllers",
    "poststarthook/scheduling/bootstrap-system-priority-classes",
    "poststarthook/priority-and-fairness-config-producer",
    "poststarthook/bootstrap-controller",
    "poststarthook/start-kubernetes-service-cidr-controller",
    "poststarthook/start-kube-aggregator-informers",
    "poststarthook/apiservice-status-local-available-controller",
    "poststarthook/apiservice-status-remote-available-controller",
    "poststarthook/apiservice-registration-controller",
    "poststarthook/apiservice-discovery-controller",
    "poststarthook/kube-apiserver-autoregistration",
    "autoregister-completion",
    "poststarthook/apiservice-openapi-controller",
    "poststarthook/apiservice-openapiv3-controller",
};

std::vector<std::string_view> ChecksOf(std::string_view root) {
  const bool is_readyz = root == "readyz";
  std::vector<std::string_view> names = {"ping", "log"};
  if (!is_readyz) names.push_back("loopback-serving-certificate");
  names.push_back("etcd");
  if (is_readyz) names.insert(names.end(), {"etcd-readiness", "informer-sync"});
  names.insert(names.end(), std::begin(kHooks), std::end(kHooks));
  if (is_readyz) names.push_back("shutdown");
  return names;
}

std::set<std::string> Excluded(const HeaderList& query) {
  std::set<std::string> names;
  for (const auto& [name, value] : query) {
    if (name == "exclude") names.insert(value);
  }
  return names;
}

bool IsVerbose(const HeaderList& query) {
  return std::any_of(query.begin(), query.end(),
                     [](const auto& pair) { return pair.first == "verbose"; });
}

// "" where all that was excluded is there.
std::string WarningOf(const std::set<std::string>& unknown) {
  std::string names;
  for (const std::string& one : unknown) names += (names.empty() ? "" : ", ") + GoQuote(one);
  if (names.empty()) return names;
  return fmt::format("warn: some health checks cannot be excluded: no matches for {}\n", names);
}

Response AnswerAll(std::string_view root, const HeaderList& query, bool caches_ready) {
  std::set<std::string> excluded = Excluded(query);
  std::string lines;
  bool failed = false;
  for (const std::string_view check : ChecksOf(root)) {
    if (excluded.erase(std::string(check)) > 0) {
      lines += fmt::format("[+]{} excluded: ok\n", check);
    } else if (check == kCaches && !caches_ready) {
      lines += fmt::format("[-]{} failed: reason withheld\n", check);
      failed = true;
    } else {
      lines += fmt::format("[+]{} ok\n", check);
    }
  }
  lines += WarningOf(excluded);
  if (failed) return RenderText(500, fmt::format("{}{} check failed\n", lines, root));
  if (!IsVerbose(query)) return RenderText(200, "ok");
  return RenderText(200, fmt::format("{}{} check passed\n", lines, root));
}

Response AnswerOne(std::string_view check, bool caches_ready) {
  if (check == kCaches && !caches_ready) {
    return RenderText(500, "internal server error: not finished\n");
  }
  Response response = RenderText(200, "ok");
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"}};
  return response;
}

}  // namespace

std::optional<Response> AnswerHealth(std::string_view path, const HeaderList& query,
                                     bool caches_ready) {
  for (const std::string_view root : {"healthz", "livez", "readyz"}) {
    if (!path.starts_with('/') || !path.substr(1).starts_with(root)) continue;
    const std::string_view rest = path.substr(1 + root.size());
    if (rest.empty()) return AnswerAll(root, query, caches_ready);
    if (!rest.starts_with('/')) return std::nullopt;
    const std::vector<std::string_view> checks = ChecksOf(root);
    const bool is_check = std::find(checks.begin(), checks.end(), rest.substr(1)) != checks.end();
    return is_check ? std::optional(AnswerOne(rest.substr(1), caches_ready)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace relist::fakeapi
