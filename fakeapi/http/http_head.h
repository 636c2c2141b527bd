// A request's head out of its bytes: method, target, headers, and how the body is framed.
//
//   HeadFacts facts;
//   if (auto refusal = InspectHead("GET /api HTTP/1.1\r\nHost: x\r\n\r\n", &facts)) ...
//   facts.headers;   // {{"Host", "x"}}
//
// Refusals are those of Go's net/http, which a real kube-apiserver stands on; and as there, lines
// may end in LF alone, a line that begins with a blank goes on with the one before, and of two
// framings the chunks count. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {

// Why a request is not served; the connection answers so and closes.
struct HttpRefusal {
  int status = 400;
  std::string message;         // one line
  std::string method, target;  // as far as they were read; for histories
};

struct HeadFacts {
  std::string method;
  std::string target;  // path and query, as sent (http_target.h)
  bool http10 = false;
  bool close = false;  // the client asked for the connection to be closed after the answer, or
                       // (HTTP/1.0) did not ask for the contrary
  bool expects_continue = false;
  bool chunked = false;
  uint64_t content_length = 0;  // 0 if chunked
  HeaderList headers;           // all, in their order

  bool has_body() const { return chunked || content_length > 0; }
};

// `head` ends with the first empty line. Nothing if it is good; `facts` are filled as far as they
// were read.
std::optional<HttpRefusal> InspectHead(std::string_view head, HeadFacts* facts);

}  // namespace relist::fakeapi
