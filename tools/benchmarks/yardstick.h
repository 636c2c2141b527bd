// How fast this core is, today: a fixed piece of work of the kind that a simulated life is made of
// (small allocations, strings, ordered maps), with nothing of ours in it.
//
//   Yardstick yardstick;
//   for (...) { LiveOnce(); yardstick.Measure(); }      // beside what is measured, in turns
//   double speed = yardstick.Speed();                   // 0.5: half as fast as the reference
//
// A bound in work a CPU second says nothing on a machine of another speed, or one that is shared;
// measured in turns with the yardstick, it does.
#pragma once

#include <cstdint>

namespace relist::benchmarks {

class Yardstick {
 public:
  // Some milliseconds of work.
  void Measure();
  // Of this core, in the time that was measured; 1 is the core that README's bounds are meant for.
  double Speed() const;

 private:
  double seconds_ = 0;
  uint64_t rounds_ = 0;
  uint64_t sum_ = 0;  // so that the work is not optimised away
};

}  // namespace relist::benchmarks
