// A credential plugin of a kubeconfig: a program that is run for a token, or a client certificate,
// when there is none yet, when it has expired, and when the server answered 401.
//
//   ExecPlugin plugin(loop, config, log);
//   Task<Result<void>> ready = plugin.Prepare(stop);
//   if (Result<void> r = co_await ready; r.ok()) Use(plugin.token());
//   plugin.Refused(version);                            // 401
//
// It runs at most once at a time; whoever wants credentials meanwhile waits for that run, and hears
// how it went. A run after a 401 that fails leaves what there was, and is a line of the log. The
// program runs beside the loop (core/runtime/child_process.h), which never waits for it.
//
// Errors are one line: "getting credentials: exec: executable aws not found: INSTALL HINT". Belongs
// to the loop's thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/runtime/child_process.h"
#include "core/runtime/loop.h"
#include "reflector/log.h"
#include "reflector/rest/exec_credentials.h"

namespace relist {

class ExecPlugin {
 public:
  // `run` is for tests: instead of RunProcess.
  using Run = std::function<Task<Result<ProcessOutput>>(Loop&, ProcessSpec, Signal& stop)>;
  ExecPlugin(Loop& loop, ExecConfig config, std::shared_ptr<Log> log, Run run = RunProcess);

  // Sees that there are credentials that have not expired.
  Task<Result<void>> Prepare(Signal& stop);
  // Asks for new ones, unless there are new ones since `version`.
  void Refused(uint64_t version);

  const std::string& token() const { return credentials_.token; }
  const std::string& cert_pem() const { return credentials_.cert_pem; }
  const std::string& key_pem() const { return credentials_.key_pem; }
  // How often it gave credentials; 0: it has given none.
  uint64_t version() const { return version_; }

 private:
  struct Round {
    Signal over;
    Result<void> result;
  };
  bool Good() const;
  std::shared_ptr<Round> StartRound(bool refused);
  Task<void> PlayRound(std::shared_ptr<Round> round, bool refused);
  Result<ProcessSpec> Spec() const;
  Result<ExecCredentials> Judge(const Result<ProcessOutput>& done) const;

  Loop& loop_;
  const ExecConfig config_;
  const std::shared_ptr<Log> log_;
  const Run run_;
  ExecCredentials credentials_;
  uint64_t version_ = 0;
  std::shared_ptr<Round> round_;  // under way; null: none is
  Signal never_;
  TaskScope scope_;
};

}  // namespace relist
