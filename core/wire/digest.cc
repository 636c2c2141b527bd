#include "core/wire/digest.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace relist {
namespace {

constexpr uint64_t kPrime = 0x100000001b3u;
constexpr uint64_t kMask = (uint64_t{1} << 48) - 1;
constexpr size_t kDigits = 12;

void Mix(uint64_t* lane, uint64_t word) {
  *lane = (*lane ^ word) * kPrime;
  *lane ^= *lane >> 29;
}

}  // namespace

// Four lanes, because one would wait for its multiplications: every line of every watch passes
// here.
void Digest::Block(const char* block) {
  std::array<uint64_t, 4> words;
  std::memcpy(words.data(), block, kBlock);
  for (size_t i = 0; i < lanes_.size(); ++i) Mix(&lanes_[i], words[i]);
}

Digest& Digest::Add(std::string_view bytes) {
  if (bytes.empty()) return *this;
  const size_t held = size_ % kBlock;
  size_ += bytes.size();
  if (held > 0) {
    const size_t taken = std::min(kBlock - held, bytes.size());
    std::memcpy(rest_.data() + held, bytes.data(), taken);
    bytes.remove_prefix(taken);
    if (held + taken < kBlock) return *this;
    Block(rest_.data());
  }
  for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock))
    Block(bytes.data());  // NOLINT(bugprone-suspicious-stringview-data-usage): kBlock of them
  if (!bytes.empty()) std::memcpy(rest_.data(), bytes.data(), bytes.size());
  return *this;
}

uint64_t Digest::value() const {
  Digest whole = *this;
  const size_t held = size_ % kBlock;
  if (held > 0) {
    std::memset(whole.rest_.data() + held, 0, kBlock - held);
    whole.Block(whole.rest_.data());
  }
  uint64_t all = size_;
  for (const uint64_t lane : whole.lanes_) Mix(&all, lane);
  return (all ^ all >> 48) & kMask;
}

std::string Digest::Text() const {
  static constexpr char kHex[] = "0123456789abcdef";
  uint64_t left = value();
  std::string text(kDigits, '0');
  for (size_t i = kDigits; i > 0; --i, left >>= 4) text[i - 1] = kHex[left & 15];
  return text;
}

std::optional<uint64_t> Digest::Parse(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && text.size() == kDigits ? std::optional(value) : std::nullopt;
}

ListDigest& ListDigest::Add(std::string_view key, uint64_t rv, size_t size) {
  digest_.Add(key);
  Numbers(rv, size);
  return *this;
}

ListDigest& ListDigest::Add(const ObjectKey& key, uint64_t rv, size_t size) {
  if (!key.ns.empty()) digest_.Add(key.ns).Add("/");
  digest_.Add(key.name);
  Numbers(rv, size);
  return *this;
}

void ListDigest::Numbers(uint64_t rv, size_t size) {
  std::array<char, 17> bytes{};  // a zero first: no key holds one
  for (size_t i = 0; i < 8; ++i) {
    bytes[1 + i] = static_cast<char>(rv >> (8 * i) & 255);
    bytes[9 + i] = static_cast<char>(uint64_t{size} >> (8 * i) & 255);
  }
  digest_.Add({bytes.data(), bytes.size()});
}

}  // namespace relist
