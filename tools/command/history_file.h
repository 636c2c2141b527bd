// Writes a history into a file while it grows, so that it is there however the process ends.
//
//   Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open(path);
//   (*file)->Append(history);   // what is new since the last time
//
// Append belongs to whoever owns the history.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "core/history.h"
#include "core/result.h"

namespace relist::command {

class HistoryFile {
 public:
  static Result<std::unique_ptr<HistoryFile>> Open(const std::string& path);
  ~HistoryFile();
  HistoryFile(const HistoryFile&) = delete;
  HistoryFile& operator=(const HistoryFile&) = delete;

  void Append(const History& history);

 private:
  explicit HistoryFile(FILE* file) : file_(file) {}
  FILE* file_;
  size_t written_ = 0;
};

}  // namespace relist::command
