#include "reflector/informers/shared_informer.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "reflector/parity_switch.h"

namespace relist {
namespace {

constexpr Duration kMinimumResync = Seconds(1);

Task<void> Await(Loop& loop, Signal& signal) {
  Select which(loop, signal);
  co_await which;
}

Error Refused(std::string why) {
  return Error::Net(Transport::kOther, std::move(why));
}

}  // namespace

SharedInformer::SharedInformer(Loop& loop, ListerWatcher& lister, InformerOptions options)
    : loop_(loop),
      lister_(lister),
      options_(std::move(options)),
      check_period_(options_.resync_check_period),
      store_({.tells_resource_version = options_.atomic_fifo}) {
  AddIndexers(options_.indexers, store_);
  if (options_.mutation_detector.value_or(MutationDetectorFromEnvironment())) {
    mutation_detector_ = std::make_unique<MutationDetector>(
        loop, MutationDetectorOptions{.name = options_.description, .more = options_.digest});
  }
  MakeEngine();
}

SharedInformer::~SharedInformer() {
  processor_.StopAll();
  for (const auto& listener : processor_.retired()) listener->Join();
}

// The check period is only known when it runs: handlers may still lower it (INF-05).
void SharedInformer::MakeEngine() {
  options_.reflector.should_resync = [this] { return processor_.ShouldResync(loop_.Now()); };
  Controller::Sink& sink = *this;
  engine_ = std::make_unique<InformerEngine>(loop_, lister_, store_, sink, options_);
}

Result<void> SharedInformer::SetTransform(Transform transform) {
  if (started_ && Behaves("INF-01b")) return Refused("informer has already started");
  options_.transform = std::move(transform);
  MakeEngine();
  return {};
}

Result<void> SharedInformer::SetWatchErrorHandler(std::function<void(const Error&)> handler) {
  if (started_) return Refused("informer has already started");
  options_.reflector.watch_error_handler = std::move(handler);
  MakeEngine();
  return {};
}

Result<void> SharedInformer::AddIndexer(const std::string& name, IndexFunction function) {
  if (stopped_ && Behaves("INF-02b")) {
    return Refused("indexer was not added because it has stopped already");
  }
  if (started_ && !Behaves("INF-12")) return Refused("informer has already started");
  return store_.AddIndexer(name, std::move(function));
}

Result<std::shared_ptr<Listener>> SharedInformer::AddEventHandler(ResourceEventHandler& handler,
                                                                  const HandlerOptions& options) {
  // Not ours to keep.
  return AddEventHandler(std::shared_ptr<ResourceEventHandler>(std::shared_ptr<void>(), &handler),
                         options);
}

Result<std::shared_ptr<Listener>> SharedInformer::AddEventHandler(
    std::shared_ptr<ResourceEventHandler> handler, const HandlerOptions& options) {
  if (stopped_ && Behaves("INF-02")) {
    return Refused("handler " + options.name +
                   " was not added to shared informer because it has stopped already");
  }
  auto listener =
      std::make_shared<Listener>(loop_, std::move(handler),
                                 ListenerOptions{.name = options.name,
                                                 .informer = LogName(),
                                                 .threads = options_.handler_threads,
                                                 .recorder = options_.reflector.recorder,
                                                 .log = options_.log,
                                                 .crash_on_panic = options_.crash_on_panic,
                                                 .call_takes = options.call_takes});
  NegotiateResync(options, *listener);
  processor_.Add(listener, started_ ? listeners_.get() : nullptr);
  if (Behaves("INF-08")) {
    for (const ObjectRef& object : store_.List()) {
      Notification notification;
      notification.object = object;
      notification.initial = true;
      listener->Add(std::move(notification));
    }
  }
  listener->Flush();
  if (HasSynced()) listener->UpstreamSynced();
  return listener;
}

void SharedInformer::Warn(const std::string& what) {
  Say(options_.log, LogLevel::kWarning, LogName() + ": " + what);
}

void SharedInformer::NegotiateResync(const HandlerOptions& options, Listener& listener) {
  Duration requested = options.resync_period.value_or(options_.resync_check_period);
  if (requested > Duration{} && requested < kMinimumResync && Behaves("INF-05b")) {
    Warn(fmt::format("handler {}: a resync period of {} s is too small, it gets {} s", options.name,
                     FormatSeconds(requested), FormatSeconds(kMinimumResync)));
    requested = kMinimumResync;
  }
  if (requested > Duration{} && requested < check_period_ && Behaves("INF-05")) {
    if (started_) {
      Warn(
          fmt::format("handler {}: a resync period of {} s is less than what the informer has "
                      "started with, it gets {} s",
                      options.name, FormatSeconds(requested), FormatSeconds(check_period_)));
      requested = check_period_;
    } else {
      check_period_ = requested;
      processor_.ResyncPeriodChanged(check_period_, loop_.Now());
    }
  }
  if (requested > Duration{} && check_period_ == Duration{}) {
    Warn(
        fmt::format("handler {}: a resync period of {} s is without effect, for the informer does "
                    "no resyncs",
                    options.name, FormatSeconds(requested)));
  }
  listener.requested_resync = requested;
  listener.SetResync(check_period_, loop_.Now());
}

void SharedInformer::RemoveEventHandler(const std::shared_ptr<Listener>& listener) {
  processor_.Remove(listener);
}

Task<void> SharedInformer::ShutDownEventHandler(std::shared_ptr<Listener> listener) {
  processor_.Remove(listener);
  if (!processor_.IsOurs(listener) || !Behaves("INF-09b")) co_return;
  Task<void> end = Await(loop_, listener->stopped());
  co_await end;
}

bool SharedInformer::IsRegistered(const std::shared_ptr<Listener>& listener) const {
  const auto& all = processor_.listeners();
  return std::find(all.begin(), all.end(), listener) != all.end();
}

Task<void> SharedInformer::Run(Signal& stop) {
  if (started_) {
    CHECK(Behaves("INF-01"), "an informer runs once");
    Warn("it has started, and does not run more than once");
    co_return;
  }
  started_ = true;
  engine_->reflector().set_resync_period(check_period_);
  listeners_ = std::make_unique<TaskScope>(loop_);
  processor_.StartAll(*listeners_);
  if (!Behaves("INF-03")) MarkSynced();
  {
    TaskScope beside(loop_);
    if (!options_.atomic_fifo || !options_.in_order_informers) beside.Spawn(AnnounceSync(stop));
    if (mutation_detector_) beside.Spawn(mutation_detector_->Run(stop));
    Task<void> running = engine_->Run(stop);
    co_await running;
  }
  stopped_ = true;
  processor_.StopAll();
  for (size_t i = 0; i < processor_.retired().size(); ++i) {
    const std::shared_ptr<Listener> listener = processor_.retired()[i];
    Task<void> end = Await(loop_, listener->stopped());
    co_await end;
  }
}

// A classic queue with an empty initial list syncs without a batch (RFF-07).
Task<void> SharedInformer::AnnounceSync(Signal& stop) {
  Select which(loop_, stop, engine_->queue().synced());
  co_await which;
  if (!engine_->queue().HasSynced() || stop.Ready()) co_return;
  MarkSynced();
}

void SharedInformer::MarkSynced() {
  if (has_synced_) return;
  has_synced_ = true;
  synced_.Set();
  if (options_.reflector.recorder) options_.reflector.recorder->Synced("");
  processor_.UpstreamSynced();
}

// INF-07: what changes nothing is for those that want to hear that nothing changed.
void SharedInformer::OnNotification(Notification notification, bool sync) {
  if (mutation_detector_ && notification.type != Notification::Type::kDeleted) {
    mutation_detector_->AddObject(notification.object);
  }
  processor_.Distribute(std::move(notification), sync && Behaves("INF-07"));
}

void SharedInformer::OnBatchDone() {
  processor_.Flush();
  if (engine_->queue().HasSynced()) MarkSynced();
}

void SharedInformer::RecordStore(History* history, const std::string& name, TimePoint now) const {
  for (const ObjectRef& object : store_.List()) {
    history->Add(now, name, "store")
        .Set("key", object->key().ToString())
        .Set("rv", object->resource_version())
        .Set("uid", std::string(object->uid()))
        .SetObject(object);
  }
}

}  // namespace relist
