#include "tools/benchmarks/server_process.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <sstream>

#include "core/check.h"

namespace relist::benchmarks {
namespace {

constexpr char kToken[] = "secret";  // tools/real/serve's

std::string& BinaryPath() {
  static std::string path;
  return path;
}

std::vector<pid_t> ChildrenOf(pid_t pid) {
  const std::string id = std::to_string(pid);
  std::istringstream numbers(TextOfFile("/proc/" + id + "/task/" + id + "/children"));
  std::vector<pid_t> children;
  for (pid_t child = 0; numbers >> child;) children.push_back(child);
  return children;
}

std::vector<std::string> ServeWords(const std::vector<std::string>& options) {
  std::vector<std::string> words = {ServerProcess::Binary(), "serve"};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

// Seconds since then, from the process's own start time, which is in clock ticks since boot.
double AgeOf(pid_t pid) {
  const std::string stat = TextOfFile("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream fields(stat.substr(stat.rfind(')') + 2));
  std::string field;
  constexpr int kStartTime = 20;  // the 22nd field, the 20th after the name
  for (int i = 0; i < kStartTime; ++i) fields >> field;
  const auto ticks_a_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  return SecondsOf(CLOCK_BOOTTIME) - std::stod(field) / ticks_a_second;
}

}  // namespace

void ServerProcess::SetBinary(std::string path) {
  BinaryPath() = std::move(path);
}
const std::string& ServerProcess::Binary() {
  return BinaryPath();
}

ServerProcess::ServerProcess(const std::vector<std::string>& options)
    : ServerProcess(ServeWords(options), SIGKILL) {
  measured_ = {child_.pid()};
}

std::unique_ptr<ServerProcess> ServerProcess::Real(const std::string& serve) {
  std::unique_ptr<ServerProcess> server(new ServerProcess({serve}, SIGTERM));  // ends its programs
  server->measured_ = ChildrenOf(server->child_.pid());
  CHECK(server->measured_.size() == 2, "{} runs {} programs", serve, server->measured_.size());
  // The script's own beginnings are not the server's.
  server->ready_seconds_ = 0;
  for (const pid_t pid : server->measured_) {
    server->ready_seconds_ = std::max(server->ready_seconds_, AgeOf(pid));
  }
  return server;
}

ServerProcess::ServerProcess(std::vector<std::string> words, int end_signal)
    : started_(WallSeconds()), child_(std::move(words), end_signal) {
  const std::string line = child_.ReadLine();
  ready_seconds_ = WallSeconds() - started_;
  TakeAddress(line);
}

// "serving http://127.0.0.1:PORT, kubeconfig PATH"
void ServerProcess::TakeAddress(const std::string& line) {
  static constexpr std::string_view kFile = ", kubeconfig ";
  const size_t end = line.find(kFile);
  const size_t colon = line.rfind(':', end);
  CHECK(end != std::string::npos && colon != std::string::npos, "the server said: {}", line);
  kubeconfig_ = line.substr(end + kFile.size());
  address_.port = std::stoi(line.substr(colon + 1, end - colon - 1));
  if (!line.starts_with("serving https:")) return;
  const auto tls = TlsClientContext::Make({.insecure_skip_verify = true});
  CHECK(tls.ok(), "{}", tls.error().message());
  address_.tls = *tls;
  address_.token = kToken;
}

double ServerProcess::CpuSeconds() const {
  double sum = 0;
  for (const pid_t pid : measured_) sum += ChildProcess::CpuSecondsOf(pid);
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
  for (const pid_t pid : measured_) sum += ChildProcess::StatusOf(pid, key);
  return sum;
}

double OwnCpuSeconds() {
  return SecondsOf(CLOCK_PROCESS_CPUTIME_ID);
}

double WallSeconds() {
  return SecondsOf(CLOCK_MONOTONIC);
}

}  // namespace relist::benchmarks
