#include "reflector/work_queues/parallelize.h"

#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace relist {
namespace parallelize_test {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(Parallelize, DoesEachPieceOnce) {  // WKQ-07, TestParallelizeUntil
  struct Case {
    int pieces, workers, chunk_size;
  };
  for (const Case& c : {Case{1000, 10, 1}, Case{1000, 10, 10}, Case{1000, 10, 100},
                        Case{999, 10, 13}, Case{3, 10, 0}, Case{0, 10, 1}}) {
    std::vector<std::atomic<int>> seen(static_cast<size_t>(c.pieces));
    ParallelizeUntil(c.workers, c.pieces, [&](int piece) { ++seen[static_cast<size_t>(piece)]; },
                     {.chunk_size = c.chunk_size});
    const std::vector<int> visits(seen.begin(), seen.end());
    EXPECT_THAT(visits, Each(1)) << c.pieces << " in chunks of " << c.chunk_size;
  }
}

TEST(Parallelize, DoesPiecesInOrderOnOneWorkerWithoutAThread) {
  std::vector<int> seen;
  const std::thread::id here = std::this_thread::get_id();
  ParallelizeUntil(1, 4, [&](int piece) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    seen.push_back(piece);
  });
  EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3));
}

TEST(Parallelize, BeginsNoPieceOnceItIsStopped) {
  std::atomic<int> done = 0;
  ParallelizeUntil(1, 1000, [&](int) { ++done; },
                   {.chunk_size = 100, .stopped = [&] { return done >= 7; }});
  EXPECT_EQ(done, 7);
  ParallelizeUntil(4, 1000, [&](int) { ++done; }, {.stopped = [] { return true; }});
  EXPECT_EQ(done, 7);
}

TEST(Parallelize, ThrowsWhatAPieceThrewWhenTheOthersHaveEnded) {
  std::atomic<int> running = 0;
  EXPECT_THROW(ParallelizeUntil(4, 1000,
                                [&](int piece) {
                                  ++running;
                                  if (piece == 20) {
                                    --running;
                                    throw std::runtime_error("piece 20");
                                  }
                                  --running;
                                }),
               std::runtime_error);
  EXPECT_EQ(running, 0);
}

}  // namespace parallelize_test
}  // namespace relist
