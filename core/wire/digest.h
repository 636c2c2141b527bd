// A short digest of bytes that come in pieces: how a history says which bytes went out without
// saying them twice.
//
//   Digest digest;
//   for (const Slice& piece : chunk) digest.Add(piece.bytes);
//   entry.Set("body", digest.Text());   // "3f09c2ab17e4"
//
// The same however the bytes are cut, on every machine. 48 bits, so that a history's field needs no
// memory of its own; no defence against anybody who wants two texts to look the same.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/wire/object_key.h"

namespace relist {

class Digest {
 public:
  Digest& Add(std::string_view bytes);
  uint64_t value() const;
  std::string Text() const;  // 12 hexadecimal digits
  // The value of what Text wrote; nothing for other texts.
  static std::optional<uint64_t> Parse(std::string_view text);

 private:
  static constexpr size_t kBlock = 32;
  void Block(const char* block);

  std::array<uint64_t, 4> lanes_ = {0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu,
                                    0xd6e8feb86659fd93u};
  std::array<char, kBlock> rest_;  // the bytes after the last whole block
  uint64_t size_ = 0;
};

// The items of a list, in order: which objects, at which versions, and how long each is. Whole
// bodies would cost a large list as much as making it does.
//
//   for (const StoredRef& item : items) digest.Add(item->key, item->revision, item->bytes.size());
class ListDigest {
 public:
  // `key` is "ns/name"; `size` that of the object's JSON without kind and apiVersion.
  ListDigest& Add(std::string_view key, uint64_t rv, size_t size);
  ListDigest& Add(const ObjectKey& key, uint64_t rv, size_t size);
  uint64_t value() const { return digest_.value(); }
  std::string Text() const { return digest_.Text(); }

 private:
  void Numbers(uint64_t rv, size_t size);
  Digest digest_;
};

}  // namespace relist
