#include "tools/command/watch_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "core/wire/label_selector.h"
#include "core/wire/names.h"
#include "fakeapi/api/resources.h"

namespace relist::command {
namespace {

Error WrongTarget(std::string message) {
  return Error::Net(Transport::kOther, std::move(message));
}

std::string LowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Error UnknownResource(const std::string& word) {
  std::vector<std::string> known;
  for (const fakeapi::ResourceType* type : fakeapi::AllResources()) {
    known.push_back(type->resource.plural);
  }
  return WrongTarget(
      fmt::format("`{}` is no resource that this version knows ({}); others are written "
                  "PLURAL.VERSION.GROUP, as in widgets.v1.example.com",
                  word, fmt::join(known, ", ")));
}

Result<Resource> FindResourceByWord(const std::string& typed) {
  const std::string word = LowerCase(typed);
  if (const fakeapi::ResourceType* type = fakeapi::FindByName(word)) return type->resource;
  const size_t first = word.find('.');
  if (first == std::string::npos) return UnknownResource(typed);
  const std::string name = word.substr(0, first);
  const std::string rest = word.substr(first + 1);
  const size_t second = rest.find('.');
  const std::string version = rest.substr(0, second);
  const std::string group = second == std::string::npos ? "" : rest.substr(second + 1);
  if (const fakeapi::ResourceType* type = fakeapi::FindByName(name)) {
    const Resource& known = type->resource;
    if (known.group == rest || (known.version == version && known.group == group)) return known;
  }
  if (name.empty() || version.empty() || group.empty()) return UnknownResource(typed);
  // Only the server knows whether it has namespaces: most have.
  return Resource{group, version, name, "", true};
}

}  // namespace

Result<WatchTarget> TargetOf(const WatchOptions& options, const std::string& kubeconfig_ns) {
  const Result<Resource> resource = FindResourceByWord(options.resource);
  if (!resource.ok()) return resource.error();
  if (!resource->namespaced && !options.ns.empty()) {
    return WrongTarget(
        fmt::format("{} are not in namespaces: leave `{}` out", resource->plural, options.ns));
  }
  WatchTarget target{*resource, options.ns.empty() ? kubeconfig_ns : options.ns, options.selector};
  if (target.ns.empty()) target.ns = "default";  // as kubectl
  if (options.all_namespaces || !resource->namespaced) target.ns.clear();
  if (!target.ns.empty()) {
    const NameErrors wrong = Dns1123LabelErrors(target.ns);
    if (!wrong.empty()) {
      return WrongTarget(fmt::format("`{}` is no namespace: {}", target.ns, wrong.front()));
    }
  }
  const Result<LabelSelector> labels = LabelSelector::Parse(options.selector);
  if (!labels.ok()) {
    return WrongTarget(
        fmt::format("`{}` is no label selector: {}", options.selector, labels.error().message()));
  }
  return target;
}

}  // namespace relist::command
