#include "reflector/informers/processor_listener.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "reflector/parity_switch.h"

namespace relist {
namespace {

// Memory for so many that come together is kept for the next ones; a list's is given back.
constexpr size_t kStagedKept = 1024;
constexpr Duration kPauseAfterPanic = Seconds(1);
// A handler is told on (in the log) where so many wait behind a call that took so long.
constexpr size_t kSlowBacklog = 1024;
constexpr Duration kSlowCall = Millis(100);

const char* CallbackName(Notification::Type type) {
  return type == Notification::Type::kAdded      ? "OnAdd"
         : type == Notification::Type::kModified ? "OnUpdate"
                                                 : "OnDelete";
}

}  // namespace

Listener::Listener(Loop& loop, std::shared_ptr<ResourceEventHandler> handler,
                   ListenerOptions options)
    : loop_(loop), handler_(std::move(handler)), options_(std::move(options)) {}

Listener::Listener(Loop& loop, ResourceEventHandler& handler, ListenerOptions options)
    : Listener(loop, std::shared_ptr<ResourceEventHandler>(std::shared_ptr<void>(), &handler),
               std::move(options)) {}

Listener::~Listener() {
  Stop();
  Join();
}

size_t Listener::backlog() const {
  return queued_.load() + in_batch_.load();
}

void Listener::Start(TaskScope& scope) {
  if (started_) return;
  started_ = true;
  scope_ = &scope;
  if (options_.threads == HandlerThreads::kOnLoop) {
    scope.Spawn(RunOnLoop());
  } else {
    thread_ = std::thread(&Listener::RunThread, this);
  }
}

void Listener::Add(Notification notification) {
  if (!started_ && !Behaves("LSN-02")) return;
  if (notification.initial && Behaves("LSN-05")) {
    ++initial_left_;
    ++initial_untold_;
  }
  staged_.push_back(std::move(notification));
}

void Listener::Flush() {
  if (staged_.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_) {
      const auto last = Behaves("LSN-07") ? pending_.end() : pending_.begin();
      pending_.insert(last, std::make_move_iterator(staged_.begin()),
                      std::make_move_iterator(staged_.end()));
    }
    queued_ = pending_.size();
  }
  staged_.clear();
  if (staged_.capacity() > kStagedKept) staged_.shrink_to_fit();
  if (options_.threads == HandlerThreads::kOnLoop) {
    wake_.Raise();
  } else {
    has_work_.notify_one();
  }
  while (!Behaves("LSN-01") && options_.threads == HandlerThreads::kOnLoop && !pending_.empty()) {
    if (!Deliver(pending_.front(), 0)) Returned(pending_.front());
    pending_.pop_front();
  }
}

void Listener::UpstreamSynced() {
  Flush();
  upstream_synced_ = true;
  CheckSynced();
  Announce();
}

void Listener::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    if (Behaves("LSN-04")) pending_.clear();
    queued_ = pending_.size();
  }
  if (!stop_.Ready()) stop_.Set();
  staged_.clear();
  wake_.Raise();
  has_work_.notify_one();
  if (!started_) stopped_.Set();
}

void Listener::Join() {
  if (thread_.joinable()) thread_.join();
}

void Listener::SetResync(Duration check_period, TimePoint now) {
  const bool never = requested_resync <= Duration{} || check_period <= Duration{};
  resync_period = never ? Duration{} : std::max(requested_resync, check_period);
  next_resync = now + resync_period;
}

void Listener::Call(const Notification& notification) {
  switch (notification.type) {
    case Notification::Type::kAdded:
      handler_->OnAdd(notification.object, notification.initial);
      break;
    case Notification::Type::kModified:
      handler_->OnUpdate(notification.old_object, notification.object);
      break;
    case Notification::Type::kDeleted:
      handler_->OnDelete(
          {notification.object->key(), notification.object, notification.final_state_unknown});
      break;
  }
}

Listener::Thrown Listener::Deliver(const Notification& notification, size_t waiting) {
  const bool watched = options_.log && waiting > kSlowBacklog;
  const TimePoint start = watched ? loop_.port().Now() : TimePoint{};
  if (options_.crash_on_panic || !Behaves("LSN-06")) {
    Call(notification);
  } else {
    // Whatever it is that a handler throws: nobody else is to suffer from it.
    try {
      Call(notification);
    } catch (const std::exception& error) {
      Panicked(notification, error.what());
      return error.what();
    } catch (...) {
      std::string what = "something that is no std::exception";
      Panicked(notification, what);
      return what;
    }
  }
  if (watched && loop_.port().Now() - start >= kSlowCall) {
    Say(options_.log, LogLevel::kWarning,
        fmt::format("{}: handler {} took {} s for {} of {}, and {} notifications wait",
                    options_.informer, options_.name, FormatSeconds(loop_.port().Now() - start),
                    CallbackName(notification.type), notification.object->key().ToString(),
                    waiting));
  }
  return std::nullopt;
}

void Listener::Returned(const Notification& notification) {
  if (!notification.initial) return;
  --initial_left_;
  CheckSynced();
}

void Listener::Panicked(const Notification& notification, const std::string& why) {
  Say(options_.log, LogLevel::kError,
      fmt::format("{}: handler {} threw in {} of {}, which it will not see again: {}",
                  options_.informer, options_.name, CallbackName(notification.type),
                  notification.object->key().ToString(), why));
}

