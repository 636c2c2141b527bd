// What a request line asks for, as Go's net/url reads it.
//
//   PathAndQueryOf("GET", "http://host:80/api?x");   // "/api?x"
//   PathAndQueryOf("GET", "/%zz");                   // nothing: a 400
//
// Pure function.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace relist::fakeapi {

// The path and query of a request's target, as sent: without what stands before the path in
// "http://host/path", "*" as it is, "" where there is no path ("http://host", "mailto:x", the
// "host:port" of CONNECT). Nothing where Go would not take it: no slash at the start, a control
// character, a percent sign in the path that escapes nothing, a port that is no number.
std::optional<std::string> PathAndQueryOf(std::string_view method, std::string_view target);

}  // namespace relist::fakeapi
