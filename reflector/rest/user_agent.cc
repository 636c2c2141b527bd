#include "reflector/rest/user_agent.h"

#include <errno.h>
#include <fmt/core.h>
#include <sys/utsname.h>

namespace relist {
namespace {

constexpr const char* kVersion = "0.1.0";  // the project's, in CMakeLists.txt

// GOARCH of what uname calls `machine`.
std::string GoArchitecture(const std::string& machine) {
  if (machine == "x86_64") return "amd64";
  if (machine == "aarch64") return "arm64";
  if (machine == "i386" || machine == "i686") return "386";
  return machine.starts_with("arm") ? "arm" : machine;
}

// A program may be called anything; a header may not hold anything.
std::string OfPrintable(const char* name) {
  std::string out;
  for (; *name != '\0'; ++name) {
    if (*name > ' ' && *name < 0x7f) out += *name;
  }
  return out.empty() ? "unknown" : out;
}

}  // namespace

std::string DefaultUserAgent() {
  utsname system{};
  uname(&system);
  return fmt::format("{}/v{} (linux/{}) relist/{}", OfPrintable(program_invocation_short_name),
                     kVersion, GoArchitecture(system.machine), kVersion);
}

}  // namespace relist
