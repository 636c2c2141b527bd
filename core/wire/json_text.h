// JSON as text: what is looked at, and mended, before a parser sees it.
//
//   IsUtf8("\xff");                 // false
//   MendJson("{\"a\":\"\xff\"}");   // the bad byte is U+FFFD
//
// Go's decoder accepts invalid UTF-8 and lone surrogates in strings and stores U+FFFD, a byte, or
// an escape, each; so does the real server. nlohmann/json and simdjson refuse both. Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace relist {

bool IsUtf8(std::string_view bytes);

// How many of the first bytes are one valid character; 0 if they are none (RFC 3629: no overlong
// forms, no surrogates, nothing above U+10FFFF).
size_t Utf8CharacterSize(std::string_view bytes);

// Each byte that is no part of valid UTF-8 becomes U+FFFD.
std::string MendUtf8(std::string_view bytes);

// The same, and each \uD800-\uDFFF escape without its other half becomes \ufffd. Text that is not
// JSON stays so.
std::string MendJson(std::string_view bytes);

// Whether `text` stands between the quotes of a JSON string as it is: UTF-8 in which nothing is
// escaped. Nearly all texts do.
bool IsPlainInJson(std::string_view text);
// The same where Go writes: its encoder escapes <, > and &, too, and two line ends of Unicode's.
bool IsPlainInGoJson(std::string_view text);
// JSON whose strings are written as Go writes them: "\u003c" for "<".
std::string EscapeAsGo(std::string json);

// Parses *bytes; where that fails and mending helps, *bytes is what was mended. False if it is not
// JSON, or nests deeper than kJsonDepthMax.
bool ParseJson(std::string* bytes, nlohmann::json* value);

// The string at `key` of an object; "" where there is none.
std::string TextAt(const nlohmann::json& from, const char* key);

// Levels of nesting in `bytes`, counted without recursion and without judging the JSON: what is
// looked at before code that recurses may see a body.
int JsonDepth(std::string_view bytes);
// The same, but for free where the text is too short for it.
bool NestsDeeperThan(std::string_view bytes, int depth);
constexpr int kJsonDepthMax = 10000;

}  // namespace relist
