// Text in double quotes with C's escapes, as Go's %q and YAML have it; they differ in how they
// write the hex digits of control characters.
//
//   QuoteText("a\"b", HexCase::kLower);   // "a\"b" with its quotes and a backslash
//   ShellWord("a b;c.yaml");              // 'a b;c.yaml'
//   QuoteText("\xff", HexCase::kLower);   // "\xff": a byte that is no part of UTF-8
#pragma once

#include <string>
#include <string_view>

namespace relist {

enum class HexCase { kLower, kUpper };

std::string QuoteText(std::string_view text, HexCase hex);
// One word of a command as a POSIX shell reads it: in single quotes where it needs them.
std::string ShellWord(std::string_view text);

}  // namespace relist
