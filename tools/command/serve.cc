#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "core/runtime/loop.h"
#include "core/runtime/socket_port.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/control.h"
#include "fakeapi/front/http_server.h"
#include "fakeapi/object_loader.h"
#include "scenarios/play/injected_faults.h"
#include "scenarios/play/stage.h"
#include "scenarios/script/scenario.h"
#include "scenarios/script/scenario_judge.h"
#include "tools/command/commands.h"
#include "tools/command/error_lines.h"
#include "tools/command/history_file.h"
#include "tools/command/kubeconfig_file.h"
#include "tools/command/leave_signals.h"
#include "tools/command/line_writer.h"
#include "tools/command/output.h"
#include "tools/command/output_files.h"
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
    if (const Result<void> can = CanBeServed(*loaded); !can.ok()) return can.error();
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

// Nothing is kept from one life to the next, and a client may outlive many: in tens of microseconds
// since 1970 no life gets to where the next one begins. In microseconds they would have sixteen
// digits, one more than a std::string holds without an allocation, at whoever keeps objects.
uint64_t StartRevisionOf(TimePoint now) {
  using Ticks = std::chrono::duration<uint64_t, std::ratio<1, 100000>>;
  return std::chrono::duration_cast<Ticks>(now.time_since_epoch()).count();
}

StageOptions StageOptionsOf(const ServeOptions& options, TimePoint now) {
  // A script says itself when it compacts; else as the real server does.
  const Duration period = options.scenario.empty() ? Seconds(300) : Duration(0);
  // A script may name versions: they are those of `relist run`.
  const uint64_t start = options.scenario.empty() ? StartRevisionOf(now) : 1;
  return {.token = options.token,
          .compaction_period = options.compaction_period.value_or(period),
          .start_revision = options.start_revision.value_or(start)};
}

// A file may have any number of them.
constexpr size_t kDroppedFieldsMax = 20;

// At the end, without a reader that takes anything: README.md says so.
constexpr Duration kHistoryPatience = Seconds(5);
// Until a signal comes.
constexpr Duration kAnyTime = Seconds(24 * 3600);

void TellDropped(const std::string& path, const fakeapi::Loaded& loaded, ErrorLines& errors) {
  size_t told = 0;
  for (const auto& [field, objects] : loaded.dropped) {
    if (told++ == kDroppedFieldsMax) {
      errors.Complain(
          fmt::format("{}: and {} more fields", path, loaded.dropped.size() - kDroppedFieldsMax));
      return;
    }
    errors.Complain(fmt::format("{}: field {} of {} {} is not known to this server: dropped", path,
                                fakeapi::GoQuote(field.second), objects, field.first));
  }
}

class Serving {
 public:
  Serving(const ServeOptions& options, const Scenario& scenario, LeaveSignals& signals,
          ErrorLines& errors)
      : options_(options),
        scenario_(scenario),
        signals_(signals),
        errors_(errors),
        port_({.rate = scenario.rate}),
        loop_(port_),
        history_(loop_.Now(), scenario.rate),
        stage_(scenario, SeedOf(options, scenario, loop_.Now()), loop_.Now(), history(),
               StageOptionsOf(options, loop_.Now())),
        faults_(options.scenario.empty() ? nullptr : &stage_.faults()),
        tasks_(loop_) {
    for (size_t i = 0; i < stage_.server().replicas(); ++i) {
      controls_.emplace_back(stage_.server(), ControlHooks(), i);
    }
  }

  // A signal that comes late finds nobody.
  ~Serving() {
    signals_.Take([](int) {});
  }

