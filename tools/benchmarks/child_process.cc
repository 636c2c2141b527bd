#include "tools/benchmarks/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <ctime>
#include <fstream>
#include <sstream>

#include "core/check.h"

namespace relist::benchmarks {

ChildProcess::ChildProcess(std::vector<std::string> words, int end_signal)
    : end_signal_(end_signal) {
  std::array<int, 2> in{}, out{};
  CHECK(pipe2(in.data(), O_CLOEXEC) == 0 && pipe2(out.data(), O_CLOEXEC) == 0, "no pipe");
  input_ = in[1];  // it ends with us, whatever becomes of us
  output_ = out[0];
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  const int failed = posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  CHECK(failed == 0, "cannot start {}", words[0]);
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    kill(pid_, end_signal_);
    waitpid(pid_, nullptr, 0);
  }
  close(input_);
  close(output_);
}

std::string ChildProcess::ReadLine() {
  std::string line;
  char byte = 0;
  while (read(output_, &byte, 1) == 1 && byte != '\n') line.push_back(byte);
  return line;
}

void ChildProcess::WriteLine(const std::string& line) {
  const std::string text = line + "\n";
  CHECK(write(input_, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
        "process {} does not listen", pid_);
}

double ChildProcess::ResidentMegabytes() const {
  return StatusOf(pid_, "VmRSS:") / 1024;
}

double ChildProcess::CpuSecondsOf(pid_t pid) {
  clockid_t clock{};
  CHECK(clock_getcpuclockid(pid, &clock) == 0, "no CPU clock of process {}", pid);
  return SecondsOf(clock);
}

double ChildProcess::StatusOf(pid_t pid, const std::string& key) {
  const std::string status = TextOfFile("/proc/" + std::to_string(pid) + "/status");
  const size_t at = status.find("\n" + key);
  CHECK(at != std::string::npos, "/proc has no {} of process {}", key, pid);
  return std::stod(status.substr(at + 1 + key.size()));
}

std::string TextOfFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

double SecondsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace relist::benchmarks
