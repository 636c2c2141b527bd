#include "core/runtime/loop.h"

#include <algorithm>

namespace relist {
namespace {

thread_local Loop* current_loop = nullptr;

class CurrentLoop {
 public:
  explicit CurrentLoop(Loop* loop) : previous_(std::exchange(current_loop, loop)) {}
  ~CurrentLoop() { current_loop = previous_; }

 private:
  Loop* previous_;
};

}  // namespace

// ---- Waiter, WaitLink, Source

Waiter::~Waiter() {
  if (queued_) loop_->Forget(this);
}

void Waiter::Wake() {
  if (!queued_) loop_->Enqueue(this);
}

void WaitLink::Link(Source* source, Waiter* waiter) {
  Unlink();
  source_ = source;
  waiter_ = waiter;
  previous_ = source->last_;
  (previous_ ? previous_->next_ : source->first_) = this;
  source->last_ = this;
}

void WaitLink::Unlink() {
  if (!source_) return;
  (previous_ ? previous_->next_ : source_->first_) = next_;
  (next_ ? next_->previous_ : source_->last_) = previous_;
  source_ = nullptr;
  waiter_ = nullptr;
  previous_ = next_ = nullptr;
}

// Whoever still waits for a source that goes away would wait for ever: its other sources may still
// wake it.
Source::~Source() {
  while (first_) first_->Unlink();
}

void Source::Notify() {
  for (WaitLink* link = first_; link; link = link->next_) link->waiter_->Wake();
}

int internal::PickReady(Loop& loop, Source* const* sources, size_t count) {
  std::array<int, 8> ready{};
  CHECK(count <= ready.size(), "Select takes up to {} sources", ready.size());
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    if (sources[i] && sources[i]->Ready()) ready[found++] = static_cast<int>(i);
  }
  if (found == 0) return -1;
  if (found == 1 || !loop.choices()) return ready[0];
  return ready[loop.choices()->Below(found, "select")];
}

// ---- Timer

Timer::Timer(Loop& loop, TimePoint when) : loop_(loop), when_(when) {
  Arm();
}
Timer::~Timer() {
  Disarm();
}

void Timer::Reset(TimePoint when) {
  Disarm();
  when_ = when;
  Arm();
}

bool Timer::Ready() const {
  return when_ <= loop_.Now();
}

void Timer::Arm() {
  if (when_ == kNever) return;
  if (Timer::Ready()) {  // by name: the constructor comes here
    Notify();
    return;
  }
  sequence_ = ++loop_.timer_sequence_;
  loop_.timers_.insert(this);
  armed_ = true;
}

void Timer::Disarm() {
  if (armed_) loop_.timers_.erase(this);
  armed_ = false;
}

bool Loop::TimerOrder::operator()(const Timer* a, const Timer* b) const {
  return a->when_ != b->when_ ? a->when_ < b->when_ : a->sequence_ < b->sequence_;
}

// ---- Task

namespace internal {

PromiseBase::~PromiseBase() {
  if (next_on_) std::erase(next_on_->next_, this);
}

bool PromiseBase::Start(PromiseBase& caller, std::coroutine_handle<> caller_handle,
                        std::coroutine_handle<> self) {
  CHECK(!caller_, "a task is awaited once");
  caller_ = &caller;
  caller_handle_ = caller_handle;
  inline_ = true;
  self.resume();
  if (self.done()) return false;
  inline_ = false;
  return true;
}

// Called at the final suspension point. A caller on the stack below sees that we are done; one that
// waits is put into the loop's next slot rather than resumed from here.
void PromiseBase::OnFinished() noexcept {
  if (finished_) {
    *finished_ = true;
    if (failure_) Loop::Current()->Fail(failure_);
    return;
  }
  if (inline_) return;
  caller_->next_on_ = Loop::Current();
  caller_->next_on_->next_.push_back(caller_);
  caller_->self_ = caller_handle_;
}

}  // namespace internal

// ---- Loop

Loop::Loop(Port& port, Choices* choices) : port_(port), choices_(choices), now_(port.Now()) {}

Loop::~Loop() = default;

