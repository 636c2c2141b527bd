#include "core/runtime/child_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "core/check.h"

namespace relist {
namespace {

constexpr const char* kNoSuchProgram = "NoSuchProgram";
constexpr Duration kFirstLook = Millis(1), kLastLook = Millis(20);

Error CannotRun(const std::string& command, int error_number) {
  const bool missing = error_number == ENOENT || error_number == EACCES || error_number == ENOTDIR;
  Error error = Error::Net(Transport::kOther,
                           missing ? fmt::format("executable {} not found", command)
                                   : fmt::format("{}: {}", command, std::strerror(error_number)));
  if (missing) error.status.reason = kNoSuchProgram;
  return error;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// One running program and the pipe from its standard output; dies with this.
class Child {
 public:
  static Result<std::unique_ptr<Child>> Start(const ProcessSpec& spec);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Takes what it printed, and sees whether it has ended.
  bool Ended();
  void Kill();
  size_t printed() const { return output_.text.size(); }
  ProcessOutput TakeOutput() { return std::move(output_); }

 private:
  Child(pid_t pid, int out, bool own_group) : pid_(pid), out_(out), own_group_(own_group) {}
  void ReadSome();

  const pid_t pid_;
  int out_;
  const bool own_group_;
  bool reaped_ = false;
  ProcessOutput output_;
};

// How it starts: standard streams, signals as a fresh program has them, a group of its own where
// nobody types to it.
int Spawn(const ProcessSpec& spec, int out, pid_t* pid) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  if (!spec.interactive) {
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int group = spec.interactive ? 0 : POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_setflags(
      &attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  std::vector<std::string> arguments = spec.args, environment = spec.environment;
  arguments.insert(arguments.begin(), spec.command);
  const std::vector<char*> argv = Pointers(arguments), envp = Pointers(environment);
  const int failed =
      posix_spawnp(pid, spec.command.c_str(), &files, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failed;
}

Result<std::unique_ptr<Child>> Child::Start(const ProcessSpec& spec) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return CannotRun(spec.command, errno);
  // The program's end blocks, as programs expect.
  fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) & ~O_NONBLOCK);
  pid_t pid = 0;
  const int failed = Spawn(spec, ends[1], &pid);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    return CannotRun(spec.command, failed);
  }
  return std::unique_ptr<Child>(new Child(pid, ends[0], !spec.interactive));
}

Child::~Child() {
  if (!reaped_) {
    Kill();
    waitpid(pid_, nullptr, 0);  // what was killed ends now
  }
  close(out_);
}

void Child::Kill() {
  kill(own_group_ ? -pid_ : pid_, SIGKILL);
}

void Child::ReadSome() {
  char buffer[16384];
  // One that prints without end does not hold us here; a pipe holds less than this.
  for (int reads = 0; reads < 64; ++reads) {
    const ssize_t n = read(out_, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    output_.text.append(buffer, static_cast<size_t>(n));
  }
}

bool Child::Ended() {
  if (reaped_) return true;
  int status = 0;
  const pid_t got = waitpid(pid_, &status, WNOHANG);
  ReadSome();  // also what it printed last
  if (got == 0 || (got < 0 && errno == EINTR)) return false;
  reaped_ = true;
  // Somebody else's waitpid(-1) may have been first: then what it printed has to do.
  if (got < 0) return true;
  output_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  output_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return true;
}

}  // namespace

Task<Result<ProcessOutput>> RunProcess(Loop& loop, ProcessSpec spec, Signal& stop) {
  Result<std::unique_ptr<Child>> started = Child::Start(spec);
  if (!started.ok()) co_return started.error();
  Child& child = **started;
  const TimePoint give_up = loop.Now() + spec.deadline;
  std::optional<Error> killed;
  for (Duration pause = kFirstLook; !child.Ended(); pause = std::min(2 * pause, kLastLook)) {
    if (!killed) {
      if (stop.Ready()) {
        killed = Error::Net(Transport::kStopped, "stopped");
      } else if (loop.Now() >= give_up) {
        killed = Error::Net(
            Transport::kTimeout,
            fmt::format("{} did not end within {} s", spec.command, FormatSeconds(spec.deadline)));
      } else if (child.printed() > spec.output_max) {
        killed = Error::Net(Transport::kOther, fmt::format("{} printed more than {} bytes",
                                                           spec.command, spec.output_max));
      }
      if (killed) child.Kill();
    }
    Timer look(loop, loop.Now() + pause);
    if (killed) {
      Select dying(loop, look);
      co_await dying;
    } else {
      Select living(loop, stop, look);
      co_await living;
    }
  }
  if (killed) co_return *killed;
  co_return child.TakeOutput();
}

bool IsNoSuchProgram(const Error& error) {
  return error.status.reason == kNoSuchProgram;
}

}  // namespace relist
