// Told of every request that a connection answers: for a log that people read.
//
//   struct Print : RequestLog {
//     void OnOpen(const RequestRecord&) override {}
//     void OnEnd(const RequestRecord& request) override { fmt::print("{}\n", request.target); }
//   };
//   HttpServerOptions front{.log = &print};
//
// Called on the server's thread.
#pragma once

#include <cstdint>
#include <string>

#include "core/time.h"

namespace relist::fakeapi {

struct RequestRecord {
  int connection = 0;  // from 1
  size_t replica = 0;
  std::string method, target;
  std::string agent;  // its User-Agent; may be empty
  bool is_watch = false;
  TimePoint received, now;
  int status = 0;      // 0: none was sent
  uint64_t bytes = 0;  // on the wire, head and framing too
  int lines = 0;       // of a watch
  // "sent", "last chunk", or how it broke: "FIN", "RST", "clean", "client".
  std::string how;
};

class RequestLog {
 public:
  virtual ~RequestLog() = default;
  virtual void OnOpen(const RequestRecord& watch) = 0;
  virtual void OnEnd(const RequestRecord& request) = 0;
};

}  // namespace relist::fakeapi
