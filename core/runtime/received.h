// What a Connection has received and its user has not, and when that makes it ready: the part of
// Connection's contract that does not depend on where the bytes come from.
//
//   received.Append(bytes);    // then Notify
//   received.StateChanged();   // then Notify
//   received.Take(into, max);  // is Receive
//
// Ready while there are bytes, or the state changed since a Take found nothing. One thread.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace relist {

class Received {
 public:
  bool ready() const { return unseen_ || !bytes_.empty(); }
  size_t size() const { return bytes_.size(); }
  // For those who can write straight into it: the engine that deciphers.
  std::string* bytes() { return &bytes_; }

  void Append(std::string_view bytes) { bytes_ += bytes; }
  void Append(std::string&& bytes) {
    if (bytes_.empty()) {
      bytes_ = std::move(bytes);
    } else {
      bytes_ += bytes;
    }
  }
  void StateChanged() { unseen_ = true; }
  void DropBytes() { bytes_.clear(); }
  // Nothing to look at any more.
  void Clear() {
    bytes_.clear();
    unseen_ = false;
  }

  // Appends at most `max` bytes to *into; how many.
  size_t Take(std::string* into, size_t max) {
    const size_t n = std::min(max, bytes_.size());
    if (n == 0) {
      unseen_ = unseen_ && max == 0;  // who asks for nothing has not looked
      return 0;
    }
    if (into->empty() && n == bytes_.size()) {
      into->swap(bytes_);
    } else {
      into->append(bytes_, 0, n);
      bytes_.erase(0, n);
    }
    return n;
  }

 private:
  std::string bytes_;
  bool unseen_ = false;  // the state changed since a Take found nothing
};

}  // namespace relist
