// What `relist watch` was asked to follow, judged before anything is sent.
//
//   Result<WatchTarget> target = TargetOf(options, config->ns);
#pragma once

#include <string>

#include "core/result.h"
#include "core/wire/resource.h"
#include "tools/command/command_line.h"

namespace relist::command {

struct WatchTarget {
  Resource resource;
  std::string ns;  // empty: all, or the resource has none
  std::string selector;
};

// As kubectl: plurals, singulars, kinds and short names of what is known here ("configmaps",
// "ConfigMap", "cm", "deployments.apps"); anything else as PLURAL.VERSION.GROUP. The Error says
// which word is wrong.
Result<WatchTarget> TargetOf(const WatchOptions& options, const std::string& kubeconfig_ns);

}  // namespace relist::command
