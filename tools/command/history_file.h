// Writes a history into a file while it grows, so that it is there however the process ends.
//
//   Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open(path, on_failure);
//   (*file)->Append(history);                            // what is new since the last time
//   Result<void> kept = (*file)->Finish(history, Seconds(5));
//
// It may be a pipe that somebody reads slowly, or not at all: nobody waits for that. What the
// reader did not take yet stays in the history, until that is emptied, and then in memory here:
// nothing is left out. Append, StartOver and Finish belong to whoever owns the history.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "core/history.h"
#include "core/result.h"
#include "core/time.h"
#include "tools/command/line_writer.h"

namespace relist::command {

class HistoryFile {
 public:
  // Empties the file. Where it is a pipe, waits until somebody reads it. `on_failure`, from another
  // thread and once: it cannot be written, and from then on nothing is.
  static Result<std::unique_ptr<HistoryFile>> Open(const std::string& path,
                                                   std::function<void(const Error&)> on_failure);

  // False where the reader is so far behind that there is more: come again soon.
  bool Append(const History& history);
  // The history is about to be emptied; the file goes on.
  void StartOver(const History& history);
  // From any thread: Finish, under way or to come, does not wait for a reader that stalls.
  void Hurry() { writer_.Hurry(); }
  // The last of it; waits no longer than `patience` since the reader last took anything. The Error
  // says what was not written, but for what `on_failure` has told.
  Result<void> Finish(const History& history, Duration patience);
  bool failed() const { return failed_; }

 private:
  HistoryFile(int file, const std::string& path, std::function<void(const Error&)> on_failure);
  void HandOver(const History& history, size_t waiting_max);

  const std::string path_;
  std::atomic<bool> failed_ = false;
  bool begun_ = false;      // its first line says what it is
  size_t handed_over_ = 0;  // entries of the history
  LineWriter writer_;
};

}  // namespace relist::command