// Initial adds are all queued before the informer tells that it has synced, so zero means none
// left.
void Listener::CheckSynced() {
  if (upstream_synced_ && (initial_left_ == 0 || !Behaves("INF-04"))) has_synced_ = true;
}

void Listener::Announce() {
  // A thread's last adds may be done, but on their way to the loop: "synced" comes after them.
  if (announced_ || !has_synced_ || initial_untold_ > 0 || stopping_) return;
  announced_ = true;
  if (options_.recorder) options_.recorder->Synced(options_.name);
  synced_.Set();
}

Task<void> Listener::RunOnLoop() {
  bool pause = false;
  while (!stopping_) {
    // One at a time out of the queue: the handler may stop us, or add to it.
    while (!pending_.empty()) {
      if (std::exchange(pause, false) && Behaves("LSN-06b")) {
        Task<bool> wait = SleepUnless(loop_, kPauseAfterPanic, stop_);
        if (co_await wait) break;
      }
      const Notification notification = std::move(pending_.front());
      pending_.pop_front();
      queued_ = pending_.size();
      if (options_.recorder) options_.recorder->Callback(options_.name, notification);
      const Thrown thrown = Deliver(notification, pending_.size());
      pause = thrown.has_value();
      if (thrown && options_.recorder) {
        options_.recorder->Panic(options_.name, notification, *thrown);
      }
      if (pause) continue;
      if (options_.call_takes > Duration{}) {
        in_batch_ = 1;
        Task<bool> call = SleepUnless(loop_, options_.call_takes, stop_);
        co_await call;
        in_batch_ = 0;
      }
      if (notification.initial) --initial_untold_;
      Returned(notification);
      Announce();
    }
    if (stopping_) break;
    Select which(loop_, wake_);
    co_await which;
    wake_.Take();
  }
  stopped_.Set();
}

bool Listener::TakeBatch(std::deque<Notification>* batch) {
  std::unique_lock lock(mutex_);
  while (pending_.empty() && !stopping_) has_work_.wait(lock);
  if (stopping_ && Behaves("LSN-04")) return false;
  batch->swap(pending_);
  in_batch_ = batch->size();
  queued_ = 0;
  return !batch->empty();
}

// The loop keeps the time, so that a thread's pause is as long as everybody's second.
bool Listener::PauseThread(Duration length) {
  {
    const std::lock_guard lock(mutex_);
    paused_ = true;
  }
  loop_.PostFromThread([self = weak_from_this(), length] {
    const auto listener = self.lock();
    if (listener && !listener->stopping_) listener->scope_->Spawn(EndPause(listener, length));
  });
  std::unique_lock lock(mutex_);
  while (paused_ && !stopping_) has_work_.wait(lock);
  return !stopping_;
}

Task<void> Listener::EndPause(std::shared_ptr<Listener> listener, Duration length) {
  Task<bool> wait = SleepUnless(listener->loop_, length, listener->stop_);
  co_await wait;
  const std::lock_guard lock(listener->mutex_);
  listener->paused_ = false;
  listener->has_work_.notify_one();
}

void Listener::RunThread() {
  std::deque<Notification> batch;
  bool pause = false;
  while (TakeBatch(&batch)) {
    std::vector<Notification> told;
    int64_t initial = 0;
    for (Notification& notification : batch) {
      if (stopping_ && Behaves("LSN-04")) break;
      if (std::exchange(pause, false) && Behaves("LSN-06b") && !PauseThread(kPauseAfterPanic)) {
        break;
      }
      const bool slow = options_.call_takes > Duration{};
      const size_t waiting = in_batch_.load(std::memory_order_relaxed) - 1;
      if (!slow) in_batch_.store(waiting, std::memory_order_relaxed);
      const Thrown thrown =
          Deliver(notification, waiting + queued_.load(std::memory_order_relaxed));
      pause = thrown.has_value();
      if (slow && !pause) PauseThread(options_.call_takes);
      if (slow) in_batch_.store(waiting, std::memory_order_relaxed);
      if (!pause) Returned(notification);
      if (notification.initial && !pause) ++initial;
      if (options_.recorder) told.push_back(std::move(notification));
      // What took its time, or went wrong, is told at once.
      if (slow || pause) Report(std::exchange(told, {}), std::exchange(initial, 0), thrown);
    }
    batch.clear();
    in_batch_ = 0;
    if (initial > 0 || !told.empty()) Report(std::move(told), initial, std::nullopt);
  }
  loop_.PostFromThread([self = weak_from_this()] {
    if (const auto listener = self.lock()) listener->stopped_.Set();
  });
}

// Tells the loop what was delivered; at the last of it, perhaps, the handler threw.
void Listener::Report(std::vector<Notification> told, int64_t initial, Thrown thrown) {
  auto lines = std::make_shared<std::vector<Notification>>(std::move(told));
  loop_.PostFromThread([recorder = options_.recorder, name = options_.name, lines, initial,
                        thrown = std::move(thrown), self = weak_from_this()] {
    for (const Notification& notification : *lines) recorder->Callback(name, notification);
    if (thrown && recorder) recorder->Panic(name, lines->back(), *thrown);
    const auto listener = self.lock();
    if (!listener) return;
    listener->initial_untold_ -= initial;
    listener->Announce();
  });
}

}  // namespace relist
