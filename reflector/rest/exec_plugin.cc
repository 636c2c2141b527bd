#include "reflector/rest/exec_plugin.h"

#include <fmt/core.h>
#include <unistd.h>

#include <map>

#include "core/net/tls.h"

namespace relist {
namespace {

constexpr const char* kExecInfo = "KUBERNETES_EXEC_INFO";

// Not a time-out of the connection's, whatever kept the plugin.
Error NoCredentials(const Error& error) {
  return Error::Net(Transport::kOther, "getting credentials: " + error.message());
}

// A hint of several lines as part of a line.
std::string OneLine(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// Ours, then the plugin's: the last of a name wins, as in Go.
std::vector<std::string> EnvironmentFor(const ExecConfig& config, bool interactive) {
  std::map<std::string, std::string> all;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string text = *entry;
    const size_t equals = text.find('=');
    if (equals != std::string::npos && equals > 0) {
      all[text.substr(0, equals)] = text.substr(equals + 1);
    }
  }
  for (const auto& [name, value] : config.env) all[name] = value;
  all[kExecInfo] = ExecInfo(config, interactive);
  std::vector<std::string> out;
  for (const auto& [name, value] : all) out.push_back(fmt::format("{}={}", name, value));
  return out;
}

}  // namespace

ExecPlugin::ExecPlugin(Loop& loop, ExecConfig config, std::shared_ptr<Log> log, Run run)
    : loop_(loop),
      config_(std::move(config)),
      log_(std::move(log)),
      run_(std::move(run)),
      scope_(loop) {}

bool ExecPlugin::Good() const {
  return version_ > 0 && !(credentials_.expires && loop_.Now() > *credentials_.expires);
}

// A run that is under way is waited for, though what there is may still do: after a 401 it does
// not.
Task<Result<void>> ExecPlugin::Prepare(Signal& stop) {
  if (!round_ && Good()) co_return Result<void>();
  const std::shared_ptr<Round> round = round_ ? round_ : StartRound(/*refused=*/false);
  while (!round->over.Ready()) {
    if (stop.Ready()) co_return Error::Net(Transport::kStopped, "stopped");
    Select which(loop_, stop, round->over);
    co_await which;
  }
  if (Good()) co_return Result<void>();
  co_return round->result;
}

void ExecPlugin::Refused(uint64_t version) {
  if (version == version_ && !round_) StartRound(/*refused=*/true);
}

std::shared_ptr<ExecPlugin::Round> ExecPlugin::StartRound(bool refused) {
  const auto round = std::make_shared<Round>();
  round_ = round;
  scope_.Spawn(PlayRound(round, refused));
  return round;
}

Task<void> ExecPlugin::PlayRound(std::shared_ptr<Round> round, bool refused) {
  Result<ProcessSpec> spec = Spec();
  Result<ExecCredentials> credentials = Error{};
  if (spec.ok()) {
    Task<Result<ProcessOutput>> run = run_(loop_, *spec, never_);
    Result<ProcessOutput> done = co_await run;
    credentials = Judge(done);
  } else {
    credentials = spec.error();
  }
  if (credentials.ok()) {
    credentials_ = std::move(*credentials);
    ++version_;
  } else {
    const Error& error = credentials.error();
    if (refused) Say(log_, LogLevel::kError, "refreshing credentials: " + error.message());
    round->result = NoCredentials(error);
  }
  round_.reset();
  round->over.Set();
}

Result<ProcessSpec> ExecPlugin::Spec() const {
  const bool terminal = isatty(STDIN_FILENO) == 1;
  if (config_.interactive == ExecConfig::Interactive::kAlways && !terminal) {
    return Error::Net(Transport::kOther,
                      "exec plugin cannot support interactive mode: standard input is not a "
                      "terminal");
  }
  ProcessSpec spec{.command = config_.command, .args = config_.args};
  spec.interactive = config_.interactive != ExecConfig::Interactive::kNo && terminal;
  spec.deadline = spec.interactive ? config_.interactive_deadline : config_.deadline;
  spec.environment = EnvironmentFor(config_, spec.interactive);
  return spec;
}

Result<ExecCredentials> ExecPlugin::Judge(const Result<ProcessOutput>& done) const {
  if (!done.ok()) {
    const Error& error = done.error();
    std::string why = "exec: " + error.message();
    const std::string hint = OneLine(config_.install_hint);
    if (IsNoSuchProgram(error) && !hint.empty()) why += ": " + hint;
    return Error::Net(Transport::kOther, why);
  }
  if (done->exit_code != 0) {
    return Error::Net(Transport::kOther, fmt::format("exec: executable {} failed with exit code {}",
                                                     config_.command, done->exit_code));
  }
  Result<ExecCredentials> credentials = ParseExecCredentials(done->text, config_.api_version);
  if (!credentials.ok() || credentials->cert_pem.empty()) return credentials;
  const Result<std::shared_ptr<TlsClientContext>> pair =
      TlsClientContext::Make({.cert_pem = credentials->cert_pem, .key_pem = credentials->key_pem});
  if (pair.ok()) return credentials;
  return Error::Net(Transport::kOther,
                    "failed parsing client key/certificate: " + pair.error().message());
}

}  // namespace relist
