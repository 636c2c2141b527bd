#include "reflector/log.h"

#include <fmt/core.h>
#include <unistd.h>

#include "core/wire/json_text.h"

namespace relist {
namespace {

constexpr size_t kLineMax = 2048;

char Letter(LogLevel level) {
  return level == LogLevel::kInfo ? 'I' : level == LogLevel::kWarning ? 'W' : 'E';
}

std::string Escaped(std::string_view line) {
  std::string out;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
    if (out.size() < kLineMax) continue;
    out += "...";
    break;
  }
  return IsUtf8(out) ? out : MendUtf8(out);
}

class Stderr : public Log {
 public:
  void Write(LogLevel level, std::string_view line) override {
    const std::string text = fmt::format("{} relist: {}\n", Letter(level), line);
    // A standard error that is closed or full is nobody's to complain to.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  }
};

}  // namespace

void Say(const std::shared_ptr<Log>& log, LogLevel level, std::string_view line) {
  if (log) log->Write(level, Escaped(line));
}

std::shared_ptr<Log> StderrLog() {
  return std::make_shared<Stderr>();
}

void CollectedLog::Write(LogLevel level, std::string_view line) {
  const std::lock_guard lock(mutex_);
  lines_.push_back(fmt::format("{} {}", Letter(level), line));
}

std::vector<std::string> CollectedLog::lines() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

}  // namespace relist
