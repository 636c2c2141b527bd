#include "reflector/decoding/json_framer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "core/wire/json_text.h"
#include "reflector/parity_switch.h"

namespace relist {
namespace {

constexpr size_t kKeptMax = 1 << 20;  // of the buffer, between frames that need less

bool IsSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

bool OddBackslashesBefore(std::string_view text, size_t begin, size_t at) {
  const size_t end = at;
  while (at > begin && text[at - 1] == '\\') --at;
  return (end - at) % 2 == 1;
}

size_t EndOfString(std::string_view text, size_t begin) {
  for (size_t at = begin; at < text.size(); ++at) {
    const void* quote = std::memchr(text.data() + at, '"', text.size() - at);
    if (!quote) break;
    at = static_cast<size_t>(static_cast<const char*>(quote) - text.data());
    if (!OddBackslashesBefore(text, begin, at)) return at;
  }
  return text.size();
}

void JsonFramer::Feed(std::string_view bytes) {
  if (failed()) return;
  MakeRoom(bytes.size());
  std::memcpy(buffer_.data() + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
}

// Drops what was handed over, and keeps the padding behind the rest.
void JsonFramer::MakeRoom(size_t more) {
  const size_t keep_from = open_.empty() ? at_ : begin_;
  if (keep_from > 0) {
    std::memmove(buffer_.data(), buffer_.data() + keep_from, size_ - keep_from);
    size_ -= keep_from;
    at_ -= keep_from;
    begin_ = 0;
    if (!open_.empty()) {
      string_begin_ -= std::min(string_begin_, keep_from);
      object_begin_ -= std::min(object_begin_, keep_from);
      object_end_ -= std::min(object_end_, keep_from);
    }
  }
  const size_t needed = size_ + more + kPadding;
  if (buffer_.size() > kKeptMax && needed <= kKeptMax / 4) {
    buffer_ = std::string(buffer_.data(), needed);  // a large frame has gone by
  }
  if (buffer_.size() < needed) buffer_.resize(std::max(needed, 2 * buffer_.size()));
}

bool JsonFramer::Next() {
  if (failed()) return false;
  if (open_.empty() && !SkipToFrame()) return false;
  return Scan();
}

bool JsonFramer::SkipToFrame() {
  while (at_ < size_ && IsSpace(buffer_[at_])) ++at_;
  if (at_ == size_) return false;
  if (buffer_[at_] != '{') {
    // One byte: what came with it depends on how the stream was split.
    const std::string first = MendUtf8(std::string_view(buffer_).substr(at_, 1));
    return Fail(fmt::format("a frame that is not a JSON object: it begins with '{}'", first));
  }
  begin_ = at_++;
  open_.assign(1, '{');
  expecting_key_ = true;
  in_object_value_ = in_string_ = escaped_ = false;
  object_begin_ = object_end_ = 0;
  return true;
}

bool JsonFramer::Scan() {
  while (at_ < size_) {
    if (in_string_) {
      ScanString();
      continue;
    }
    if (!ScanByte(buffer_[at_])) return false;
    ++at_;
    if (open_.empty()) break;
  }
  const bool whole = open_.empty();
  if ((whole ? at_ : size_) - begin_ <= kFrameMax || !Behaves("NET-10")) return whole;
  return Fail("object to decode was longer than maximum allowed size");
}

// Up to the closing quote, or the end of what there is.
void JsonFramer::ScanString() {
  const size_t begin = at_ + (escaped_ ? 1 : 0);
  escaped_ = false;
  at_ = EndOfString({buffer_.data(), size_}, begin);
  if (at_ == size_) {
    escaped_ = OddBackslashesBefore({buffer_.data(), size_}, begin, size_);
    return;
  }
  in_string_ = false;
  if (open_.size() == 1 && expecting_key_) {
    static constexpr std::string_view kObject = "object";
    in_object_value_ =
        std::string_view(buffer_.data() + string_begin_, at_ - string_begin_) == kObject;
    expecting_key_ = false;
  }
  ++at_;
}

bool JsonFramer::ScanByte(char c) {
  switch (c) {
    case '"':
      in_string_ = true;
      string_begin_ = at_ + 1;
      return true;
    case '{':
    case '[':
      return Open(c);
    case '}':
      return Close('{');
    case ']':
      return Close('[');
    case ':':
      if (in_object_value_ && open_.size() == 1) object_begin_ = object_end_ = at_ + 1;
      return true;
    case ',':
      if (open_.size() == 1) {
        EndValue();
        expecting_key_ = true;
      }
      return true;
    default:
      return true;
  }
}

void JsonFramer::EndValue() {
  if (in_object_value_) object_end_ = at_;
  in_object_value_ = false;
}

bool JsonFramer::Open(char bracket) {
  if (open_.size() == static_cast<size_t>(kJsonDepthMax)) {
    return Fail(fmt::format("JSON nests deeper than {}", kJsonDepthMax));
  }
  open_ += bracket;
  return true;
}

bool JsonFramer::Close(char bracket) {
  if (open_.back() != bracket) return Fail("brackets that do not match");
  if (open_.size() == 1) EndValue();
  open_.pop_back();
  return true;
}

std::string_view JsonFramer::object() const {
  std::string_view value(buffer_.data() + object_begin_, object_end_ - object_begin_);
  while (!value.empty() && IsSpace(value.front())) value.remove_prefix(1);
  while (!value.empty() && IsSpace(value.back())) value.remove_suffix(1);
  return value;
}

std::string_view JsonFramer::Unfinished() const {
  if (open_.empty()) return {};
  return {buffer_.data() + begin_, size_ - begin_};
}

bool JsonFramer::Fail(std::string why) {
  why_ = std::move(why);
  return false;
}

}  // namespace relist
