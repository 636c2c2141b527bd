// A loop that client-go has, too: a watch expires, the list asks for the very same version and is
// given it (an exact list, with a page size of the user's; or a server whose cache does not move),
// and leads back to the dead version. It lasts until the server compacts. Told with the excuse
// "faithful: WCH-06" (WCH-06: after an expiry in the stream client-go lists at its last version),
// which also excuses what cannot hold meanwhile.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/checkers/history_view.h"

namespace relist {

inline constexpr char kFaithfulExpiryLoop[] = "faithful: WCH-06";

struct ExpiryLoop {
  std::string_view version;
  int rounds = 0;
  const HistoryEntry* last = nullptr;  // that said it once more
  bool ongoing = false;                // the client never came out of it
};

// The longest, where one went on for five rounds and more.
std::optional<ExpiryLoop> FindExpiryLoop(const ClientView& client);

// The line that says that a watch's version is gone; null if none does, or it may not have arrived.
const HistoryEntry* ExpiredBy(const ClientRequest& request);
// A list, or a streaming list, that came to its end.
bool IsGoodList(const ClientRequest& request);

}  // namespace relist
