#include "tools/command/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace relist::command {
namespace {

Error FileError(const std::string& what, const std::string& path) {
  return Error::Net(Transport::kOther,
                    fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

}  // namespace

Result<std::string> ReadTextFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return FileError("read", path);
  std::string text;
  std::array<char, 65536> buffer;
  ssize_t got;
  while ((got = read(file, buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<size_t>(got));
  }
  const Error error = FileError("read", path);  // a folder opens, and fails here
  close(file);
  if (got < 0) return error;
  return text;
}

Result<void> WriteTextFile(const std::string& path, const std::string& text, bool only_owner) {
  const mode_t mode = only_owner ? 0600 : 0666;
  // Whatever lay there may have been open to others: a new file is not.
  if (only_owner) unlink(path.c_str());
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (file < 0) return FileError("write", path);
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(file, text.data() + written, text.size() - written);
    if (n < 0) {
      const Error error = FileError("write", path);
      close(file);
      return error;
    }
    written += static_cast<size_t>(n);
  }
  close(file);
  return {};
}

}  // namespace relist::command
