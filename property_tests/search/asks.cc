#include "property_tests/search/asks.h"

#include <fmt/format.h>

#include <array>

#include "core/wire/list_options.h"

namespace relist::search {
namespace {

constexpr std::array kNamespaces = {"default", "kube-public"};
constexpr std::array kNames = {"a", "b", "c", "d"};
constexpr std::array kApps = {"", "x", "y"};
constexpr std::array kLabels = {"", "app=x", "app=y", "app!=x", "!app", "app=x"};

}  // namespace

size_t Pick(int number, size_t size) {
  return static_cast<size_t>(number) % size;
}

Key KeyOf(int which) {
  return {kNamespaces[Pick(which / 4, 2)], kNames[Pick(which, 4)]};
}

// 0 to 35: any namespace or one, any labels or some, any name or one.
Scope ScopeOf(int selector) {
  Scope scope;
  scope.label = kLabels[Pick(selector, kLabels.size())];
  const size_t where = Pick(selector / 6, 6);
  if (where % 3 != 0) scope.ns = kNamespaces[where % 3 - 1];
  if (where >= 4) scope.name = "a";
  return scope;
}

std::string TargetOf(const Scope& scope, const std::string& query) {
  std::string target = "/api/v1/";
  if (!scope.ns.empty()) target += "namespaces/" + scope.ns + "/";
  target += "configmaps?" + query;
  if (!scope.label.empty()) target += "&labelSelector=" + EscapeQuery(scope.label);
  if (!scope.name.empty()) target += "&fieldSelector=metadata.name%3D" + scope.name;
  return target;
}

std::string BodyOf(const Thing& thing, uint64_t given) {
  std::string meta = fmt::format(R"("name":"{}")", thing.key.name);
  if (!thing.app.empty()) meta += fmt::format(R"(,"labels":{{"app":"{}"}})", thing.app);
  if (given != 0) meta += fmt::format(R"(,"resourceVersion":"{}")", given);
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{{}}},"data":{{"n":"{}"}}}})", meta,
      thing.n);
}

std::string PathOf(const Key& key) {
  return fmt::format("/api/v1/namespaces/{}/configmaps/{}", key.ns, key.name);
}

std::string AppOf(int which) {
  return kApps[Pick(which, kApps.size())];
}

}  // namespace relist::search