Loop* Loop::Current() {
  return current_loop;
}

void Loop::Enqueue(Waiter* waiter) {
  waiter->queued_ = true;
  ready_.push_back(waiter);
}

void Loop::Forget(Waiter* waiter) {
  std::erase(ready_, waiter);
}

void Loop::Fail(std::exception_ptr failure) {
  if (!failure_) failure_ = std::move(failure);
}

// Callers whose children finished go first: finishing is no scheduling point.
void Loop::RunNext() {
  while (!next_.empty() && !failure_) {
    internal::PromiseBase* promise = next_.front();
    next_.pop_front();
    promise->next_on_ = nullptr;
    promise->self_.resume();
  }
}

void Loop::RunReady() {
  RunNext();
  while (!ready_.empty() && !failure_) {
    size_t which = 0;
    if (choices_ && ready_.size() > 1) which = choices_->Below(ready_.size(), "schedule");
    Waiter* waiter = ready_[which];
    ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(which));
    waiter->queued_ = false;
    if (waiter->Poll()) waiter->handle_.resume();
    RunNext();
  }
}

void Loop::FireTimers() {
  while (!timers_.empty() && (*timers_.begin())->when_ <= now_) {
    Timer* timer = *timers_.begin();
    timers_.erase(timers_.begin());
    timer->armed_ = false;
    timer->Notify();
  }
}

bool Loop::RunPosted() {
  std::vector<std::function<void()>> actions;
  {
    std::lock_guard lock(inbox_mutex_);
    actions.swap(inbox_);
  }
  for (auto& action : actions) action();
  return !actions.empty();
}

// Lets the world move, for as long as nothing of ours is due.
bool Loop::WaitForWorld(TimePoint deadline) {
  TimePoint until = deadline;
  if (!timers_.empty()) until = std::min(until, (*timers_.begin())->when_);
  {
    std::lock_guard lock(inbox_mutex_);
    if (!inbox_.empty()) until = now_;
  }
  const bool alive = port_.Wait(until);
  now_ = std::max(now_, port_.Now());
  const bool posted = RunPosted();
  FireTimers();
  return alive || posted;
}

bool Loop::RunUntil(const std::function<bool()>& done, TimePoint deadline) {
  CurrentLoop current(this);
  now_ = std::max(now_, port_.Now());
  RunPosted();
  FireTimers();
  for (bool alive = true;;) {
    RunReady();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (done()) return true;
    if (!alive || now_ >= deadline) return false;
    alive = WaitForWorld(deadline);
  }
}

void Loop::Run() {
  RunUntil([this] {
    std::lock_guard lock(inbox_mutex_);
    return stopped_;
  });
}

// Goes through the inbox, so that a Wait that is about to begin does not sleep over it.
void Loop::Stop() {
  PostFromThread([this] {
    std::lock_guard lock(inbox_mutex_);
    stopped_ = true;
  });
}

void Loop::PostFromThread(std::function<void()> action) {
  {
    std::lock_guard lock(inbox_mutex_);
    inbox_.push_back(std::move(action));
  }
  port_.Wake();
}

// ---- TaskScope

void TaskScope::Spawn(Task<void> task) {
  Reap();
  CurrentLoop current(&loop_);
  roots_.push_back(std::make_unique<Root>(std::move(task)));
  Root& root = *roots_.back();
  root.task.handle_.promise().finished_ = &root.finished;
  root.task.handle_.resume();
}

void TaskScope::Reap() {
  roots_.remove_if([](const std::unique_ptr<Root>& root) { return root->finished; });
}

void TaskScope::Clear() {
  while (!roots_.empty()) roots_.pop_back();
}

bool TaskScope::empty() {
  Reap();
  return roots_.empty();
}

Task<void> Sleep(Loop& loop, Duration d) {
  Timer timer(loop, loop.Now() + d);
  Select which(loop, timer);
  co_await which;
}

Task<bool> SleepUnless(Loop& loop, Duration d, Signal& stop) {
  Timer timer(loop, loop.Now() + d);
  Select which(loop, stop, timer);
  co_return co_await which == 0;
}

}  // namespace relist
