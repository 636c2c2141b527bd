#include "fakeapi/controllers/controller_set.h"

#include <fmt/core.h>

#include <algorithm>

namespace relist::fakeapi {
namespace {

// "a, b" in quotes is how people write lists.
std::string_view WithoutBlanks(std::string_view name) {
  const size_t begin = std::min(name.find_first_not_of(' '), name.size());
  return name.substr(begin, name.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

Result<ControllerSet> ParseControllers(std::string_view text) {
  if (text == "all") return kAllControllers;
  ControllerSet set;
  if (text == "none") return set;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = WithoutBlanks(text.substr(begin, end - begin));
    if (name == "namespace-controller") {
      set.namespaces = true;
    } else if (name == "garbage-collector-controller") {
      set.garbage = true;
    } else {
      return Error::Net(
          Transport::kOther,
          fmt::format("\"{}\" is no controller; there are all, none, namespace-controller and "
                      "garbage-collector-controller",
                      name));
    }
    begin = end + 1;
  }
  return set;
}

}  // namespace relist::fakeapi
