// Which events a server sent to a client, as far as its history tells: what was never sent is no
// loss of the client's.
//
//   const ReceivedVersions received = ReceivedBy(view, client);
//   if (!received.MayHave(7)) ...   // no stream, and no list, can have told it of version 7
//
// It looks at every line of every stream.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "scenarios/checkers/history_view.h"

namespace relist {

class ReceivedVersions {
 public:
  bool MayHave(uint64_t rv) const {
    if (sent_.empty() && kept_.empty()) return true;
    return sent_.contains(rv) || (rv <= newest_list_ && !kept_.contains(rv));
  }

 private:
  friend ReceivedVersions ReceivedBy(const HistoryView& view, const ClientView& client);
  std::unordered_set<uint64_t> sent_;  // this and kept_ empty: there are no streams to look at
  std::unordered_set<uint64_t> kept_;  // by a fault; a list may tell of it, later than of others
  uint64_t newest_list_ = 0;
};

ReceivedVersions ReceivedBy(const HistoryView& view, const ClientView& client);

}  // namespace relist
