#include "reflector/informers/processor_listener.h"

#include <iterator>

namespace relist {

Listener::Listener(Loop& loop, ResourceEventHandler& handler, std::string name,
                   HandlerThreads threads, std::shared_ptr<Recorder> recorder)
    : loop_(loop),
      handler_(handler),
      name_(std::move(name)),
      threads_(threads),
      recorder_(std::move(recorder)) {}

Listener::~Listener() {
  Stop();
  Join();
}

size_t Listener::backlog() const {
  std::lock_guard lock(mutex_);
  return pending_.size();
}

void Listener::Start(TaskScope& scope) {
  if (started_) return;
  started_ = true;
  if (threads_ == HandlerThreads::kOnLoop) {
    scope.Spawn(RunOnLoop());
  } else {
    thread_ = std::thread(&Listener::RunThread, this);
  }
}

void Listener::Add(const Notification& notification) {
  if (notification.initial) {
    ++initial_left_;
    ++initial_untold_;
  }
  staged_.push_back(notification);
}

void Listener::Flush() {
  if (staged_.empty()) return;
  {
    std::lock_guard lock(mutex_);
    pending_.insert(pending_.end(), std::make_move_iterator(staged_.begin()),
                    std::make_move_iterator(staged_.end()));
  }
  staged_.clear();
  if (threads_ == HandlerThreads::kOnLoop) {
    wake_.Raise();
  } else {
    has_work_.notify_one();
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
    std::lock_guard lock(mutex_);
    stopping_ = true;
    pending_.clear();
  }
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

void Listener::Deliver(const Notification& notification) {
  switch (notification.type) {
    case Notification::Type::kAdded:
      handler_.OnAdd(notification.object, notification.initial);
      break;
    case Notification::Type::kModified:
      handler_.OnUpdate(notification.old_object, notification.object);
      break;
    case Notification::Type::kDeleted:
      handler_.OnDelete(
          {notification.object->key(), notification.object, notification.final_state_unknown});
      break;
  }
  if (!notification.initial) return;
  --initial_left_;
  CheckSynced();
}

// Initial adds are all queued before the informer tells that it has synced, so zero means none
// left.
void Listener::CheckSynced() {
  if (upstream_synced_ && initial_left_ == 0) has_synced_ = true;
}

void Listener::Announce() {
  // A thread's last adds may be done, but on their way to the loop: "synced" comes after them.
  if (announced_ || !has_synced_ || initial_untold_ > 0 || stopping_) return;
  announced_ = true;
  if (recorder_) recorder_->Synced(name_);
  synced_.Set();
}

Task<void> Listener::RunOnLoop() {
  while (!stopping_) {
    // One at a time out of the queue: the handler may stop us, or add to it.
    while (!pending_.empty()) {
      const Notification notification = std::move(pending_.front());
      pending_.pop_front();
      if (recorder_) recorder_->Callback(name_, notification);
      Deliver(notification);
      if (notification.initial) --initial_untold_;
      Announce();
    }
    if (stopping_) break;
    Select which(loop_, wake_);
    co_await which;
    wake_.Take();
  }
  stopped_.Set();
}

void Listener::RunThread() {
  std::deque<Notification> batch;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      while (pending_.empty() && !stopping_) has_work_.wait(lock);
      if (stopping_) break;
      batch.swap(pending_);
    }
    auto told = std::make_shared<std::vector<Notification>>();
    int64_t initial = 0;
    for (Notification& notification : batch) {
      if (stopping_) break;
      Deliver(notification);
      if (notification.initial) ++initial;
      if (recorder_) told->push_back(std::move(notification));
    }
    batch.clear();
    auto self = weak_from_this();
    loop_.PostFromThread([recorder = recorder_, name = name_, told, initial, self] {
      for (const Notification& notification : *told) recorder->Callback(name, notification);
      const auto listener = self.lock();
      if (!listener) return;
      listener->initial_untold_ -= initial;
      listener->Announce();
    });
  }
  loop_.PostFromThread([self = weak_from_this()] {
    if (const auto listener = self.lock()) listener->stopped_.Set();
  });
}

}  // namespace relist
