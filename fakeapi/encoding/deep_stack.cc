#include "fakeapi/encoding/deep_stack.h"

#include <pthread.h>

#include <exception>

#include "core/check.h"
#include "core/wire/object.h"

namespace relist::fakeapi {
namespace {

// 10,000 levels under ASan need about 20 MB of nlohmann's frames; address space is free until it is
// touched.
constexpr size_t kDeepStackBytes = 512u << 20;

struct DeepCall {
  const std::function<void()>* function;
  std::exception_ptr thrown;
};

void* RunDeepCall(void* argument) {
  auto* call = static_cast<DeepCall*>(argument);
  try {
    (*call->function)();
  } catch (...) {
    call->thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void RunOnDeepStack(const std::function<void()>& function) {
  DeepCall call{&function, nullptr};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  const int sized = pthread_attr_setstacksize(&attributes, kDeepStackBytes);
  const int made = sized != 0 ? sized : pthread_create(&thread, &attributes, RunDeepCall, &call);
  pthread_attr_destroy(&attributes);
  CHECK(made == 0, "no thread with a deep stack: error {}", made);
  pthread_join(thread, nullptr);
  if (call.thrown) std::rethrow_exception(call.thrown);
}

void WithStackFor(std::string_view bytes, const std::function<void()>& function) {
  if (JsonDepth(bytes) <= kPlainStackDepth) {
    function();
  } else {
    RunOnDeepStack(function);
  }
}

}  // namespace relist::fakeapi
