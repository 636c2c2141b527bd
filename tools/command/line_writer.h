// Lines into a pipe, a terminal or a file, written on a thread of its own: whoever gives one never
// waits for whoever reads it.
//
//   LineWriter log(OpenAgain(STDERR_FILENO), {.bytes_max = 1 << 20, .dropped = DroppedLine});
//   log.Add("a line\n");
//   LineWriter::Unwritten rest = log.Finish(Seconds(2));   // rest.lines: nobody read them
//
// What waits is kept in memory, in bytes up to a bound or without one. The thread starts with the
// first line. Thread-safe, but for Finish and the destructor: once, by the owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "core/time.h"

namespace relist::command {

// Another descriptor of the same pipe, terminal or file, which the caller owns: one that never
// blocks where the system allows that without making `file` so, too.
int OpenAgain(int file);

class LineWriter {
 public:
  struct Options {
    // Lines that would make more wait are dropped, until half of it is read.
    size_t bytes_max = std::numeric_limits<size_t>::max();
    // The line that stands where `count` were dropped.
    std::function<std::string(uint64_t count)> dropped;
    // Once, from the writer's thread: it cannot be written, and from then on nothing is.
    std::function<void(int error)> on_failure;
  };
  struct Unwritten {
    uint64_t lines = 0, bytes = 0;
    int error = 0;  // errno, where that is why
  };

  // Owns `file`.
  LineWriter(int file, Options options);
  ~LineWriter();  // does not wait
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  // Whole lines, each with its newline.
  void Add(std::string_view lines);
  // The same, whatever waits already: for the few that matter.
  void AddAlways(std::string_view lines);
  size_t waiting() const;  // bytes
  // Finish, under way or to come, has no more patience than a reader needs who is there.
  void Hurry();
  // Waits until all is written, but no longer than `patience` since the reader last took anything.
  // Lines that come later are lost.
  Unwritten Finish(Duration patience);

 private:
  struct State;
  // The thread's, too: a write that hangs must not hang us.
  const std::shared_ptr<State> state_;
};

}  // namespace relist::command
