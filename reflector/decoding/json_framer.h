// Cuts a byte stream into JSON objects: each is handed over at its closing brace, whatever stands
// between them (newlines are optional, NET-10).
//
//   JsonFramer framer;
//   framer.Feed(bytes);
//   while (framer.Next()) Use(framer.frame());
//   if (framer.failed()) ...   // brackets that do not match, a frame that is no object, or too
//   long
//
// Looks at brackets and strings only; whoever parses the frame judges the rest (so a frame that is
// broken inside is judged when its brackets are balanced, a little later than in Go). Every byte is
// looked at once, however they were split. Not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace relist {

// Where the string whose inside starts at `begin` has its closing quote; text.size() if it has
// none.
size_t EndOfString(std::string_view text, size_t begin);
// Whether an odd number of backslashes stands before `at`, not looking before `begin`.
bool OddBackslashesBefore(std::string_view text, size_t begin, size_t at);

class JsonFramer {
 public:
  static constexpr size_t kFrameMax = 16 << 20;  // client-go's decoder buffer
  static constexpr size_t kPadding = 64;         // what simdjson may read behind a frame

  void Feed(std::string_view bytes);
  // Moves to the next whole frame. False: there is none yet, or failed().
  bool Next();
  // The frame: good until the next Feed. At least kPadding bytes after it can be read.
  std::string_view frame() const { return {buffer_.data() + begin_, at_ - begin_}; }
  // The value of its last top-level key "object", within frame(); empty if it has none, or spells
  // the key with escapes.
  std::string_view object() const;

  bool failed() const { return !why_.empty(); }
  const std::string& why() const { return why_; }
  // Bytes of a frame that has not yet ended.
  std::string_view Unfinished() const;
  // Bytes that are held: at most some kFrameMax's, whatever is fed.
  size_t capacity() const { return buffer_.capacity(); }

 private:
  bool Scan();
  bool SkipToFrame();
  void ScanString();
  bool ScanByte(char c);
  bool Open(char bracket);
  bool Close(char bracket);
  void EndValue();
  bool Fail(std::string why);
  void MakeRoom(size_t more);

  std::string buffer_;
  size_t size_ = 0;   // bytes of buffer_ that came from the stream
  size_t begin_ = 0;  // of the frame
  size_t at_ = 0;     // the next byte to look at; behind a whole frame, its end
  std::string open_;  // the brackets that are open; empty: between frames
  bool in_string_ = false, escaped_ = false;
  // Of the top level: whether a string would be a key, and the span of the last "object".
  bool expecting_key_ = false, in_object_value_ = false;
  size_t string_begin_ = 0;
  size_t object_begin_ = 0, object_end_ = 0;
  std::string why_;
};

}  // namespace relist
