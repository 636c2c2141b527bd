#include "reflector/parity_switch.h"

#ifdef RELIST_PARITY_SWITCHES
#include <cstdlib>
#include <string>

namespace relist {

bool Behaves(std::string_view id) {
  static const std::string off = [] {
    const char* name = std::getenv("RELIST_PARITY_OFF");
    return std::string(name == nullptr ? "" : name);
  }();
  return id != off;
}

}  // namespace relist
#endif
