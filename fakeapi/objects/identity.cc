#include "fakeapi/objects/identity.h"

#include <fmt/compile.h>

#include <string_view>

namespace relist::fakeapi {
namespace {

// splitmix64's finalizer: spreads small differences over all bits.
uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The real server's, without vowels and what looks like them.
constexpr std::string_view kSuffixLetters = "bcdfghjklmnpqrstvwxz2456789";
constexpr int kSuffixLength = 5;

}  // namespace

std::string MakeUid(uint64_t revision, Choices& choices) {
  const uint64_t drawn = choices.Below(uint64_t{1} << 32, "uid");
  const uint64_t high = Mix(revision ^ drawn << 32);
  const uint64_t low = Mix(high ^ revision);
  // Version 4, variant 1.
  return fmt::format(FMT_COMPILE("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}"), high >> 32,
                     high >> 16 & 0xffff, high & 0xfff, 0x8000 | (low >> 48 & 0x3fff),
                     low & 0xffffffffffff);
}

std::string NameSuffix(uint64_t revision, int attempt, Choices& choices) {
  const uint64_t drawn = choices.Below(uint64_t{1} << 32, "generated name");
  uint64_t bits = Mix(Mix(revision ^ drawn << 32) + static_cast<uint64_t>(attempt));
  std::string suffix;
  for (int i = 0; i < kSuffixLength; ++i) {
    suffix += kSuffixLetters[bits % kSuffixLetters.size()];
    bits /= kSuffixLetters.size();
  }
  return suffix;
}

}  // namespace relist::fakeapi
