#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "core/choices.h"
#include "core/runtime/loop.h"
#include "core/runtime/socket_port.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/kubeconfig.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"
#include "tools/command/client_protocol.h"
#include "tools/command/commands.h"
#include "tools/command/console.h"
#include "tools/command/output.h"
#include "tools/command/watch_problems.h"
#include "tools/command/watch_target.h"

namespace relist::command {
namespace {

// Lines from several threads, each whole, each out at once.
class Output {
 public:
  // `on_loss`, from the thread that printed: once, when a line could not be written. The lines
  // after it are dropped.
  explicit Output(std::function<void(const Error&)> on_loss) : on_loss_(std::move(on_loss)) {}
  int64_t ElapsedMs() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 start_)
        .count();
  }
  void Print(const std::string& line) {
    std::lock_guard lock(mutex_);
    if (lost_) return;
    const Result<void> said = Say(line);
    if (said.ok()) return;
    lost_ = true;
    on_loss_(said.error());
  }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::function<void(const Error&)> on_loss_;
  std::mutex mutex_;
  bool lost_ = false;
};

class ProtocolHandler : public ResourceEventHandler {
 public:
  explicit ProtocolHandler(Output& output) : output_(output) {}
  void OnAdd(const ObjectRef& object, bool) override {
    output_.Print(AddedLine(*object, output_.ElapsedMs()));
  }
  void OnUpdate(const ObjectRef& old_object, const ObjectRef& new_object) override {
    output_.Print(ModifiedLine(*old_object, *new_object, output_.ElapsedMs()));
  }
  void OnDelete(const Deleted& deleted) override {
    output_.Print(DeletedLine(*deleted.object, deleted.final_state_unknown, output_.ElapsedMs()));
  }

 private:
  Output& output_;
};

Task<void> AnnounceSync(Loop& loop, Signal& synced, Signal& stop, Output& output) {
  Select which(loop, synced, stop);
  const int won = co_await which;
  if (won == 0) output.Print(SyncedLine(output.ElapsedMs()));
}

int FollowResource(const Kubeconfig& config, const WatchTarget& target) {
  BlockLeaveSignals();
  SocketPort port;
  // Back-off and time-outs of many programs must not go in step.
  SeededChoices choices(static_cast<uint64_t>(port.Now().time_since_epoch().count()) ^
                        static_cast<uint64_t>(getpid()));
  Loop loop(port);
  Signal stop;
  std::atomic<int> status = kGood;
  Output output([&](const Error& error) {
    status = Fail(error);
    loop.PostFromThread([&stop] { stop.Set(); });
  });
  RestClient rest(loop, config.rest);
  RestListerWatcher lister(rest, target.resource, target.ns,
                           {.label = target.selector, .field = ""}, nullptr);
  const auto tell = [&output](bool terminal, const Error& error) {
    output.Print(ErrorLine(terminal, error.message()));
  };
  WatchProblems problems({.on_problem = [&](const Error& error) { tell(false, error); },
                          .on_refusal =
                              [&](const Error& error) {
                                tell(true, error);
                                Complain("the server refuses this watch: " + error.message());
                                status = kUsage;
                                stop.Set();
                              }});
  ToldLister told(loop, lister, problems);
  ProtocolHandler handler(output);
  InformerOptions options;
  options.reflector.choices = &choices;
  options.reflector.watch_error_handler = [&](const Error& error) { problems.Failed(error); };
  options.handler_threads = HandlerThreads::kOwnThread;
  SharedInformer informer(loop, told, std::move(options));
  const Result<std::shared_ptr<Listener>> listener = informer.AddEventHandler(handler);
  TaskScope scope(loop);
  scope.Spawn(informer.Run(stop));
  scope.Spawn(AnnounceSync(loop, (*listener)->synced(), stop, output));
  Console console({.on_line =
                       [&](const std::string& line) {
                         if (line == "dump") {
                           output.Print(StoreLine(informer.indexer().List()));
                         } else if (!line.empty()) {
                           Complain(fmt::format("`{}` is no request: there is `dump`", line));
                         }
                       },
                   .on_leave = [&] { loop.PostFromThread([&stop] { stop.Set(); }); }});
  loop.RunUntil([&] { return stop.Ready() && scope.empty(); });
  return status;
}

}  // namespace

int Watch(const WatchOptions& options) {
  const Result<Kubeconfig> config = LoadKubeconfig(options.kubeconfig);
  // What was typed is judged first.
  const Result<WatchTarget> target = TargetOf(options, config.ok() ? config->ns : "");
  if (!target.ok()) return Fail(target.error());
  if (!config.ok()) return Fail(config.error());
  return FollowResource(*config, *target);
}

}  // namespace relist::command
