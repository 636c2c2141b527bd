#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "core/runtime/loop.h"
#include "core/runtime/socket_port.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/control.h"
#include "fakeapi/front/http_server.h"
#include "fakeapi/object_loader.h"
#include "scenarios/injected_faults.h"
#include "scenarios/scenario.h"
#include "scenarios/stage.h"
#include "tools/command/commands.h"
#include "tools/command/console.h"
#include "tools/command/history_file.h"
#include "tools/command/kubeconfig_file.h"
#include "tools/command/output.h"
#include "tools/command/request_lines.h"
#include "tools/command/scenario_file.h"
#include "tools/command/served_steps.h"
#include "tools/command/text_file.h"

namespace relist::command {
namespace {

// The scenario, or one in which nothing happens; what was typed wins over what it says.
Result<Scenario> ScenarioOf(const ServeOptions& options) {
  Scenario scenario;
  scenario.rate = 1;
  if (!options.scenario.empty()) {
    Result<Scenario> loaded = ReadScenarioFile(options.scenario);
    if (!loaded.ok()) return loaded.error();
    if (!loaded->RunsIn(WorldKind::kHttp)) {
      return Error::Net(Transport::kOther,
                        fmt::format("{}: this scenario is for the simulation only: {}",
                                    options.scenario, loaded->why_sim));
    }
    scenario = std::move(*loaded);
  } else {
    scenario.controllers = fakeapi::kAllControllers;
  }
  if (options.controllers) scenario.controllers = *options.controllers;
  if (options.rate) scenario.rate = *options.rate;
  if (options.scenario.empty()) scenario.watch_window = scenario.watcher_buffer = 0;
  if (options.watch_window) scenario.watch_window = *options.watch_window;
  if (options.watcher_buffer) scenario.watcher_buffer = *options.watcher_buffer;
  if (options.replicas) scenario.replicas = *options.replicas;
  if (options.not_ready) scenario.not_ready = *options.not_ready;
  if (options.bookmark_period) scenario.bookmark_period = *options.bookmark_period;
  if (options.timeout_min) scenario.timeout_min = *options.timeout_min;
  return scenario;
}

// uids of two servers must differ, of two runs of one scenario they must not.
uint64_t SeedOf(const ServeOptions& options, const Scenario& scenario, TimePoint now) {
  if (!options.scenario.empty()) return scenario.seed;
  return static_cast<uint64_t>(now.time_since_epoch().count()) ^ static_cast<uint64_t>(getpid());
}

// Nothing is kept from one life to the next, and a client may outlive many: in microseconds since
// 1970 no life gets to where the next one begins.
uint64_t StartRevisionOf(TimePoint now) {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count());
}

StageOptions StageOptionsOf(const ServeOptions& options, TimePoint now) {
  // A script says itself when it compacts; else as the real server does.
  const Duration period = options.scenario.empty() ? Seconds(300) : Duration(0);
  return {.token = options.token,
          .compaction_period = options.compaction_period.value_or(period),
          .start_revision = options.start_revision.value_or(StartRevisionOf(now))};
}

// A file may have any number of them.
constexpr size_t kDroppedLinesMax = 20;

void TellDropped(const std::string& path, const fakeapi::Loaded& loaded) {
  size_t told = 0;
  for (const auto& [field, objects] : loaded.dropped) {
    if (told++ == kDroppedLinesMax) {
      Complain(
          fmt::format("{}: and {} more fields", path, loaded.dropped.size() - kDroppedLinesMax));
      return;
    }
    Complain(fmt::format("{}: field {} of {} {} is not known to this server: dropped", path,
                         fakeapi::GoQuote(field.second), objects, field.first));
  }
}

class Serving {
 public:
  Serving(const ServeOptions& options, const Scenario& scenario)
      : options_(options),
        scenario_(scenario),
        port_({.rate = scenario.rate}),
        loop_(port_),
        history_(loop_.Now()),
        stage_(scenario, SeedOf(options, scenario, loop_.Now()), loop_.Now(), history(),
               StageOptionsOf(options, loop_.Now())),
        faults_(options.scenario.empty() ? nullptr : &stage_.faults()),
        tasks_(loop_) {
    for (size_t i = 0; i < stage_.server().replicas(); ++i) {
      controls_.emplace_back(stage_.server(), ControlHooks(), i);
    }
  }

