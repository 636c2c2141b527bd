// UTF-8 as Go takes it: a byte that belongs to no character is U+FFFD.
//
//   MendUtf8("a\xff");              // "a\xef\xbf\xbd"
//   Utf8SequenceAt("a\xff", 1);     // 0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace relist::fakeapi {

// The length in bytes of the character at `at`, 0 where there is none.
size_t Utf8SequenceAt(std::string_view bytes, size_t at);

std::string MendUtf8(std::string_view bytes);

}  // namespace relist::fakeapi
