// A server as a process of its own, measured from outside: `relist serve`, or the real one with its
// etcd.
//
//   ServerProcess server({"--objects", file});
//   PlainConnection connection(server.address());
//   server.CpuSeconds();    // so far, of all its threads, in nanosecond resolution
//
// A server that does not start is a CHECK.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "tools/benchmarks/child_process.h"
#include "tools/benchmarks/plain_client.h"

namespace relist::benchmarks {

class ServerProcess {
 public:
  // `relist serve` with these options; returns when it has said its first line.
  explicit ServerProcess(const std::vector<std::string>& options);
  // What tools/real/serve starts. Its figures are those of kube-apiserver and etcd together.
  static std::unique_ptr<ServerProcess> Real(const std::string& serve);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  const ServerAddress& address() const { return address_; }
  // The file that its first line names.
  const std::string& kubeconfig() const { return kubeconfig_; }
  double CpuSeconds() const;
  double ResidentMegabytes() const;  // VmRSS
  int Threads() const;
  // From its first process's start to its first line. 10 ms are the finest of the real one's.
  double ReadySeconds() const { return ready_seconds_; }

  static void SetBinary(std::string path);
  static const std::string& Binary();

 private:
  ServerProcess(std::vector<std::string> words, int end_signal);
  void TakeAddress(const std::string& line);
  double StatusSum(const std::string& key) const;

  double started_;
  ChildProcess child_;
  ServerAddress address_;
  std::string kubeconfig_;
  std::vector<pid_t> measured_;
  double ready_seconds_ = 0;
};

// CPU time of this process so far.
double OwnCpuSeconds();
// Steady seconds, for what a person waits for.
double WallSeconds();

}  // namespace relist::benchmarks
