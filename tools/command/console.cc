#include "tools/command/console.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

#include "core/check.h"

namespace relist::command {

sigset_t LeaveSignalSet() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGQUIT);
  struct sigaction hangup{};
  sigaction(SIGHUP, nullptr, &hangup);
  // Blocked, it would come all the same.
  if (hangup.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
  return set;
}

void BlockLeaveSignals() {
  const sigset_t set = LeaveSignalSet();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Console::Console(Callbacks callbacks) : callbacks_(std::move(callbacks)) {
  const sigset_t set = LeaveSignalSet();
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  wake_ = eventfd(0, EFD_CLOEXEC);
  CHECK(signals_ >= 0 && wake_ >= 0, "no descriptors left for the console");
  thread_ = std::thread([this] { Run(); });
}

Console::~Console() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
  thread_.join();
  close(signals_);
  close(wake_);
}

void Console::Run() {
  std::string pending;
  bool left = false;
  std::array<pollfd, 3> places = {pollfd{wake_, POLLIN, 0}, pollfd{signals_, POLLIN, 0},
                                  pollfd{STDIN_FILENO, POLLIN, 0}};
  while (true) {
    // After on_leave only the destructor is waited for.
    if (poll(places.data(), left ? 1 : places.size(), -1) < 0) continue;
    if (places[0].revents != 0) return;
    const bool signalled = places[1].revents != 0;
    if (!signalled && (places[2].revents == 0 || ReadLines(&pending))) continue;
    if (!signalled && !pending.empty()) callbacks_.on_line(pending);  // without its newline
    left = true;
    callbacks_.on_leave();
  }
}

bool Console::ReadLines(std::string* pending) {
  std::array<char, 4096> buffer;
  const ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
  if (got <= 0) return false;
  pending->append(buffer.data(), static_cast<size_t>(got));
  size_t end;
  while ((end = pending->find('\n')) != std::string::npos) {
    callbacks_.on_line(pending->substr(0, end));
    pending->erase(0, end + 1);
  }
  return true;
}

}  // namespace relist::command
