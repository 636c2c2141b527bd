// A program as a process of its own, measured from outside.
//
//   ChildProcess child({"/path/relist", "serve"}, SIGKILL);
//   child.ReadLine();       // "serving http://..."
//   child.CpuSeconds();     // so far, of all its threads, in nanosecond resolution
//
// A program that does not start is a CHECK. It ends with us, or by `end_signal` when we let it go.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace relist::benchmarks {

class ChildProcess {
 public:
  ChildProcess(std::vector<std::string> words, int end_signal);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  // The next line of its standard output, without the newline; what there is where it ended.
  std::string ReadLine();
  void WriteLine(const std::string& line);
  double CpuSeconds() const { return CpuSecondsOf(pid_); }
  double ResidentMegabytes() const;  // VmRSS

  static double CpuSecondsOf(pid_t pid);
  // A number of /proc/PID/status: "VmRSS:" in KB, "Threads:".
  static double StatusOf(pid_t pid, const std::string& key);

 private:
  pid_t pid_ = -1;
  int end_signal_ = 0;
  int input_ = -1, output_ = -1;
};

std::string TextOfFile(const std::string& path);
double SecondsOf(clockid_t clock);

}  // namespace relist::benchmarks
