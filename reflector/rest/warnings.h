// What a server warns of beside its answers: `Warning: 299 - "policy/v1beta1 is deprecated"`
// (NET-15).
//
//   options.warning_handler = WarningsOnce(options.log);        // each text once, as kubectl does
//   options.warning_handler = [](const Warning& warning) { ... };
//
// A RestClient calls its handler once for each warning of an answer that it gives to its caller,
// good or bad, also where it opens a watch; not for answers that it takes for a reason to try
// again, nor for errors that are no JSON. Without a handler each is a line of the log, again and
// again, as client-go's default does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/net/http_response_decoder.h"
#include "reflector/log.h"

namespace relist {

struct Warning {
  int code = 0;       // 299 is what an API server means by a warning
  std::string agent;  // "-" mostly
  std::string text;
};

// Called on the loop's thread, with warnings of any code.
using WarningHandler = std::function<void(const Warning&)>;

// All that an answer's headers carry, in their order. What is malformed is left out, with what
// follows it in the same header.
std::vector<Warning> WarningsOf(const HttpResponseHead& head);

// "Warning: TEXT" in the log, of code 299, each time. `log` may be null: nothing is said.
WarningHandler LoggedWarnings(std::shared_ptr<Log> log);
// The same, but each text only once. It remembers all of them: not for texts without number.
WarningHandler WarningsOnce(std::shared_ptr<Log> log);

}  // namespace relist
