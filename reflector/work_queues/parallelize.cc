#include "reflector/work_queues/parallelize.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "reflector/parity_switch.h"

namespace relist {
namespace {

class ParallelPieces {
 public:
  ParallelPieces(int pieces, const std::function<void(int)>& work,
                 const ParallelizeOptions& options)
      : pieces_(pieces),
        chunk_size_(std::max(options.chunk_size, 1)),
        work_(work),
        stopped_(options.stopped) {}

  int chunks() const { return (pieces_ + chunk_size_ - 1) / chunk_size_; }

  // What each worker does.
  void Work() {
    for (int chunk; (chunk = next_chunk_++) < chunks();) {
      const int begin = chunk * chunk_size_;
      const int end = std::min(begin + chunk_size_, pieces_);
      for (int piece = begin; piece < end; ++piece) {
        if (failed_ || (Behaves("WKQ-07f") && stopped_ && stopped_())) return;
        Do(piece);
      }
    }
  }
  void RethrowFailure() {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void Do(int piece) {
    try {
      work_(piece);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
    }
  }

  const int pieces_, chunk_size_;
  const std::function<void(int)>& work_;
  const std::function<bool()>& stopped_;
  std::atomic<int> next_chunk_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr failure_;  // under mutex_
};

}  // namespace

void ParallelizeUntil(int workers, int pieces, const std::function<void(int)>& work,
                      const ParallelizeOptions& options) {
  if (pieces <= 0) return;
  ParallelPieces all(pieces, work, options);
  workers = std::min(workers, all.chunks());
  std::vector<std::thread> threads;
  for (int i = 1; i < workers; ++i) threads.emplace_back([&all] { all.Work(); });
  all.Work();
  for (std::thread& thread : threads) thread.join();
  all.RethrowFailure();
}

}  // namespace relist
