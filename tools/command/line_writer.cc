#include "tools/command/line_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>

#include "core/check.h"

namespace relist::command {
namespace {

// How long a thread that is told to leave may need for it, and a reader who is there to read.
constexpr Duration kMoment = Millis(200);

// Where a blocking pipe is ready, so much never blocks.
constexpr size_t kSafePiece = PIPE_BUF;
constexpr size_t kPiece = 65536;

// The kind that a write needs to know of.
enum class Sink { kNonBlocking, kSocket, kBlocking };

Sink SinkOf(int file) {
  struct stat facts{};
  if (fstat(file, &facts) == 0 && S_ISSOCK(facts.st_mode)) return Sink::kSocket;
  const int flags = fcntl(file, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) != 0 ? Sink::kNonBlocking : Sink::kBlocking;
}

ssize_t WritePiece(int file, Sink sink, std::string_view text) {
  if (sink == Sink::kSocket) {
    return send(file, text.data(), std::min(text.size(), kPiece), MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  const size_t most = sink == Sink::kBlocking ? kSafePiece : kPiece;
  return write(file, text.data(), std::min(text.size(), most));
}

uint64_t LinesIn(std::string_view text) {
  return static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

// A thread that takes no signals.
void StartDetached(std::function<void()> body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(std::move(body)).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

int OpenAgain(int file) {
  struct stat facts{};
  // A file opened again would be written from its beginning.
  if (fstat(file, &facts) == 0 && (S_ISFIFO(facts.st_mode) || S_ISCHR(facts.st_mode)) &&
      (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY) {
    const int own = open(fmt::format("/proc/self/fd/{}", file).c_str(),
                         O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (own >= 0) return own;
  }
  return fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

struct LineWriter::State {
  State(int f, Options o)
      : file(f), sink(SinkOf(f)), wake(eventfd(0, EFD_CLOEXEC)), options(std::move(o)) {
    CHECK(wake >= 0, "no descriptors left for a writer");
  }
  ~State() {
    close(file);
    close(wake);
  }

  const int file;
  const Sink sink;
  const int wake;  // readable: give up
  const Options options;

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::string waiting;
  std::string batch;   // the thread's, while it writes; others look at its size under the mutex
  size_t written = 0;  // of the batch
  uint64_t dropped = 0;
  uint64_t progress = 0;
  bool started = false, finishing = false, hurried = false, given_up = false, left = false;
  int error = 0;

  size_t Waiting() const { return waiting.size() + batch.size() - written; }
  void TellDropped() {
    if (dropped == 0) return;
    if (options.dropped) waiting += options.dropped(dropped);
    dropped = 0;
  }

  void GiveUp() {
    given_up = true;
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t told = write(wake, &one, sizeof one);
    changed.notify_all();
  }

  // The thread.
  void Run() {
    std::unique_lock lock(mutex);
    while (!given_up && error == 0) {
      if (waiting.empty()) TellDropped();
      if (waiting.empty()) {
        if (finishing) break;
        changed.wait(lock);
        continue;
      }
      batch.swap(waiting);
      while (written < batch.size() && !given_up && error == 0) WriteSome(lock);
      if (written < batch.size()) break;
      batch.clear();
      if (batch.capacity() > kPiece) batch.shrink_to_fit();
      written = 0;
    }
    const int failure = error;
    const bool gone = given_up && !finishing;
    if (failure != 0) waiting = batch = std::string(), written = 0;
    lock.unlock();
    if (failure != 0 && !gone && options.on_failure) options.on_failure(failure);
    lock.lock();
    left = true;
    changed.notify_all();
  }

  void WriteSome(std::unique_lock<std::mutex>& lock) {
    const std::string_view rest = std::string_view(batch).substr(written);
    lock.unlock();
    std::array<pollfd, 2> places = {pollfd{wake, POLLIN, 0}, pollfd{file, POLLOUT, 0}};
    poll(places.data(), places.size(), -1);
    ssize_t n = 0;
    int problem = 0;
    if (places[0].revents == 0 && places[1].revents != 0) {
      n = WritePiece(file, sink, rest);
      problem = n < 0 ? errno : 0;
    }
    lock.lock();
    if (n > 0) {
      written += static_cast<size_t>(n);
      ++progress;
      changed.notify_all();
    } else if (problem != 0 && problem != EAGAIN && problem != EINTR) {
      error = problem;
    }
  }
};

LineWriter::LineWriter(int file, Options options)
    : state_(std::make_shared<State>(file, std::move(options))) {}

LineWriter::~LineWriter() {
  std::unique_lock lock(state_->mutex);
  state_->GiveUp();
  // on_failure may be under way.
  state_->changed.wait_for(lock, kMoment, [&] { return !state_->started || state_->left; });
}

void LineWriter::Add(std::string_view lines) {
  {
    const std::lock_guard lock(state_->mutex);
    // Once lines are dropped, a few that fit would only tear them apart.
    const size_t most =
        state_->dropped > 0 ? state_->options.bytes_max / 2 : state_->options.bytes_max;
    if (lines.size() > most || state_->Waiting() > most - lines.size()) {
      state_->dropped += LinesIn(lines);
      return;
    }
  }
  AddAlways(lines);
}

void LineWriter::AddAlways(std::string_view lines) {
  if (lines.empty()) return;
  const std::lock_guard lock(state_->mutex);
  if (state_->finishing || state_->error != 0) return;
  state_->TellDropped();
  state_->waiting += lines;
  if (!state_->started) {
    state_->started = true;
    StartDetached([state = state_] { state->Run(); });
  }
  state_->changed.notify_all();
}

size_t LineWriter::waiting() const {
  const std::lock_guard lock(state_->mutex);
  return state_->Waiting();
}

void LineWriter::Hurry() {
  const std::lock_guard lock(state_->mutex);
  state_->hurried = true;
  state_->changed.notify_all();
}

LineWriter::Unwritten LineWriter::Finish(Duration patience) {
  std::unique_lock lock(state_->mutex);
  state_->finishing = true;
  state_->changed.notify_all();
  while (state_->started && !state_->left) {
    const uint64_t before = state_->progress;
    const bool hurried = state_->hurried;
    const bool moved = state_->changed.wait_for(lock, hurried ? kMoment : patience, [&] {
      return state_->left || state_->progress != before || state_->hurried != hurried;
    });
    if (!moved) break;
  }
  if (state_->started && !state_->left) {
    state_->GiveUp();
    state_->changed.wait_for(lock, kMoment, [&] { return state_->left; });
  }
  Unwritten rest;
  rest.error = state_->error;
  rest.bytes = state_->Waiting();
  rest.lines = LinesIn(state_->waiting) + state_->dropped;
  // Where the thread hangs in a write it reads the batch, and changes nothing.
  rest.lines += LinesIn(std::string_view(state_->batch).substr(state_->written));
  return rest;
}

}  // namespace relist::command
