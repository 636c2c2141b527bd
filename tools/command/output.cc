#include "tools/command/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "tools/command/command_line.h"

namespace relist::command {
namespace {

// 0, or the errno.
int WriteWhole(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(file, text.data(), text.size());
    if (n >= 0) {
      text.remove_prefix(static_cast<size_t>(n));
    } else if (errno == EAGAIN) {
      // Somebody else who has the pipe made it non-blocking.
      pollfd place{file, POLLOUT, 0};
      poll(&place, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void HoldStandardStreams() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
    // The wrong way round, so that reading, or writing, is an error. The lowest free number is it.
    [[maybe_unused]] const int held = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  // Both are told by the write that fails.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

Error CannotSay(int problem) {
  return Error::Net(Transport::kOther,
                    fmt::format("cannot write standard output: {}", std::strerror(problem)));
}

Result<void> Say(std::string_view text) {
  const int problem = WriteWhole(STDOUT_FILENO, text);
  if (problem == 0) return {};
  return CannotSay(problem);
}

void SayError(std::string_view text) {
  WriteWhole(STDERR_FILENO, text);
}

std::string ComplaintLine(std::string_view message) {
  return fmt::format("relist: {}\n", message);
}

void Complain(std::string_view message) {
  SayError(ComplaintLine(message));
}

int Fail(const Error& error) {
  Complain(error.message());
  return kUsage;
}

}  // namespace relist::command
