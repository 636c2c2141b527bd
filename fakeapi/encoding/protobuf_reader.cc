#include "fakeapi/encoding/protobuf_reader.h"

#include <fmt/core.h>

#include <limits>

namespace relist::fakeapi {
namespace {

constexpr const char* kUnexpectedEof = "unexpected EOF";
constexpr const char* kNegativeLength = "proto: negative length found during unmarshaling";

}  // namespace

bool ProtobufReader::Refuse(std::string error) {
  error_ = std::move(error);
  return false;
}

bool ProtobufReader::Varint(uint64_t* value) {
  *value = 0;
  for (int shift = 0;; shift += 7) {
    if (shift >= 64) return Refuse("proto: integer overflow");
    if (AtEnd()) return Refuse(kUnexpectedEof);
    const auto byte = static_cast<unsigned char>(bytes_[at_++]);
    *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
}

// Lengths are int in Go: what does not fit, alone or added to the place, is negative.
bool ProtobufReader::Advance(uint64_t length) {
  if (length > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) - at_) {
    return Refuse(kNegativeLength);
  }
  // Past the end is found out by those who look there.
  at_ += length;
  return true;
}

bool ProtobufReader::Bytes(std::string_view* piece) {
  uint64_t length = 0;
  if (!Varint(&length)) return false;
  const size_t start = at_;
  if (!Advance(length)) return false;
  if (at_ > bytes_.size()) return Refuse(kUnexpectedEof);
  *piece = bytes_.substr(start, length);
  return true;
}

bool ProtobufReader::EntryTag(ProtobufTag* tag) {
  tag->start = at_;
  if (!Varint(&tag->wire)) return false;
  tag->number = static_cast<int32_t>(tag->wire >> 3);
  tag->wire_type = static_cast<int>(tag->wire & 7);
  return true;
}

bool ProtobufReader::Tag(std::string_view message, ProtobufTag* tag) {
  if (!EntryTag(tag)) return false;
  if (tag->wire_type == 4) {
    return Refuse(fmt::format("proto: {}: wiretype end group for non-group", message));
  }
  if (tag->number <= 0) {
    return Refuse(
        fmt::format("proto: {}: illegal tag {} (wire type {})", message, tag->number, tag->wire));
  }
  return true;
}

bool ProtobufReader::SkipLength() {
  uint64_t length = 0;
  return Varint(&length) && Advance(length);
}

bool ProtobufReader::Skip(const ProtobufTag& tag, size_t limit) {
  at_ = tag.start;
  // Groups are counted, not matched by number.
  for (uint64_t open = 0; !AtEnd();) {
    uint64_t wire = 0, ignored = 0;
    if (!Varint(&wire)) return false;
    switch (wire & 7) {
      case 0:
        if (!Varint(&ignored)) return false;
        break;
      case 1:
        at_ += 8;
        break;
      case 2:
        if (!SkipLength()) return false;
        break;
      case 3:
        ++open;
        break;
      case 4:
        if (open == 0) return Refuse("proto: unexpected end of group");
        --open;
        break;
      case 5:
        at_ += 4;
        break;
      default:
        return Refuse(fmt::format("proto: illegal wireType {}", wire & 7));
    }
    if (open == 0) return at_ <= limit || Refuse(kUnexpectedEof);
  }
  return Refuse(kUnexpectedEof);
}

}  // namespace relist::fakeapi
