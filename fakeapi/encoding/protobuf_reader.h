// Protobuf's wire format as Go's generated code takes it, with its texts for what is wrong.
//
//   ProtobufReader reader(bytes);
//   while (!reader.AtEnd()) {
//     if (!reader.Tag("Pod", &tag)) return reader.error();   // "unexpected EOF"
//     if (tag.number == 1 && !reader.Bytes(&piece)) ...
//     if (unknown && !reader.Skip(tag)) ...
//   }
//
// Nothing is copied: `bytes` have to outlive the reader and what it gave.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace relist::fakeapi {

struct ProtobufTag {
  size_t start = 0;   // where it begins
  uint64_t wire = 0;  // as it came
  int32_t number = 0;
  int wire_type = 0;  // 0 varint, 1 eight bytes, 2 length and bytes, 3 and 4 a group, 5 four bytes
};

class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view bytes) : bytes_(bytes) {}

  size_t at() const { return at_; }
  bool AtEnd() const { return at_ >= bytes_.size(); }
  const std::string& error() const { return error_; }

  // Each is false, and sets error(), where the bytes are not that.
  bool Varint(uint64_t* value);
  bool Bytes(std::string_view* piece);
  // `message` is for the text. A tag of a group's end is refused.
  bool Tag(std::string_view message, ProtobufTag* tag);
  // An entry of a map: less is checked.
  bool EntryTag(ProtobufTag* tag);
  // The whole field whose tag was read, which has to end at `limit` or before.
  bool Skip(const ProtobufTag& tag, size_t limit);
  bool Skip(const ProtobufTag& tag) { return Skip(tag, bytes_.size()); }
  bool Refuse(std::string error);

 private:
  bool SkipLength();
  bool Advance(uint64_t length);

  std::string_view bytes_;
  size_t at_ = 0;
  std::string error_;
};

}  // namespace relist::fakeapi
