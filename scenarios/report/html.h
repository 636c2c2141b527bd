// Text of anybody's in a page.
//
//   EscapeHtml("<script>");   // "&lt;script&gt;"
//
// What comes back is text wherever it stands: between tags or within quotes. What cannot be seen is
// made visible: control characters become their pictures (U+2400 and on), a byte that is no UTF-8
// and a character that turns the direction of writing U+FFFD. Line feeds and tabs stay. Pure.
#pragma once

#include <string>
#include <string_view>

namespace relist::report {

std::string EscapeHtml(std::string_view text);

}  // namespace relist::report
