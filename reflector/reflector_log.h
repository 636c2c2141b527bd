// What a reflector says in the log: client-go's words where people search for them, then who says
// it, then why; one line each (catalogue RFL-06).
//
//   ReflectorLog log(options.log, "configmaps", "/v1, Kind=ConfigMap");
//   log.Say(LogLevel::kWarning, "watch ended with error", error);
//   // W relist: watch ended with error reflector="configmaps" type="/v1, Kind=ConfigMap" err="..."
//
// Errors and warnings are what client-go logs as such; what it says at a higher verbosity only (the
// server is busy, a watch expired: it goes on by itself) is kInfo. What is no trouble is not said.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/wire/object.h"
#include "reflector/log.h"

namespace relist {

// "apps/v1, Kind=Deployment"; "/v1, Kind=Pod" of the core group; "<unspecified>" of neither (the
// texts of client-go's type descriptions, RFL-01).
std::string TypeDescription(std::string_view api_version, std::string_view kind);

class ReflectorLog {
 public:
  // An empty `name` is the type's. `log` may be null.
  ReflectorLog(std::shared_ptr<Log> log, std::string name, std::string type);

  const std::string& type() const { return type_; }
  void Say(LogLevel level, std::string_view what, const Error& error) const;
  // `details`: key="value" pairs, or nothing.
  void Say(LogLevel level, std::string_view what, std::string_view details = "") const;

  // What happens to the error of a round where nobody handles it (client-go's default handler):
  // an expiry is told as information, a watch that could not be opened for a bare EOF not at all,
  // anything else as an error. `opening_watch`: the error is of that, and no list's.
  void DefaultWatchError(const Error& error, bool opening_watch) const;

 private:
  std::shared_ptr<Log> log_;
  std::string name_, type_;
};

}  // namespace relist
