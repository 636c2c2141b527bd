// How the page looks: its style sheet, whole.
#pragma once

#include <string_view>

namespace relist::report {

extern const std::string_view kPageStyle;

}  // namespace relist::report
