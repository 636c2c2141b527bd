#include "core/runtime/socket_reactor.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <mutex>
#include <thread>

#include "core/check.h"

namespace relist {
namespace {

Duration Read(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return Seconds(now.tv_sec) + Duration(now.tv_nsec);
}

}  // namespace

struct SocketReactor::Mailbox {
  Mailbox() : wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    CHECK(wake >= 0, "eventfd: errno {}", errno);
  }
  ~Mailbox() { close(wake); }
  void Wake() {
    const uint64_t one = 1;
    // It can only be full, and then a wake is on its way.
    [[maybe_unused]] const ssize_t written = write(wake, &one, sizeof one);
  }

  const int wake;
  std::mutex mutex;
  std::vector<std::pair<uint64_t, Result<std::vector<SocketAddress>>>> answers;  // under mutex
};

SocketReactor::SocketReactor(SocketPortOptions options)
    : options_(std::move(options)),
      start_wall_(Read(CLOCK_REALTIME)),
      start_steady_(Read(CLOCK_MONOTONIC)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      mailbox_(std::make_shared<Mailbox>()) {
  CHECK(epoll_ >= 0, "epoll_create1: errno {}", errno);
  CHECK(options_.rate > 0, "a clock's rate is positive, not {}", options_.rate);
  Watch(mailbox_->wake, EPOLLIN, nullptr);
}

SocketReactor::~SocketReactor() {
  close(epoll_);
}

TimePoint SocketReactor::Now() const {
  const Duration passed = Read(CLOCK_MONOTONIC) - start_steady_;
  return TimePoint(start_wall_ + std::chrono::duration_cast<Duration>(passed * options_.rate));
}

void SocketReactor::Wake() {
  mailbox_->Wake();
}

// Milliseconds for epoll_wait. Short times are slept here to the nanosecond: at a rate of 60, a
// millisecond is a long time.
int SocketReactor::TimeoutUntil(TimePoint when) {
  if (when == kNever) return -1;
  const auto real = std::chrono::duration_cast<Duration>((when - Now()) / options_.rate);
  if (real <= Duration{}) return 0;
  if (real > Seconds(3600)) return 3600 * 1000;
  if (real > Millis(20)) return static_cast<int>(real / Millis(1)) + 1;
  pollfd any{epoll_, POLLIN, 0};
  const timespec time{0, static_cast<long>(real.count())};
  ppoll(&any, 1, &time, nullptr);
  return 0;
}

void SocketReactor::Wait(TimePoint deadline) {
  if (!deadlines_.empty()) deadline = std::min(deadline, deadlines_.begin()->first);
  std::array<epoll_event, 256> events;
  const int count = epoll_wait(epoll_, events.data(), events.size(), TimeoutUntil(deadline));
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<size_t>(i)];
    if (event.data.ptr) {
      static_cast<Handler*>(event.data.ptr)->OnEvents(event.events);
    } else {
      uint64_t wakes = 0;
      [[maybe_unused]] const ssize_t got = read(mailbox_->wake, &wakes, sizeof wakes);
      TakeLookups();
    }
  }
  FireDeadlines();
}

void SocketReactor::FireDeadlines() {
  while (!deadlines_.empty() && deadlines_.begin()->first <= Now()) {
    Handler* handler = deadlines_.begin()->second;
    SetDeadline(handler, kNever);
    handler->OnDeadline();
  }
}

void SocketReactor::Watch(int fd, uint32_t events, Handler* handler) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = handler;
  const int failed = epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  CHECK(failed == 0, "epoll_ctl: errno {}", errno);
}

void SocketReactor::ChangeWatch(int fd, uint32_t events, Handler* handler) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = handler;
  epoll_ctl(epoll_, EPOLL_CTL_MOD, fd, &event);
}

void SocketReactor::Unwatch(int fd) {
  epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
}

void SocketReactor::SetDeadline(Handler* handler, TimePoint when) {
  if (handler->deadline_ != kNever) deadlines_.erase({handler->deadline_, handler});
  handler->deadline_ = when;
  if (when != kNever) deadlines_.insert({when, handler});
}

// A thread for each lookup, let go: getaddrinfo cannot be told to stop, and nobody may have to wait
// for it.
void SocketReactor::LookUp(const std::string& host, int port, Handler* handler) {
  handler->lookup_ = ++last_lookup_;
  lookups_.insert({handler->lookup_, handler});
  const auto look_up = options_.look_up ? options_.look_up : relist::LookUp;
  std::thread([mailbox = mailbox_, id = handler->lookup_, host, port, look_up] {
    Result<std::vector<SocketAddress>> answer = look_up(host, port);
    std::lock_guard lock(mailbox->mutex);
    mailbox->answers.emplace_back(id, std::move(answer));
    mailbox->Wake();
  }).detach();
}

void SocketReactor::TakeLookups() {
  std::vector<std::pair<uint64_t, Result<std::vector<SocketAddress>>>> answers;
  {
    std::lock_guard lock(mailbox_->mutex);
    answers.swap(mailbox_->answers);
  }
  for (auto& [id, answer] : answers) {
    const auto found = lookups_.lower_bound({id, nullptr});
    if (found == lookups_.end() || found->first != id) continue;  // its connection was closed
    Handler* handler = found->second;
    lookups_.erase(found);
    handler->lookup_ = 0;
    handler->OnAddresses(std::move(answer));
  }
}

void SocketReactor::Forget(Handler* handler) {
  SetDeadline(handler, kNever);
  if (handler->lookup_ != 0) lookups_.erase({handler->lookup_, handler});
  handler->lookup_ = 0;
}

}  // namespace relist
