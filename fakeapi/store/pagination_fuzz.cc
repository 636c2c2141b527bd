// Continue tokens. The first byte of the input says whether the rest is a token, the JSON within
// one, or a start to be made into one with the revision of eight bytes. What is taken says a
// revision and a start, and comes back as it went; what is made comes back, or its start is none.
// Its corpus, replayed by the ordinary tests, is in fakeapi/testdata/fuzz/pagination.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/wire/base64.h"
#include "fakeapi/encoding/utf8.h"
#include "fakeapi/store/pagination.h"

namespace pagination_fuzz {
namespace {

using namespace relist::fakeapi;
using relist::Result;

void Require(bool condition) {
  if (!condition) std::abort();
}

void Decode(const std::string& text) {
  const Result<ContinueToken> token = DecodeContinue(text);
  if (!token.ok()) {
    Require(token.error().status.code == 400);
    Require(
        token.error().message().starts_with("invalid continue token: continue key is not valid"));
    return;
  }
  Require(token->revision != 0);
  Require(!token->start.starts_with('/'));
  if (token->start.empty()) return;  // "/": all of it, for which there is no other token
  const Result<ContinueToken> again = DecodeContinue(EncodeContinue(*token));
  Require(again.ok() && *again == *token);
  const Result<ContinueToken> slashed =
      DecodeContinue(EncodeContinue({token->revision, '/' + token->start}));
  Require(slashed.ok() && *slashed == *token);
}

// Go's path.Clean leaves "/" and the start as it is.
bool IsClean(const std::string& start) {
  std::string step;
  for (const char c : start + '/') {
    if (c != '/') {
      step += c;
    } else if (step.empty() || step == "." || step == "..") {
      return false;
    } else {
      step.clear();
    }
  }
  return true;
}

void Make(int64_t revision, const std::string& start) {
  if (MendUtf8(start) != start) return;  // keys are UTF-8
  const Result<ContinueToken> token = DecodeContinue(EncodeContinue({revision, start}));
  const bool good = revision != 0 && !start.empty() && !start.starts_with('/') && IsClean(start);
  if (start.starts_with('/')) return Decode(EncodeContinue({revision, start}));
  Require(token.ok() == good);
  if (good) Require(token->revision == revision && token->start == start);
}

}  // namespace
}  // namespace pagination_fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 1 << 12) return 0;
  const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 3 == 0) pagination_fuzz::Decode(rest);
  if (data[0] % 3 == 1) pagination_fuzz::Decode(relist::fakeapi::EncodeBase64Url(rest));
  if (data[0] % 3 == 2 && rest.size() >= 8) {
    int64_t revision = 0;
    std::memcpy(&revision, rest.data(), 8);
    pagination_fuzz::Make(revision, rest.substr(8));
  }
  return 0;
}
