// Switches behind the rows of PARITY.md: a build that asks for them can turn one behaviour off, so
// that .ci/nightly sees the row's test fail.
//
//   if (Behaves("RFL-11") && IsExpired(error)) ListFromScratch();     // the branch of row RFL-11
//   const int steps = Behaves("RFL-04") ? shared : own;
//
// In every other build Behaves is `true`, and costs nothing. The argument is a row's id and a
// letter where a row has several branches ("RFL-11b"), written out, so that a grep finds it:
// tidy_test wants a row for each, and tools/parity turns off one after another
// (cmake -DRELIST_PARITY_SWITCHES=ON, RELIST_PARITY_OFF=RFL-11).
#pragma once

#include <string_view>

namespace relist {

#ifdef RELIST_PARITY_SWITCHES
// False for the one that the environment names; the environment is read once.
bool Behaves(std::string_view id);
#else
constexpr bool Behaves(std::string_view) {
  return true;
}
#endif

}  // namespace relist
