// Writes a history into a file while it grows, so that it is there however the process ends.
//
//   Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open(path);
//   Result<void> written = (*file)->Append(history);   // what is new since the last time
//
// Append belongs to whoever owns the history.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "core/history.h"
#include "core/result.h"

namespace relist::command {

class HistoryFile {
 public:
  static Result<std::unique_ptr<HistoryFile>> Open(const std::string& path);
  ~HistoryFile();
  HistoryFile(const HistoryFile&) = delete;
  HistoryFile& operator=(const HistoryFile&) = delete;

  // An Error once it cannot be written, and from then on.
  Result<void> Append(const History& history);
  // The history is about to be emptied; the file goes on.
  void StartOver() { written_ = 0; }

 private:
  HistoryFile(FILE* file, std::string path) : file_(file), path_(std::move(path)) {}
  FILE* file_;
  std::string path_;
  int problem_ = 0;  // errno
  size_t written_ = 0;
};

}  // namespace relist::command
