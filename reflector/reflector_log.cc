#include "reflector/reflector_log.h"

#include <fmt/core.h>

#include "reflector/parity_switch.h"

namespace relist {

std::string TypeDescription(std::string_view api_version, std::string_view kind) {
  if (api_version.empty() && kind.empty()) return "<unspecified>";
  const bool core = api_version.find('/') == std::string_view::npos;
  return fmt::format("{}{}, Kind={}", core ? "/" : "", api_version, kind);
}

ReflectorLog::ReflectorLog(std::shared_ptr<Log> log, std::string name, std::string type)
    : log_(std::move(log)), name_(name.empty() ? type : std::move(name)), type_(std::move(type)) {}

void ReflectorLog::Say(LogLevel level, std::string_view what, const Error& error) const {
  if (log_) Say(level, what, fmt::format("err=\"{}\"", error.message()));
}

void ReflectorLog::Say(LogLevel level, std::string_view what, std::string_view details) const {
  if (!log_) return;
  relist::Say(log_, level,
              fmt::format("{} reflector=\"{}\" type=\"{}\"{}{}", what, name_, type_,
                          details.empty() ? "" : " ", details));
}

void ReflectorLog::DefaultWatchError(const Error& error, bool opening_watch) const {
  if (!Behaves("RFL-06")) return;
  if (IsExpired(error)) {
    Say(LogLevel::kInfo, "Watch closed", error);
  } else if (Behaves("RFL-06b") && opening_watch && error.transport == Transport::kEof) {
    // Closed as watches are.
  } else if (opening_watch && error.transport == Transport::kUnexpectedEof) {
    Say(LogLevel::kInfo, "Watch closed with unexpected EOF", error);
  } else {
    Say(LogLevel::kError, "Failed to watch", error);
  }
}

}  // namespace relist
