// CHECK: a bug in this program, or in its use. On in every build.
//
//   CHECK(page_size >= 0, "page_size is {}", page_size);
//
// A failed CHECK throws CheckFailed, so that a library embedded in somebody's test does not kill
// the process and a property test can shrink. Nothing between the CHECK and the caller of
// Loop::RunUntil may catch it. What a peer can cause is never a CHECK: that is an Error
// (core/result.h).
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>

namespace relist {

class CheckFailed : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace internal {
[[noreturn]] void FailCheck(const char* file, int line, const char* condition,
                            const std::string& why);
}  // namespace internal

#define CHECK(condition, ...)                                                                  \
  do {                                                                                         \
    if (!(condition)) [[unlikely]]                                                             \
      ::relist::internal::FailCheck(__FILE__, __LINE__, #condition, fmt::format(__VA_ARGS__)); \
  } while (false)

}  // namespace relist