  Result<void> Start() {
    const Result<void> spared = SparesItsInput();
    if (!spared.ok()) return spared.error();
    const Result<void> filled = Fill();
    if (!filled.ok()) return filled.error();
    BlockLeaveSignals();  // not before: a file may be a pipe into which nobody writes
    const Result<ServingCertificate> certificate = Certificate();
    if (!certificate.ok()) return certificate.error();
    front_ = std::make_unique<fakeapi::HttpServer>(controls_.front(), FrontOptions(*certificate));
    steps_ = std::make_unique<ServedSteps>(loop_, *front_, stage_, scenario_);
    const Result<int> port = front_->Start();
    if (!port.ok()) return port.error();
    // Not before: a server that cannot start empties no file.
    if (history() != nullptr && !options_.history.empty()) {
      Result<std::unique_ptr<HistoryFile>> file = HistoryFile::Open(options_.history);
      if (!file.ok()) return file.error();
      history_file_ = std::move(*file);
    }
    if (!scenario_.expect.empty() || !scenario_.verdicts.empty()) {
      Complain(options_.scenario + ": `expect:` is judged by `relist run`, not by `relist serve`");
    }
    return Announce(certificate->ca_pem);
  }

  // Of the script: what failed, and what never happened. After Run.
  std::vector<std::string> Unfulfilled() {
    std::vector<std::string> problems = stage_.problems();
    for (std::string& line : stage_.faults().NeverStruck(loop_.Now()))
      problems.push_back(std::move(line));
    for (std::string& line : stage_.faults().InVain()) problems.push_back(std::move(line));
    for (std::string& line : faults_.NeverStruck(loop_.Now())) problems.push_back(std::move(line));
    return problems;
  }

  // Until a signal, or until the history cannot be written.
  Result<void> Run() {
    Signal stop;
    tasks_.Spawn(steps_->Timed());
    tasks_.Spawn(KeepHistory(stop));
    std::thread signals([this, &stop] {
      WaitForLeaveSignal();
      loop_.PostFromThread([&stop] { stop.Set(); });
    });
    loop_.RunUntil([&stop] { return stop.Ready(); });
    // Where no signal came, it still waits for one.
    pthread_kill(signals.native_handle(), SIGTERM);  // NOLINT(bugprone-bad-signal-to-kill-thread)
    signals.join();
    RemoveKubeconfig();
    UnblockLeaveSignals();  // a second one is not asked to wait for the grace
    front_->Stop();
    tasks_.Clear();
    if (history_file_) kept_ = history_file_->Append(history_);
    return kept_;
  }

 private:
  using ServingCertificate = fakeapi::ServingCertificate;

  // The history begins with an empty file.
  Result<void> SparesItsInput() const {
    std::vector<std::string> inputs = options_.objects;
    if (!options_.scenario.empty()) inputs.push_back(options_.scenario);
    for (const std::string& input : inputs) {
      if (options_.history.empty() || !IsSameFile(options_.history, input)) continue;
      return Error::Net(
          Transport::kOther,
          fmt::format("--history {}: this is the file of --objects or --scenario, which it would "
                      "empty: name another",
                      options_.history));
    }
    return {};
  }
  History* history() { return options_.history == "none" ? nullptr : &history_; }

  Result<void> Fill() {
    stage_.Prepare(loop_.Now());
    if (!stage_.problems().empty()) return Error::Net(Transport::kOther, stage_.problems().front());
    for (const std::string& path : options_.objects) {
      const Result<std::string> text = ReadTextFile(path);
      if (!text.ok()) return text.error();
      const Result<fakeapi::Loaded> loaded = stage_.server().LoadObjects(*text, loop_.Now());
      if (!loaded.ok()) {
        return Error::Net(Transport::kOther, path + ": " + loaded.error().message());
      }
      TellDropped(path, *loaded);
    }
    return {};
  }

  Result<ServingCertificate> Certificate() {
    if (!options_.tls) return ServingCertificate();
    return fakeapi::MakeServingCertificate();
  }

