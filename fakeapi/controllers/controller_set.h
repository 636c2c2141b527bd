// Which controllers run, and how a person names them.
//
//   Result<ControllerSet> some = ParseControllers("garbage-collector-controller");
//   ParseControllers("all"), ParseControllers("none");
//
// The names are those of kube-controller-manager's --controllers. Values.
#pragma once

#include <string_view>

#include "core/result.h"

namespace relist::fakeapi {

struct ControllerSet {
  bool namespaces = false;  // namespaces that are deleted are emptied, and go
  bool garbage = false;     // dependents of owners that are deleted are collected

  bool any() const { return namespaces || garbage; }
  bool operator==(const ControllerSet&) const = default;
};
inline constexpr ControllerSet kAllControllers{true, true};

// "all", "none", or names with commas between them, and blanks around them or none. The Error says
// what there is.
Result<ControllerSet> ParseControllers(std::string_view text);

}  // namespace relist::fakeapi
