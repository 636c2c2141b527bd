#include "tools/command/history_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace relist::command {
namespace {

// Of text beside the history that it was made of.
constexpr size_t kAheadOfReader = size_t{1} << 20;

Error CannotWrite(const std::string& path, int problem) {
  return Error::Net(Transport::kOther,
                    fmt::format("cannot write {}: {}", path, std::strerror(problem)));
}

}  // namespace

Result<std::unique_ptr<HistoryFile>> HistoryFile::Open(
    const std::string& path, std::function<void(const Error&)> on_failure) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return CannotWrite(path, errno);
  // Not before: a pipe without a reader would be an error.
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
  return std::unique_ptr<HistoryFile>(new HistoryFile(file, path, std::move(on_failure)));
}

HistoryFile::HistoryFile(int file, const std::string& path,
                         std::function<void(const Error&)> on_failure)
    : path_(path), writer_(file, {.on_failure = [this, tell = std::move(on_failure)](int problem) {
                             failed_ = true;
                             if (tell) tell(CannotWrite(path_, problem));
                           }}) {}

void HistoryFile::HandOver(const History& history, size_t waiting_max) {
  const auto& entries = history.entries();
  if (!begun_ && !failed_) writer_.AddAlways(history.Head());
  begun_ = true;
  std::string lines;
  while (handed_over_ < entries.size() && !failed_ && writer_.waiting() < waiting_max) {
    lines.clear();
    while (handed_over_ < entries.size() && lines.size() < kAheadOfReader) {
      lines += history.LineOf(entries[handed_over_++]) + "\n";
    }
    writer_.AddAlways(lines);
  }
}

bool HistoryFile::Append(const History& history) {
  HandOver(history, kAheadOfReader);
  return failed_ || handed_over_ == history.entries().size();
}

void HistoryFile::StartOver(const History& history) {
  HandOver(history, std::numeric_limits<size_t>::max());
  handed_over_ = 0;
}

Result<void> HistoryFile::Finish(const History& history, Duration patience) {
  HandOver(history, std::numeric_limits<size_t>::max());
  const LineWriter::Unwritten rest = writer_.Finish(patience);
  if (rest.error != 0 || rest.lines == 0) return {};
  return Error::Net(Transport::kOther,
                    fmt::format("{}: nobody read it: its last {} lines ({} bytes) are not written",
                                path_, rest.lines, rest.bytes));
}

}  // namespace relist::command
