// JSON bytes to Objects, with simdjson: the client's hot path.
//
// Go's rules: the last of duplicate keys wins, keys are case-sensitive, invalid UTF-8 becomes
// U+FFFD (in the head and in the kept bytes alike), an object without a kind is an error.
// Everything is validated, also what nobody asks for. One parser, reused: not thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/wire/object.h"
#include "core/wire/watch_event.h"

namespace relist {

class ObjectDecoder {
 public:
  ObjectDecoder();
  ~ObjectDecoder();

  // One object. `bytes` must be followed by JsonFramer::kPadding bytes that can be read. Where it
  // lacks both kind and apiVersion it gets the inherited ones, in its head only (NET-14).
  Result<ObjectRef> Decode(std::string_view bytes, std::string_view inherited_kind,
                           std::string_view inherited_version);
  // {"type": ..., "object": ...}. `object` is the object's own bytes within `frame` where they are
  // known, else empty. The same padding.
  Result<WatchEvent> DecodeEvent(std::string_view frame, std::string_view object);

  struct ListHead {
    std::string resource_version, continue_token;
    std::optional<int64_t> remaining_item_count;
  };
  Result<ListHead> DecodeListMetadata(std::string_view bytes);
  // The text of a JSON string.
  Result<std::string> DecodeText(std::string_view bytes);
  // Whether `bytes` is one good JSON value.
  Result<void> Validate(std::string_view bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist
