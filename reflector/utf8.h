// Invalid UTF-8, mended as Go's encoding/json does.
#pragma once

#include <string>
#include <string_view>

namespace relist {

// Every byte that is not part of a valid character becomes U+FFFD.
std::string MendUtf8(std::string_view bytes);

}  // namespace relist
