#include "reflector/informers/shared_informer.h"

#include <algorithm>

namespace relist {
namespace {

constexpr Duration kMinimumResync = Seconds(1);

Task<void> RunThenSet(Task<void> task, Signal& done) {
  co_await task;
  done.Set();
}

Task<void> Await(Loop& loop, Signal& signal) {
  Select which(loop, signal);
  co_await which;
}

}  // namespace

SharedInformer::SharedInformer(Loop& loop, ListerWatcher& lister, InformerOptions options)
    : loop_(loop),
      options_(std::move(options)),
      check_period_(options_.resync_check_period),
      store_({.tells_resource_version = options_.atomic_fifo}),
      queue_(
          MakeQueue({.in_order_informers = options_.in_order_informers,
                     .atomic_fifo = options_.atomic_fifo,
                     .in_order_informers_batch_process = options_.in_order_informers_batch_process,
                     .transform = options_.transform},
                    store_)),
      reflector_(loop, lister, *queue_, ReflectorOptionsFrom(options_)),
      controller_(loop, *queue_, store_, *this, options_.reflector.bugs) {
  if (options_.mutation_detector.value_or(MutationDetectorFromEnvironment())) {
    mutation_detector_ = std::make_unique<MutationDetector>(loop);
  }
}

SharedInformer::~SharedInformer() {
  processor_.StopAll();
  for (const auto& listener : processor_.retired()) listener->Join();
}

// The check period is only known when it runs: handlers may still lower it (INF-05).
ReflectorOptions SharedInformer::ReflectorOptionsFrom(const InformerOptions& options) {
  ReflectorOptions out = options.reflector;
  out.should_resync = [this] { return processor_.ShouldResync(loop_.Now()); };
  return out;
}

Result<std::shared_ptr<Listener>> SharedInformer::AddEventHandler(ResourceEventHandler& handler,
                                                                  const HandlerOptions& options) {
  if (stopped_) {
    return Error::Net(Transport::kOther, "handler " + options.name +
                                             " was not added to shared informer because it has "
                                             "stopped already");
  }
  auto listener = std::make_shared<Listener>(loop_, handler, options.name, options_.handler_threads,
                                             options_.reflector.recorder);
  NegotiateResync(options.resync_period, *listener);
  processor_.Add(listener, started_ ? listeners_.get() : nullptr);
  for (const ObjectRef& object : store_.List()) {
    Notification notification;
    notification.object = object;
    notification.initial = true;
    listener->Add(notification);
  }
  listener->Flush();
  if (HasSynced()) listener->UpstreamSynced();
  return listener;
}

void SharedInformer::NegotiateResync(Duration requested, Listener& listener) {
  if (requested > Duration{}) requested = std::max(requested, kMinimumResync);
  if (requested > Duration{} && requested < check_period_) {
    if (started_) {
      requested = check_period_;
    } else {
      check_period_ = requested;
      processor_.ResyncPeriodChanged(check_period_, loop_.Now());
    }
  }
  listener.requested_resync = requested;
  listener.SetResync(check_period_, loop_.Now());
}

void SharedInformer::RemoveEventHandler(const std::shared_ptr<Listener>& listener) {
  processor_.Remove(listener);
}

Task<void> SharedInformer::Run(Signal& stop) {
  CHECK(!started_, "an informer runs once");
  started_ = true;
  reflector_.set_resync_period(check_period_);
  listeners_ = std::make_unique<TaskScope>(loop_);
  processor_.StartAll(*listeners_);
  {
    Signal reflector_ended, controller_ended;
    TaskScope work(loop_);
    if (!options_.atomic_fifo || !options_.in_order_informers) work.Spawn(AnnounceSync(stop));
    if (mutation_detector_) work.Spawn(mutation_detector_->Run(stop));
    work.Spawn(RunThenSet(controller_.ProcessLoop(stop), controller_ended));
    work.Spawn(RunThenSet(reflector_.Run(stop), reflector_ended));
    Task<void> reflector_end = Await(loop_, reflector_ended);
    co_await reflector_end;
    Task<void> controller_end = Await(loop_, controller_ended);
    co_await controller_end;
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
  Select which(loop_, stop, queue_->synced());
  co_await which;
  if (!queue_->HasSynced() || stop.Ready()) co_return;
  MarkSynced();
}

void SharedInformer::MarkSynced() {
  if (has_synced_) return;
  has_synced_ = true;
  if (options_.reflector.recorder) options_.reflector.recorder->Synced("");
  processor_.UpstreamSynced();
}

void SharedInformer::OnNotification(Notification notification, bool sync) {
  if (mutation_detector_ && notification.type != Notification::Type::kDeleted) {
    mutation_detector_->AddObject(notification.object);
  }
  processor_.Distribute(notification, sync);
}

void SharedInformer::OnBatchDone() {
  processor_.Flush();
  if (queue_->HasSynced()) MarkSynced();
}

void SharedInformer::RecordStore(History* history, const std::string& name, TimePoint now) const {
  for (const ObjectRef& object : store_.List()) {
    history->Add(now, name, "store")
        .Set("key", object->key().ToString())
        .Set("rv", object->resource_version())
        .Set("uid", object->uid())
        .SetObject(object);
  }
}

}  // namespace relist
