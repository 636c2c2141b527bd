#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "core/choices.h"
#include "core/runtime/loop.h"
#include "core/runtime/socket_port.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/log.h"
#include "reflector/rest/kubeconfig.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"
#include "tools/command/client_protocol.h"
#include "tools/command/commands.h"
#include "tools/command/console.h"
#include "tools/command/error_lines.h"
#include "tools/command/line_writer.h"
#include "tools/command/output.h"
#include "tools/command/watch_problems.h"
#include "tools/command/watch_target.h"

namespace relist::command {
namespace {

// At the end, without a reader that takes anything.
constexpr Duration kOutputPatience = Seconds(5);

// Lines from several threads, each whole, none of which waits for whoever reads them.
class Output {
 public:
  // `on_loss`, from another thread: once, when a line could not be written. The lines after it are
  // dropped.
  explicit Output(const std::function<void(const Error&)>& on_loss)
      : writer_(OpenAgain(STDOUT_FILENO),
                {.on_failure = [on_loss](int problem) { on_loss(CannotSay(problem)); }}) {}
  int64_t ElapsedMs() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 start_)
        .count();
  }
  void Print(const std::string& line) { writer_.AddAlways(line); }
  // How many lines nobody read.
  uint64_t Finish() { return writer_.Finish(kOutputPatience).lines; }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  LineWriter writer_;
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

// What went wrong inside a stream, which no error of the protocol tells: bytes that are no event,
// objects of another kind, the watch that ends for it. For who looks on; it waits for nobody.
class StreamLog : public Log {
 public:
  explicit StreamLog(ErrorLines& errors) : errors_(errors) {}
  void Write(LogLevel level, std::string_view line) override {
    if (level != LogLevel::kInfo) errors_.writer().Add(fmt::format("relist: {}\n", line));
  }

 private:
  ErrorLines& errors_;
};

Task<void> AnnounceSync(Loop& loop, Signal& synced, Signal& stop, Output& output) {
  Select which(loop, synced, stop);
  const int won = co_await which;
  if (won == 0) output.Print(SyncedLine(output.ElapsedMs()));
}

int FollowResource(const Kubeconfig& config, const WatchTarget& target, bool plain_list) {
  BlockLeaveSignals();
  SocketPort port;
  // Back-off and time-outs of many programs must not go in step.
  SeededChoices choices(static_cast<uint64_t>(port.Now().time_since_epoch().count()) ^
                        static_cast<uint64_t>(getpid()));
  Loop loop(port);
  Signal stop;
  std::atomic<int> status = kGood;
  ErrorLines errors;
  const auto leave_with = [&](const std::string& problem) {
    errors.Complain(problem);
    status = kUsage;
    loop.PostFromThread([&stop] { stop.Set(); });
  };
  Output output([&](const Error& error) { leave_with(error.message()); });
  const auto tell = [&output](bool terminal, const Error& error) {
    output.Print(ErrorLine(terminal, error.message()));
  };
  WatchProblems problems({.on_problem = [&](const Error& error) { tell(false, error); },
                          .on_refusal =
                              [&](const Error& error) {
                                tell(true, error);
                                leave_with("the server refuses this watch: " + error.message());
                              }});
  RestClientOptions rest_options = config.rest;
  rest_options.on_retry = [&](int code, Duration pause) {
    problems.Retried(code, loop.Now(), pause);
  };
  RestClient rest(loop, std::move(rest_options));
  RestListerWatcher lister(rest, target.resource, target.ns,
                           {.label = target.selector, .field = ""}, nullptr);
  ToldLister told(loop, lister, problems);
  ProtocolHandler handler(output);
  InformerOptions options;
  options.reflector.choices = &choices;
  options.reflector.streaming_list = !plain_list;
  options.reflector.name = target.resource.GroupResource();
  options.reflector.log = std::make_shared<StreamLog>(errors);
  options.reflector.pace_reopening = true;  // nobody wants client-go's hot loops of a command
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
                           output.Print(StoreLine(informer.indexer().List(), output.ElapsedMs()));
                         } else if (!line.empty()) {
                           errors.Complain(
                               fmt::format("`{}` is no request: there is `dump`", line));
                         }
                       },
                   .on_leave = [&] { loop.PostFromThread([&stop] { stop.Set(); }); }});
  loop.RunUntil([&] { return stop.Ready() && scope.empty(); });
  if (const uint64_t lost = output.Finish(); lost > 0) {
    leave_with(fmt::format("standard output: nobody read it: its last {} lines are lost", lost));
  }
  errors.Finish();
  return status;
}

}  // namespace

int Watch(const WatchOptions& options) {
  const Result<Kubeconfig> config = LoadKubeconfig(options.kubeconfig);
  // What was typed is judged first.
  const Result<WatchTarget> target = TargetOf(options, config.ok() ? config->ns : "");
  if (!target.ok()) return Fail(target.error());
  if (!config.ok()) return Fail(config.error());
  return FollowResource(*config, *target, options.plain_list);
}

}  // namespace relist::command
