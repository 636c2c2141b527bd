// The lines of `relist serve --log requests`: who asked for what, what came of it, and how it
// ended.
//
//   12:00:01.250 conn 3 GET /api/v1/pods?limit=500 kubectl/v1.33.1 200 1834 bytes 2.1ms sent
//
// A watch has two, one when it opens. Pure functions.
#pragma once

#include <string>

#include "fakeapi/http/request_log.h"
#include "tools/command/line_writer.h"

namespace relist::command {

// With a newline; nothing in it ends a line early.
std::string OpenLine(const fakeapi::RequestRecord& watch);
std::string EndLine(const fakeapi::RequestRecord& request);

// Into `lines`, which outlives it, or drops them.
class PrintedRequests : public fakeapi::RequestLog {
 public:
  explicit PrintedRequests(LineWriter& lines) : lines_(lines) {}
  void OnOpen(const fakeapi::RequestRecord& watch) override;
  void OnEnd(const fakeapi::RequestRecord& request) override;

 private:
  LineWriter& lines_;
};

}  // namespace relist::command
