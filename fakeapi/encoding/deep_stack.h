// Runs a function where deep recursion fits: nlohmann/json parses, dumps and copies by recursion,
// and a body of 10,000 levels overflows a thread's usual stack (under ASan at 5,000).
//
//   WithStackFor(bytes, [&] { value = Parse(bytes); });
//
// The caller waits; what the function throws reaches the caller. Order and results are those of a
// plain call.
#pragma once

#include <functional>
#include <string_view>

namespace relist::fakeapi {

// Levels up to which the caller's own stack does.
constexpr int kPlainStackDepth = 500;

void RunOnDeepStack(const std::function<void()>& function);

// A plain call where the JSON or YAML in `bytes` is shallow, RunOnDeepStack where it is not.
void WithStackFor(std::string_view bytes, const std::function<void()>& function);

}  // namespace relist::fakeapi
