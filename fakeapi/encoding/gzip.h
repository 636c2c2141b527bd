// gzip members, as large lists and streaming lists come in to whoever allows it (SRV-36).
//
//   if (AllowsGzip(request.Header("Accept-Encoding"))) bytes = Gzip(text);
//
// Level 1, as the real server. Members may follow one another. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace relist::fakeapi {

// True where one of the codings is gzip, and nothing but that: the real server reads no weights.
bool AllowsGzip(std::string_view accept_encoding);

// One whole member.
std::string Gzip(std::string_view text);

}  // namespace relist::fakeapi
