// The User-Agent by which a server knows this program, in the form of client-go's default.
//
//   DefaultUserAgent();   // "my-controller/v0.1.0 (linux/amd64) relist/0.1.0"
//
// Name of the program, version of this library, system and processor in Go's words. client-go ends
// it with kubernetes/COMMIT; who reads an audit log shall see that this is another client. Programs
// that know better set RestClientOptions::user_agent.
#pragma once

#include <string>

namespace relist {

std::string DefaultUserAgent();

}  // namespace relist
