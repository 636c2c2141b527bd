// Cuts a byte stream into JSON objects: each is handed over at its closing brace, whatever stands
// between them (newlines are optional, NET-10).
//
//   JsonFramer framer;
//   framer.Feed(bytes);
//   while (framer.Next()) Use(framer.frame());
//   if (framer.failed()) ...   // brackets that do not match, a frame that is no object, or too
//   long
//
// Looks at brackets and strings only; whoever parses the frame judges the rest. Every byte is
// looked at once, however it was split.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace relist {

class JsonFramer {
 public:
  static constexpr size_t kFrameMax = 16 << 20;  // client-go's decoder buffer

  void Feed(std::string_view bytes);
  // Moves to the next whole frame. False: there is none yet, or failed().
  bool Next();
  // The frame: good until the next Feed. At least kPadding bytes after it can be read.
  std::string_view frame() const { return {buffer_.data() + begin_, end_ - begin_}; }
  static constexpr size_t kPadding = 64;
  // Where, within frame(), the value of its last top-level key "object" lies; empty if it has none
  // that is spelled plainly.
  std::string_view object() const;

  bool failed() const { return !why_.empty(); }
  const std::string& why() const { return why_; }
  // Bytes of a frame that has not yet ended.
  std::string_view Unfinished() const;

 private:
  bool Scan();
  bool Fail(std::string why);
  void Open(char bracket);
  bool Close(char bracket);
  void Compact();

  std::string buffer_;          // followed by kPadding bytes
  size_t size_ = 0;             // bytes of buffer_ that came from the stream
  size_t begin_ = 0, end_ = 0;  // the frame
  size_t at_ = 0;               // the next byte to look at
  std::string open_;            // the brackets that are open
  bool in_frame_ = false, in_string_ = false, escaped_ = false;
  // The top-level key being read, and the span of the last "object".
  size_t string_begin_ = 0;
  bool key_is_object_ = false, expecting_key_ = false;
  size_t object_begin_ = 0, object_end_ = 0;
  std::string why_;
};

}  // namespace relist
