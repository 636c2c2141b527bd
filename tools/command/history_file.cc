#include "tools/command/history_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace relist::command {

Result<std::unique_ptr<HistoryFile>> HistoryFile::Open(const std::string& path) {
  FILE* file = fopen(path.c_str(), "we");
  if (file == nullptr) {
    return Error::Net(Transport::kOther,
                      fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
  return std::unique_ptr<HistoryFile>(new HistoryFile(file, path));
}

HistoryFile::~HistoryFile() {
  fclose(file_);
}

Result<void> HistoryFile::Append(const History& history) {
  for (; written_ < history.entries().size(); ++written_) {
    const std::string line = history.LineOf(history.entries()[written_]) + "\n";
    fwrite(line.data(), 1, line.size(), file_);
  }
  const bool failed = fflush(file_) != 0 || ferror(file_) != 0;
  if (failed && problem_ == 0) problem_ = errno;
  if (problem_ == 0) return {};
  return Error::Net(Transport::kOther,
                    fmt::format("cannot write {}: {}", path_, std::strerror(problem_)));
}

}  // namespace relist::command
