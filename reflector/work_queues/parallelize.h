// Many independent pieces of work, done by a few threads (client-go's ParallelizeUntil; catalogue
// WKQ-07).
//
//   ParallelizeUntil(16, nodes.size(), [&](int piece) { fits[piece] = Fits(nodes[piece]); });
//
// Returns when all pieces are done, or, after `stopped`, those under way. With one worker no thread
// is started: pieces are done in order, here, as the simulation needs it. What a piece throws is
// thrown here, the first of them, when the others have ended; no further piece begins then.
#pragma once

#include <functional>

namespace relist {

struct ParallelizeOptions {
  // Pieces that a worker takes at once: more where pieces are many and small.
  int chunk_size = 1;
  // Asked before each piece, by all workers; empty: never.
  std::function<bool()> stopped;
};

void ParallelizeUntil(int workers, int pieces, const std::function<void(int piece)>& work,
                      const ParallelizeOptions& options = {});

}  // namespace relist
