#include "fakeapi/front/http_server_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace relist::fakeapi {
namespace {

constexpr uint64_t kWakeup = 0;
constexpr uint64_t kFirstDoor = 1;
constexpr size_t kReadSize = 65536;
constexpr int kAcceptsATurn = 1024;
constexpr Duration kOutOfDescriptors = Millis(100);  // real time until accept is tried again
constexpr Duration kPumpPause = Millis(1);           // real time at most between two pumps
// Changes that are pumped at once: a watch may not be behind by its buffer (SRV-29), 20 at least.
constexpr uint64_t kChangesTogether = 16;
constexpr Duration kCutOff = Seconds(1);  // real time for last words in a shutdown

Error SystemError(const char* what) {
  return Error::Net(Transport::kOther, std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

ServerLoop::ServerLoop(RequestHandler& handler, const HttpServerOptions& options,
                       const ServerClock& clock, std::vector<Listener> listeners,
                       TlsServerContext tls)
    : handler_(handler),
      handlers_(handler, options.replicas, options.balance),
      options_(options),
      clock_(clock),
      tls_(std::move(tls)),
      now_(clock.Now()),
      last_number_(listeners.size()),
      buffer_(kReadSize),
      seen_incarnations_(handlers_.incarnations()) {
  for (Listener& listener : listeners) doors_.push_back({std::move(listener)});
}

ServerLoop::~ServerLoop() = default;

Result<void> ServerLoop::Prepare() {
  epoll_ = OwnedFd(epoll_create1(EPOLL_CLOEXEC));
  wakeup_ = OwnedFd(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (epoll_.get() < 0 || wakeup_.get() < 0) return SystemError("epoll");
  epoll_event event{EPOLLIN, {.u64 = kWakeup}};
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wakeup_.get(), &event) != 0) {
    return SystemError("epoll");
  }
  if (options_.faults != nullptr && !options_.faults->AcceptsConnections(now_)) return {};
  for (Door& door : doors_) {
    if (const Result<void> open = door.listener.Open(); !open.ok()) return open;
  }
  return {};
}

bool ServerLoop::Post(std::function<void()> action) {
  const std::lock_guard lock(mutex_);
  if (!accepts_posts_) return false;
  posted_.push_back(std::move(action));
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(wakeup_.get(), &one, sizeof one);
  return true;
}

void ServerLoop::Run() {
  thread_ = std::this_thread::get_id();
  while (true) {
    Turn();
    if (!stopping_ || !clients_.empty()) continue;
    const std::lock_guard lock(mutex_);
    if (!posted_.empty()) continue;
    accepts_posts_ = false;
    return;
  }
}

void ServerLoop::Turn() {
  for (size_t i = 0; i < doors_.size(); ++i) UpdateDoor(i);
  std::array<epoll_event, 256> events;
  const TimePoint next = NextTime();
  int n = 0;
  now_ = clock_.Now();
  const Duration wait = next <= now_ ? Duration::zero() : clock_.RealTime(next - now_);
  if (next == kNever) {
    n = epoll_wait(epoll_.get(), events.data(), events.size(), -1);
  } else if (!no_pwait2_) {
    const timespec time{wait.count() / 1000000000, wait.count() % 1000000000};
    n = epoll_pwait2(epoll_.get(), events.data(), events.size(), &time, nullptr);
    no_pwait2_ = n < 0 && errno == ENOSYS;
  } else {
    const int64_t millis = std::min<int64_t>((wait.count() + 999999) / 1000000, 60000);
    n = epoll_wait(epoll_.get(), events.data(), events.size(), static_cast<int>(millis));
  }
  now_ = clock_.Now();
  for (int i = 0; i < n; ++i) {
    const epoll_event& event = events[static_cast<size_t>(i)];
    if (event.data.u64 == kWakeup) {  // RunPosted is next
      uint64_t count = 0;
      [[maybe_unused]] const ssize_t size = read(wakeup_.get(), &count, sizeof count);
      continue;
    }
    if (event.data.u64 <= doors_.size()) {
      AcceptAll(event.data.u64 - kFirstDoor);
    } else if (const auto it = clients_.find(event.data.u64); it != clients_.end()) {
      OnSocket(*it->second, event.events);
    }
  }
  RunPosted();
  FireTimers();
  if (stopping_) {
    ContinueShutdown();
  } else if (handler_.NextDeadline() <= now_) {
    handler_.Tick(now_);
  }
  PumpWaiters();
  PumpReady();
  PumpWoken();
  ServeRestarted();
  Bury();
}

TimePoint ServerLoop::NextTime() const {
  if (!ready_.empty() || handlers_.incarnations() != seen_incarnations_) return TimePoint::min();
  // A write made while watches were pumped: those who wait for it are due now.
  if (!waiting_.empty() && handler_.change_count() != seen_change_) return TimePoint::min();
  TimePoint next = timers_.empty() ? kNever : timers_.begin()->first;
  if (!woken_.empty()) next = std::min(next, pump_again_);
  if (stopping_) return std::min({next, watches_end_, cut_off_});
  next = std::min(next, handler_.NextDeadline());
  if (accept_again_ != TimePoint::min()) next = std::min(next, accept_again_);
  if (options_.faults == nullptr) return next;
  const TimePoint change = options_.faults->NextChange();
  return change > now_ ? std::min(next, change) : next;  // a past one was seen by UpdateListener
}

void ServerLoop::RunPosted() {
  std::vector<std::function<void()>> actions;
  {
    const std::lock_guard lock(mutex_);
    actions.swap(posted_);
  }
  for (const std::function<void()>& action : actions) action();
}

void ServerLoop::FireTimers() {
  std::vector<uint64_t> due;
  while (!timers_.empty() && timers_.begin()->first <= now_) {
    const uint64_t number = timers_.begin()->second;
    timers_.erase(timers_.begin());
    due.push_back(number);
    clients_.at(number)->armed = kNever;
  }
  for (const uint64_t number : due) {
    Client& client = *clients_.at(number);
    if (client.dead) continue;
    if (client.give_up <= now_) {
      Kill(client);
      continue;
    }
    if (client.connection != nullptr) client.connection->Pump(now_);
    Serve(client);
  }
}

void ServerLoop::PumpWaiters() {
  const uint64_t change = handler_.change_count();
  if (waiting_.empty() || change == seen_change_) {
    seen_change_ = change;
    return;
  }
  seen_change_ = change;
  const std::vector<uint64_t> numbers(waiting_.begin(), waiting_.end());
  for (const uint64_t number : numbers) {
    Client& client = *clients_.at(number);
    if (client.dead) continue;
    client.connection->Pump(now_);
    Serve(client);
  }
}

void ServerLoop::PumpReady() {
  std::vector<Client*> ready;
  ready.swap(ready_);
  for (Client* client : ready) client->in_ready = false;
  PumpAll(ready);
}

void ServerLoop::PumpWoken() {
  if (woken_.empty()) return;
  const bool is_much = handler_.change_count() - pumped_change_ >= kChangesTogether;
  if (now_ < pump_again_ && !is_much && !stopping_) return;
  std::vector<Client*> woken;
  woken.swap(woken_);
  for (Client* client : woken) client->in_woken = false;
  pumped_change_ = handler_.change_count();
  PumpAll(woken);
  const TimePoint end = clock_.Now();
  pump_again_ = end + std::min(end - now_, clock_.FromReal(kPumpPause));
}

void ServerLoop::PumpAll(const std::vector<Client*>& clients) {
  for (Client* client : clients) {
    if (client->dead) continue;
    if (client->connection != nullptr) client->connection->Pump(now_);
    Serve(*client);
  }
}

// Connections to a replica that has restarted close, also those on which nothing happens.
void ServerLoop::ServeRestarted() {
  const uint64_t incarnations = handlers_.incarnations();
  if (std::exchange(seen_incarnations_, incarnations) == incarnations) return;
  for (const auto& [number, client] : clients_) {
    if (client->dead || client->connection == nullptr || !client->connection->WantsPump()) continue;
    client->connection->Pump(now_);
    Serve(*client);
  }
}

void ServerLoop::Bury() {
  if (dead_.empty()) return;
  for (std::vector<Client*>* list : {&ready_, &woken_}) {
    std::erase_if(*list, [](const Client* client) { return client->dead; });
  }
  for (const uint64_t number : dead_) clients_.erase(number);
  dead_.clear();
  if (accept_again_ != TimePoint::min()) accept_again_ = now_;  // a descriptor is free again
}

void ServerLoop::BeginShutdown() {
  if (stopping_) return;
  stopping_ = true;
  for (Door& door : doors_) door = {};
  watches_end_ = no_grace_ ? now_ : now_ + options_.shutdown_grace;
  cut_off_ = watches_end_ + clock_.FromReal(kCutOff);
  ContinueShutdown();
}

void ServerLoop::EndGrace() {
  no_grace_ = true;
  if (!stopping_ || watches_end_ == kNever) return;
  watches_end_ = now_;
  cut_off_ = now_ + clock_.FromReal(kCutOff);
  ContinueShutdown();
}

void ServerLoop::ContinueShutdown() {
  const bool end_watches = now_ >= watches_end_;
  if (end_watches) watches_end_ = kNever;
  for (const auto& [number, client] : clients_) {
    if (client->dead) continue;
    if (now_ >= cut_off_) {
      Kill(*client);
    } else if (client->connection == nullptr) {
      // Our FIN is out: what was said arrives even if the client closes late, unless its own bytes
      // lie here unread.
      client->stream.DrainRaw();
      Kill(*client);
    } else if (end_watches || !client->connection->is_watching()) {
      client->connection->Shutdown(now_);
      Serve(*client);
    }
  }
}

void ServerLoop::UpdateDoor(size_t number) {
  if (stopping_) return;
  Door& door = doors_[number];
  const bool wanted =
      options_.faults == nullptr || options_.faults->AcceptsConnections(clock_.Now());
  // A port that someone else took meanwhile is asked for again in the next turn.
  if (door.listener.is_open() && !wanted) {
    door.watched = false;
    if (!door.listener.Close().ok()) accept_again_ = now_ + clock_.FromReal(kOutOfDescriptors);
  }
  if (!door.listener.is_open() && wanted && !door.listener.Open().ok()) {
    accept_again_ = now_ + clock_.FromReal(kOutOfDescriptors);
  }
  if (accept_again_ != TimePoint::min() && clock_.Now() >= accept_again_) {
    accept_again_ = TimePoint::min();
  }
  const bool watch = door.listener.is_open() && accept_again_ == TimePoint::min();
  if (watch == door.watched || door.listener.fd() < 0) return;
  epoll_event event{EPOLLIN, {.u64 = kFirstDoor + number}};
  epoll_ctl(epoll_.get(), watch ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, door.listener.fd(), &event);
  door.watched = watch;
}

void ServerLoop::AcceptAll(size_t door) {
  const Listener& listener = doors_[door].listener;
  for (int i = 0; i < kAcceptsATurn && listener.is_open(); ++i) {
    const int fd = listener.Accept();
    if (fd >= 0) {
      Adopt(door, fd);
      continue;
    }
    if (errno == ECONNABORTED || errno == EINTR) continue;
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      // Those who wait stay in the backlog; asking again at once would be a busy loop.
      accept_again_ = now_ + clock_.FromReal(kOutOfDescriptors);
    }
    return;
  }
}

void ServerLoop::Adopt(size_t door, int fd) {
  const uint64_t number = ++last_number_;
  auto owned = std::make_unique<Client>(number, ServerStream(OwnedFd(fd), tls_));
  Client& client = *owned;
  clients_.emplace(number, std::move(owned));
  ServerConnectionOptions connection = options_.connection;
  connection.replica = handlers_.Next(door);
  connection.log = options_.log;
  client.connection =
      std::make_unique<ServerConnection>(handlers_.Of(connection.replica), options_.faults,
                                         options_.history, counters_, now_, connection);
  client.connection->OnReady([this, &client] { MarkWoken(client); });
  epoll_event event{0, {.u64 = number}};
  epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
  Serve(client);
}

}  // namespace relist::fakeapi
