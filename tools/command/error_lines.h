// Standard error of a program that stays: it never waits for whoever reads it.
//
//   ErrorLines errors;
//   errors.Complain("this is wrong");      // "relist: this is wrong"
//   errors.writer().Add("a line of a log\n");
//   errors.Finish();
//
// Of a log that nobody reads 1 MiB waits; what comes beyond is dropped, and once it is read again a
// line says how much. Complaints are never dropped. Thread-safe, but for Finish: once, at the end.
#pragma once

#include <string_view>

#include "tools/command/line_writer.h"

namespace relist::command {

class ErrorLines {
 public:
  ErrorLines();
  void Complain(std::string_view message);
  // Waits no longer than two seconds since somebody last read: where nobody reads, nobody can be
  // told.
  void Finish();
  LineWriter& writer() { return writer_; }

 private:
  LineWriter writer_;
};

}  // namespace relist::command
