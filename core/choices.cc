#include "core/choices.h"

#include <fmt/core.h>

#include "core/check.h"

namespace relist {

SeededChoices::SeededChoices(uint64_t seed) : state_(seed + 0x9e3779b97f4a7c15u) {}

// splitmix64: small, well mixed, the same everywhere.
uint64_t SeededChoices::Below(uint64_t n, std::string_view) {
  CHECK(n > 0, "Below(0) has no answer");
  if (n == 1) return 0;
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return z % n;  // n is small: the bias is far below anything a search could notice
}

TapeChoices::TapeChoices(std::vector<uint8_t> tape) : tape_(std::move(tape)) {}

uint64_t TapeChoices::Below(uint64_t n, std::string_view) {
  CHECK(n > 0, "Below(0) has no answer");
  uint64_t value = 0;
  for (uint64_t most = n - 1; most > 0; most >>= 8) {
    value = value << 8 | (position_ < tape_.size() ? tape_[position_++] : 0);
  }
  return value % n;
}

ExhaustiveChoices::ExhaustiveChoices(size_t depth) : depth_(depth) {}

uint64_t ExhaustiveChoices::Below(uint64_t n, std::string_view) {
  CHECK(n > 0, "Below(0) has no answer");
  if (n == 1) return 0;
  if (position_ == path_.size()) {
    if (path_.size() == depth_) return 0;
    path_.push_back({0, n});
  }
  const Decision& decision = path_[position_++];
  CHECK(decision.bound == n, "the body is not deterministic: a decision of {} was one of {}", n,
        decision.bound);
  return decision.value;
}

bool ExhaustiveChoices::Next() {
  position_ = 0;
  while (!path_.empty() && path_.back().value + 1 == path_.back().bound) path_.pop_back();
  if (path_.empty()) return false;
  ++path_.back().value;
  return true;
}

std::string TapeToHex(const std::vector<uint8_t>& tape) {
  std::string out;
  for (uint8_t byte : tape) out += fmt::format("{:02x}", byte);
  return out;
}

bool TapeFromHex(std::string_view hex, std::vector<uint8_t>* tape) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  tape->clear();
  if (hex.size() % 2 != 0) return false;
  for (size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]);
    const int low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return false;
    tape->push_back(static_cast<uint8_t>(high * 16 + low));
  }
  return true;
}

}  // namespace relist
