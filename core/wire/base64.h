// Base64 as Go's encoding/base64.StdEncoding reads and writes it: padded, line breaks ignored.
//
//   DecodeBase64("MQ==");   // "1"
//   DecodeBase64("%%%");    // error: illegal base64 data at input byte 0
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace relist {

Result<std::string> DecodeBase64(std::string_view text);
std::string EncodeBase64(std::string_view bytes);

// RawURLEncoding, of continue tokens: - and _ for + and /, no padding; a lone last letter is an
// error.
Result<std::string> DecodeBase64Url(std::string_view text);
std::string EncodeBase64Url(std::string_view bytes);

}  // namespace relist