  Result<void> Start() {
    const Result<void> spared = SparesItsInput(options_.kubeconfig);
    if (!spared.ok()) return spared.error();
    const Result<void> room = HasPortsForAll();
    if (!room.ok()) return room.error();
    const Result<void> filled = Fill();
    if (!filled.ok()) return filled.error();
    const Result<ServingCertificate> certificate = Certificate();
    if (!certificate.ok()) return certificate.error();
    front_ = std::make_unique<fakeapi::HttpServer>(controls_.front(), FrontOptions(*certificate));
    steps_ = std::make_unique<ServedSteps>(loop_, *front_, stage_, scenario_);
    const Result<int> port = front_->Start();
    if (!port.ok()) return port.error();
    const Result<std::string> place = KubeconfigPath(*port);
    if (!place.ok()) return place.error();
    kubeconfig_ = *place;
    const Result<void> spares = SparesItsInput(kubeconfig_);
    if (!spares.ok()) return spares.error();
    // Not before: a server that cannot start empties no file.
    if (history() != nullptr && !options_.history.empty()) {
      Result<std::unique_ptr<HistoryFile>> file =
          HistoryFile::Open(options_.history, [this](const Error& error) {
            errors_.Complain(error.message() + "; the server goes on without this file");
          });
      if (!file.ok()) return file.error();
      history_file_ = std::move(*file);
    }
    if (!scenario_.expect.empty() || !scenario_.verdicts.empty()) {
      errors_.Complain(options_.scenario +
                       ": `expect:` is judged by `relist run`, not by `relist serve`");
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

  // Until a signal. The Error says what of the history is not in its file.
  Result<void> Run() {
    tasks_.Spawn(steps_->Timed());
    tasks_.Spawn(KeepHistory());
    loop_.RunUntil([this] { return stop_.Ready(); });
    RemoveKubeconfig();
    front_->Stop();
    tasks_.Clear();
    return history_file_ ? history_file_->Finish(history_, kHistoryPatience) : Result<void>();
  }

  // A history that could not be written was told of when it happened.
  bool HasLostHistory() const { return history_file_ && history_file_->failed(); }

 private:
  using ServingCertificate = fakeapi::ServingCertificate;

  // The history begins with an empty file, the kubeconfig takes the place of what is there.
  Result<void> SparesItsInput(const std::string& kubeconfig) {
    std::vector<NamedFile> inputs = {{"--scenario", options_.scenario}};
    for (const std::string& path : options_.objects) inputs.push_back({"--objects", path});
    return CheckOutputFiles(
        {{"--history", history() == nullptr ? "" : options_.history}, {"--kubeconfig", kubeconfig}},
        inputs);
  }

  Result<void> HasPortsForAll() {
    const size_t ports = scenario_.balance.empty() ? stage_.server().replicas() : 1;
    const int most = kPortMax - static_cast<int>(ports) + 1;
    if (options_.port <= most) return {};
    return Error::Net(
        Transport::kOther,
        fmt::format("--port {}: {} replicas take as many ports, this one and those after it: {} "
                    "is the most",
                    options_.port, ports, most));
  }

  // From here on a signal is ours: nothing that follows waits for anybody without listening to it.
  void TakeSignals() {
    signals_.Take([this](int nth) {
      announcement_.Hurry();
      loop_.PostFromThread([this] { stop_.Set(); });
      if (nth == 1) return;
      front_->EndGrace();
      if (history_file_) history_file_->Hurry();
      errors_.writer().Hurry();
    });
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
      TellDropped(path, *loaded, errors_);
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
    const KubeconfigFacts facts{.server = urls[0],
                                .replicas = {urls.begin() + 1, urls.end()},
                                .ca_pem = ca_pem,
                                .token = options_.token};
    // One that goes with us must not outlive a signal; one that was named may be a pipe.
    if (options_.kubeconfig.empty()) TakeSignals();
    const Result<void> written =
        WriteTextFile(kubeconfig_, KubeconfigText(facts), /*only_owner=*/true);
    if (!written.ok()) return written.error();
    if (!options_.kubeconfig.empty()) TakeSignals();
    std::string text = fmt::format("serving {}, kubeconfig {}\n", urls[0], kubeconfig_);
    for (size_t i = 1; i < urls.size(); ++i) {
      text += fmt::format("replica {} is {}, context replica-{}\n", i, urls[i], i);
    }
    announcement_.Add(text);
    const LineWriter::Unwritten rest = announcement_.Finish(kAnyTime);
    if (rest.error == 0) return {};
    RemoveKubeconfig();
    return CannotSay(rest.error);
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
            .inject = [this](const std::string& body) { return Inject(body); },
            .end_injected = [this](const std::string& name) { return faults_.End(name); },
            .injected = [this] { return faults_.InForce(); },
            .before_reset = [this] { BeforeReset(); }};
  }

  Result<fakeapi::Injected> Inject(const std::string& body) {
    const Result<int> count = faults_.Add(body);
    if (!count.ok()) return count.error();
    return fakeapi::Injected{faults_.newest(), *count};
  }

  // On the server's thread: the file has what the history forgets.
  void BeforeReset() {
    faults_.Clear();
    if (history_file_) history_file_->StartOver(history_);
  }

  // Whoever kills the process finds all but the last second in the file.
  Task<void> KeepHistory() {
    while (history_file_ && !stop_.Ready()) {
      bool all = false;
      front_->Run([this, &all] { all = history_file_->Append(history_); });
      Timer timer(loop_, loop_.Now() + (all ? Seconds(1) : Millis(10)));
      Select which(loop_, timer, stop_);
      co_await which;
    }
  }

  const ServeOptions& options_;
  const Scenario& scenario_;
  LeaveSignals& signals_;
  ErrorLines& errors_;
  SocketPort port_;
  Loop loop_;
  Signal stop_;
  History history_;
  Stage stage_;
  InjectedFaults faults_;
  std::deque<fakeapi::ControlHandler> controls_;  // by replica
  PrintedRequests printed_{errors_.writer()};
  LineWriter announcement_{OpenAgain(STDOUT_FILENO), {}};
  std::unique_ptr<HistoryFile> history_file_;
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
  LeaveSignals signals;
  ErrorLines errors;
  const Result<Scenario> scenario = ScenarioOf(options);
  if (!scenario.ok()) return Fail(scenario.error());
  Serving serving(options, *scenario, signals, errors);
  int status = kGood;
  const auto tell = [&](const std::string& problem) {
    errors.Complain(problem);
    status = kUsage;
  };
  const Result<void> started = serving.Start();
  if (started.ok()) {
    const Result<void> kept = serving.Run();
    if (!kept.ok()) tell(kept.error().message());
    if (serving.HasLostHistory()) status = kUsage;
    for (const std::string& line : serving.Unfulfilled()) tell(line);
  } else {
    tell(started.error().message());
  }
  errors.Finish();
  return status;
}

}  // namespace relist::command
