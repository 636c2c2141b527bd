// Where the client says what a person should know: one line for each thing that went wrong.
//
//   options.log = StderrLog();                         // "W relist: watch of configmaps: ..."
//   options.log = std::make_shared<CollectedLog>();    // of tests
//
// Null wherever an option asks for one: nothing is said. client-go logs with klog by itself; a
// library that writes to its process's standard error unasked is a bad guest, so here it is asked
// for. Write may be called from any thread.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace relist {

enum class LogLevel { kInfo, kWarning, kError };

class Log {
 public:
  virtual ~Log() = default;
  // One line without its newline; whatever would break it is escaped by the callers of Say.
  virtual void Write(LogLevel level, std::string_view line) = 0;
};

// Nothing where `log` is null. Control characters in `line`, which may hold a server's words, are
// written as \n, \x1b ..., and a line is cut at 2,048 bytes.
void Say(const std::shared_ptr<Log>& log, LogLevel level, std::string_view line);

// "W relist: the line", one write(2) a line.
std::shared_ptr<Log> StderrLog();

// Keeps lines as "W the line", for tests.
class CollectedLog : public Log {
 public:
  void Write(LogLevel level, std::string_view line) override;
  std::vector<std::string> lines() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

}  // namespace relist
