#include "tools/benchmarks/server_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <ctime>
#include <fstream>

#include "core/check.h"

namespace relist::benchmarks {
namespace {

std::string& Binary() {
  static std::string path;
  return path;
}

double Seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// "serving http://127.0.0.1:PORT, kubeconfig PATH"
int PortOf(const std::string& line) {
  const size_t end = line.find(", kubeconfig");
  const size_t colon = line.rfind(':', end);
  CHECK(end != std::string::npos && colon != std::string::npos, "relist serve said: {}", line);
  return std::stoi(line.substr(colon + 1, end - colon - 1));
}

}  // namespace

void ServerProcess::SetBinary(std::string path) {
  Binary() = std::move(path);
}

ServerProcess::ServerProcess(const std::vector<std::string>& options) {
  std::array<int, 2> ends{};
  CHECK(pipe2(ends.data(), O_CLOEXEC) == 0, "no pipe");
  output_ = ends[0];
  std::vector<std::string> words = {Binary(), "serve"};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const int failed = posix_spawn(&pid_, Binary().c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  CHECK(failed == 0, "cannot start {}", Binary());
  std::string line;
  char byte = 0;
  while (read(output_, &byte, 1) == 1 && byte != '\n') line.push_back(byte);
  port_ = PortOf(line);
}

ServerProcess::~ServerProcess() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  close(output_);
}

double ServerProcess::CpuSeconds() const {
  clockid_t clock{};
  CHECK(clock_getcpuclockid(pid_, &clock) == 0, "no CPU clock of process {}", pid_);
  return Seconds(clock);
}

double ServerProcess::ResidentMegabytes() const {
  return std::stod(StatusLine("VmRSS:")) / 1024;
}

int ServerProcess::Threads() const {
  return std::stoi(StatusLine("Threads:"));
}

std::string ServerProcess::StatusLine(const std::string& key) const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/status");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with(key)) return line.substr(key.size());
  }
  CHECK(false, "/proc has no {} of process {}", key, pid_);
  return "";
}

double OwnCpuSeconds() {
  return Seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double WallSeconds() {
  return Seconds(CLOCK_MONOTONIC);
}

}  // namespace relist::benchmarks
