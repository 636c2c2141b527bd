#include "tools/benchmarks/server_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <fstream>
#include <sstream>

#include "core/check.h"

namespace relist::benchmarks {
namespace {

constexpr char kToken[] = "secret";  // tools/real/serve's

std::string& Binary() {
  static std::string path;
  return path;
}

double Seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string TextOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<pid_t> ChildrenOf(pid_t pid) {
  const std::string id = std::to_string(pid);
  std::istringstream numbers(TextOf("/proc/" + id + "/task/" + id + "/children"));
  std::vector<pid_t> children;
  for (pid_t child = 0; numbers >> child;) children.push_back(child);
  return children;
}

std::vector<std::string> ServeWords(const std::vector<std::string>& options) {
  std::vector<std::string> words = {Binary(), "serve"};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

// Seconds since then, from the process's own start time, which is in clock ticks since boot.
double AgeOf(pid_t pid) {
  const std::string stat = TextOf("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream fields(stat.substr(stat.rfind(')') + 2));
  std::string field;
  constexpr int kStartTime = 20;  // the 22nd field, the 20th after the name
  for (int i = 0; i < kStartTime; ++i) fields >> field;
  const auto ticks_a_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  return Seconds(CLOCK_BOOTTIME) - std::stod(field) / ticks_a_second;
}

}  // namespace

void ServerProcess::SetBinary(std::string path) {
  Binary() = std::move(path);
}

ServerProcess::ServerProcess(const std::vector<std::string>& options)
    : ServerProcess(ServeWords(options), SIGKILL) {
  measured_ = {pid_};
}

std::unique_ptr<ServerProcess> ServerProcess::Real(const std::string& serve) {
  std::unique_ptr<ServerProcess> server(new ServerProcess({serve}, SIGTERM));  // ends its programs
  server->measured_ = ChildrenOf(server->pid_);
  CHECK(server->measured_.size() == 2, "{} runs {} programs", serve, server->measured_.size());
  // The script's own beginnings are not the server's.
  server->ready_seconds_ = 0;
  for (const pid_t pid : server->measured_) {
    server->ready_seconds_ = std::max(server->ready_seconds_, AgeOf(pid));
  }
  return server;
}

ServerProcess::ServerProcess(std::vector<std::string> words, int end_signal)
    : end_signal_(end_signal) {
  const double start = WallSeconds();
  std::array<int, 2> in{}, out{};
  CHECK(pipe2(in.data(), O_CLOEXEC) == 0 && pipe2(out.data(), O_CLOEXEC) == 0, "no pipe");
  input_ = in[1];  // the real one ends with us, whatever becomes of us
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
  std::string line;
  char byte = 0;
  while (read(output_, &byte, 1) == 1 && byte != '\n') line.push_back(byte);
  ready_seconds_ = WallSeconds() - start;
  TakeAddress(line);
}

// "serving http://127.0.0.1:PORT, kubeconfig PATH"
void ServerProcess::TakeAddress(const std::string& line) {
  const size_t end = line.find(", kubeconfig");
  const size_t colon = line.rfind(':', end);
  CHECK(end != std::string::npos && colon != std::string::npos, "the server said: {}", line);
  address_.port = std::stoi(line.substr(colon + 1, end - colon - 1));
  if (!line.starts_with("serving https:")) return;
  const auto tls = TlsClientContext::Make({.insecure_skip_verify = true});
  CHECK(tls.ok(), "{}", tls.error().message());
  address_.tls = *tls;
  address_.token = kToken;
}

ServerProcess::~ServerProcess() {
  if (pid_ > 0) {
    kill(pid_, end_signal_);
    waitpid(pid_, nullptr, 0);
  }
  close(input_);
  close(output_);
}

double ServerProcess::CpuSeconds() const {
  double sum = 0;
  for (const pid_t pid : measured_) {
    clockid_t clock{};
    CHECK(clock_getcpuclockid(pid, &clock) == 0, "no CPU clock of process {}", pid);
    sum += Seconds(clock);
  }
  return sum;
}

double ServerProcess::ResidentMegabytes() const {
  return StatusSum("VmRSS:") / 1024;
}

int ServerProcess::Threads() const {
  return static_cast<int>(StatusSum("Threads:"));
}

double ServerProcess::StatusSum(const std::string& key) const {
  double sum = 0;
  for (const pid_t pid : measured_) {
    const std::string status = TextOf("/proc/" + std::to_string(pid) + "/status");
    const size_t at = status.find("\n" + key);
    CHECK(at != std::string::npos, "/proc has no {} of process {}", key, pid);
    sum += std::stod(status.substr(at + 1 + key.size()));
  }
  return sum;
}

double OwnCpuSeconds() {
  return Seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double WallSeconds() {
  return Seconds(CLOCK_MONOTONIC);
}

}  // namespace relist::benchmarks
