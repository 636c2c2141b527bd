// `relist serve` as a process of its own, measured from outside: CPU time, memory, threads.
//
//   ServerProcess server({"--objects", file});
//   server.port();
//   server.CpuSeconds();    // so far, of all its threads, in nanosecond resolution
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace relist::benchmarks {

class ServerProcess {
 public:
  // Starts it and waits for its first line. A server that does not start is a CHECK.
  explicit ServerProcess(const std::vector<std::string>& options);
  ~ServerProcess();  // SIGKILL
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  int port() const { return port_; }
  double CpuSeconds() const;
  double ResidentMegabytes() const;  // VmRSS
  int Threads() const;

  static void SetBinary(std::string path);

 private:
  std::string StatusLine(const std::string& key) const;
  pid_t pid_ = -1;
  int output_ = -1;
  int port_ = 0;
};

// CPU time of this process so far.
double OwnCpuSeconds();
// Steady seconds, for what a person waits for.
double WallSeconds();

}  // namespace relist::benchmarks
