#include "reflector/stores/sync_track.h"

namespace relist {

void SingleFileTracker::Finished() {
  const int64_t left = count_.fetch_sub(1) - 1;
  CHECK(left >= 0,
        "synctrack: negative counter; this logic error means HasSynced may return incorrect value");
  if (left == 0 && upstream_.load()) Sync();
}

void SingleFileTracker::UpstreamHasSynced() {
  upstream_.store(true);
  if (count_.load() == 0 || !Behaves("AUX-08c")) Sync();
}

void SingleFileTracker::Sync() {
  if (!synced_.exchange(true) && on_synced_) on_synced_();
}

}  // namespace relist
