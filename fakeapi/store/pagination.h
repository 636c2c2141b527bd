// Continue tokens: where a page ended, and at which revision its list is (SRV-10).
//
//   std::string text = EncodeContinue({.revision = 7, .start = KeyAfter(configmaps, "default",
//   {"default", "b"})}); Result<ContinueToken> token = DecodeContinue(text);
//
// base64url without padding of {"v":"meta.k8s.io/v1","rv":7,"start":"b\u0000"}, the real server's
// own format. Errors are 400 BadRequest with its texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/wire/object_key.h"

namespace relist::fakeapi {

struct ResourceType;

struct ContinueToken {
  int64_t revision = 0;  // of the first page; -1: go on at the newest (SRV-11)
  std::string start;     // the key to begin with, relative to the collection that was listed
  bool operator==(const ContinueToken&) const = default;
};

std::string EncodeContinue(const ContinueToken& token);
Result<ContinueToken> DecodeContinue(std::string_view text);

// What `start` is after `last`, in a list of namespace `ns` ("": all).
std::string StartAfter(const std::string& ns, const ObjectKey& last);

}  // namespace relist::fakeapi
