// A Content-Type, read as Go's mime.ParseMediaType reads it (NET-02, NET-07).
//
//   ParseMediaType("Application/JSON; charset=utf-8").type;   // "application/json"
//   ParseMediaType("application json").why;   // "mime: expected slash after first token"
#pragma once

#include <string>
#include <string_view>

namespace relist {

struct MediaType {
  std::string type;  // lower case, without parameters; kept where only a parameter is bad
  std::string why;   // what is wrong with it; empty: nothing
};

MediaType ParseMediaType(std::string_view text);

}  // namespace relist
