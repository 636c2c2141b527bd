#include "core/check.h"

namespace relist::internal {

void FailCheck(const char* file, int line, const char* condition, const std::string& why) {
  throw CheckFailed(fmt::format("{}:{}: CHECK({}) failed: {}", file, line, condition, why));
}

}  // namespace relist::internal