  fakeapi::HttpServerOptions FrontOptions(const ServingCertificate& certificate) {
    fakeapi::HttpServerOptions front;
    front.address = options_.address;
    front.port = options_.port;
    front.rate = scenario_.rate;
    front.cert_pem = certificate.cert_pem;
    front.key_pem = certificate.key_pem;
    front.faults = &faults_;
    front.history = history();
    for (size_t i = 1; i < controls_.size(); ++i) front.replicas.push_back(&controls_[i]);
    front.balance = scenario_.balance;
    front.log = options_.log_requests ? &printed_ : nullptr;
    front.shutdown_grace = options_.shutdown_grace;
    front.clock = [this] { return port_.Now(); };
    return front;
  }

  Result<void> Announce(const std::string& ca_pem) {
    std::vector<std::string> urls;
    for (const int port : front_->ports()) {
      urls.push_back(UrlOf(options_.tls, options_.address, port));
    }
    const Result<std::string> place = KubeconfigPath(front_->port());
    if (!place.ok()) return place.error();
    kubeconfig_ = *place;
    const KubeconfigFacts facts{.server = urls[0],
                                .replicas = {urls.begin() + 1, urls.end()},
                                .ca_pem = ca_pem,
                                .token = options_.token};
    const Result<void> written =
        WriteTextFile(kubeconfig_, KubeconfigText(facts), /*only_owner=*/true);
    if (!written.ok()) return written.error();
    std::string text = fmt::format("serving {}, kubeconfig {}\n", urls[0], kubeconfig_);
    for (size_t i = 1; i < urls.size(); ++i) {
      text += fmt::format("replica {} is {}, context replica-{}\n", i, urls[i], i);
    }
    const Result<void> said = Say(text);
    if (!said.ok()) RemoveKubeconfig();
    return said;
  }

  Result<std::string> KubeconfigPath(int port) const {
    if (!options_.kubeconfig.empty()) return options_.kubeconfig;
    std::error_code problem;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(problem);
    if (!problem) return (folder / fmt::format("relist-{}.yaml", port)).string();
    return Error::Net(Transport::kOther,
                      fmt::format("no temporary folder for the kubeconfig: {}; set $TMPDIR, or "
                                  "name a file with --kubeconfig",
                                  problem.message()));
  }

  // The one that nobody asked for by name: it leads nowhere now.
  void RemoveKubeconfig() const {
    if (options_.kubeconfig.empty()) unlink(kubeconfig_.c_str());
  }

  fakeapi::ControlOptions ControlHooks() {
    return {.history = history(),
            .inject = [this](const std::string& body) { return faults_.Add(body); },
            .before_reset = [this] { BeforeReset(); }};
  }

  // On the server's thread: the file has what the history forgets.
  void BeforeReset() {
    faults_.Clear();
    if (!history_file_) return;
    kept_ = history_file_->Append(history_);
    history_file_->StartOver();
  }

  // Whoever kills the process finds all but the last second in the file.
  Task<void> KeepHistory(Signal& stop) {
    while (history_file_ && !stop.Ready()) {
      front_->Run([this] { kept_ = history_file_->Append(history_); });
      if (!kept_.ok()) stop.Set();
      Timer timer(loop_, loop_.Now() + Seconds(1));
      Select which(loop_, timer, stop);
      co_await which;
    }
  }

  const ServeOptions& options_;
  const Scenario& scenario_;
  SocketPort port_;
  Loop loop_;
  History history_;
  Stage stage_;
  InjectedFaults faults_;
  std::deque<fakeapi::ControlHandler> controls_;  // by replica
  PrintedRequests printed_;
  std::unique_ptr<HistoryFile> history_file_;
  Result<void> kept_;  // of writing it
  std::unique_ptr<fakeapi::HttpServer> front_;
  std::unique_ptr<ServedSteps> steps_;
  std::string kubeconfig_;
  TaskScope tasks_;
};

}  // namespace

int Serve(const ServeOptions& options) {
  // The server's thread would grow a heap of its own, a page and a system call at a time: a
  // twentieth of a create.
  mallopt(M_ARENA_MAX, 1);
  const Result<Scenario> scenario = ScenarioOf(options);
  if (!scenario.ok()) return Fail(scenario.error());
  Serving serving(options, *scenario);
  const Result<void> started = serving.Start();
  if (!started.ok()) return Fail(started.error());
  const Result<void> served = serving.Run();
  if (!served.ok()) return Fail(served.error());
  const std::vector<std::string> unfulfilled = serving.Unfulfilled();
  for (const std::string& line : unfulfilled) Complain(line);
  return unfulfilled.empty() ? kGood : kUsage;
}

}  // namespace relist::command
