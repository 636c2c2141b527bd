// Every decision that chance makes, as numbers drawn from one place.
//
//   size_t which = choices.Below(ready.size(), "schedule");
//
// 0 is the boring answer everywhere: first ready task, no fault, no extra delay. Draw one number to
// a statement: g++ and clang evaluate arguments in different orders. Not thread-safe; a simulation
// is one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace relist {

class Choices {
 public:
  virtual ~Choices() = default;
  // A number in [0, n). n must be positive; n == 1 draws nothing. `point` labels the decision
  // ("schedule", "latency").
  virtual uint64_t Below(uint64_t n, std::string_view point) = 0;
  // True once in `n` (so 0, the boring answer, is false).
  bool OneIn(uint64_t n, std::string_view point) { return Below(n, point) == n - 1; }
  // A double in [0, 1) with 20 bits, for jitter and watch time-outs: client-go's rand.Float64.
  double Unit(std::string_view point) {
    return static_cast<double>(Below(1 << 20, point)) / (1 << 20);
  }
};

// A seeded generator of our own (no <random>: its distributions differ between libraries).
class SeededChoices : public Choices {
 public:
  explicit SeededChoices(uint64_t seed);
  uint64_t Below(uint64_t n, std::string_view point) override;

 private:
  uint64_t state_;
};

// Bytes on a tape; past its end every answer is 0. What RapidCheck shrinks and a failure is
// replayed from. n up to 256 takes one byte, more takes as many as n needs.
class TapeChoices : public Choices {
 public:
  explicit TapeChoices(std::vector<uint8_t> tape);
  uint64_t Below(uint64_t n, std::string_view point) override;
  size_t used() const { return position_; }

 private:
  std::vector<uint8_t> tape_;
  size_t position_ = 0;
};

// All answers, for small worlds: run the same body until Next() says that every path was taken.
//
//   ExhaustiveChoices all(/*depth=*/6);
//   do { Body(all); } while (all.Next());
class ExhaustiveChoices : public Choices {
 public:
  // Decisions after the first `depth` ones are 0.
  explicit ExhaustiveChoices(size_t depth);
  uint64_t Below(uint64_t n, std::string_view point) override;
  // Moves to the next path; false when there is none left.
  bool Next();

 private:
  struct Decision {
    uint64_t value;
    uint64_t bound;
  };
  size_t depth_;
  size_t position_ = 0;
  std::vector<Decision> path_;
};

// Always 0: the world without chance.
class BoringChoices : public Choices {
 public:
  uint64_t Below(uint64_t, std::string_view) override { return 0; }
};

// "01ff20" and back. Nothing but hex digits in pairs is a tape: false otherwise.
std::string TapeToHex(const std::vector<uint8_t>& tape);
bool TapeFromHex(std::string_view hex, std::vector<uint8_t>* tape);

}  // namespace relist
