#include "tools/command/leave_signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

#include "core/check.h"
#include "tools/command/console.h"

namespace relist::command {
namespace {

// Where the signal is ignored, it is none: we leave all the same.
constexpr int kSignalledStatus = 128;

[[noreturn]] void EndAsAnyProgram(int number) {
  std::signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(number);
  _exit(kSignalledStatus + number);
}

}  // namespace

LeaveSignals::LeaveSignals() {
  BlockLeaveSignals();
  const sigset_t set = LeaveSignalSet();
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  wake_ = eventfd(0, EFD_CLOEXEC);
  CHECK(signals_ >= 0 && wake_ >= 0, "no descriptors left for signals");
  thread_ = std::thread([this] { Run(); });
}

LeaveSignals::~LeaveSignals() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
  thread_.join();
  close(signals_);
  close(wake_);
}

void LeaveSignals::Take(std::function<void(int)> on_signal) {
  const std::lock_guard lock(mutex_);
  on_signal_ = std::move(on_signal);
}

void LeaveSignals::Run() {
  std::array<pollfd, 2> places = {pollfd{wake_, POLLIN, 0}, pollfd{signals_, POLLIN, 0}};
  for (int taken = 0;;) {
    if (poll(places.data(), places.size(), -1) < 0) continue;
    if (places[0].revents != 0) return;
    signalfd_siginfo signal{};
    if (read(signals_, &signal, sizeof signal) != sizeof signal) continue;
    const std::lock_guard lock(mutex_);
    if (!on_signal_) EndAsAnyProgram(static_cast<int>(signal.ssi_signo));
    on_signal_(++taken);
  }
}

}  // namespace relist::command
