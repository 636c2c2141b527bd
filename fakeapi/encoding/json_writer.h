// JSON as text: what nlohmann's dump() writes, compact, with U+FFFD for what is not UTF-8, and with
// the escapes that a real server has, whose encoder is Go's ("\u003c" for "<"; seen at v1.37.2).
//
//   WriteJson({{"a", "é\n"}});   // {"a":"é\n"}, the line break as \ and n
//
// dump() looks at each byte of each string through a decoder; nearly all strings are plain, and go
// out in one piece here. A write to the store serialises its object once, so this is its price.
// Recurses as deep as the value: see deep_stack.h.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace relist::fakeapi {

std::string WriteJson(const nlohmann::ordered_json& value);

}  // namespace relist::fakeapi
