// The reader of scenarios under bytes of any kind (scenario_fuzz_test_support.h).
#include <cstddef>
#include <cstdint>
#include <string>

#include "scenarios/script/scenario_fuzz_test_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 1 << 14) return 0;
  relist::TryScenario(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
