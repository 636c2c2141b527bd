// Whether what goes to standard output is coloured.
//
//   const bool color = ColorsStandardOutput(ColorWhen::kAuto);
//
// By itself where a person looks at it: standard output is a terminal, NO_COLOR is not set (or
// empty; https://no-color.org), and TERM is not "dumb".
#pragma once

namespace relist::command {

enum class ColorWhen { kAuto, kAlways, kNever };

bool ColorsStandardOutput(ColorWhen when);
// The same, of surroundings that are given; a variable that is not set is null. Pure.
bool WantsColor(ColorWhen when, bool terminal, const char* no_color, const char* term);

}  // namespace relist::command
