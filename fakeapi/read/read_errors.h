// The Statuses of reads that ask for a time that is gone, or has not come.
//
//   return ExpiredPage(EncodeContinue({-1, start}));   // 410, with a token to go on with
//
// Texts: SRV-11, SRV-14, SRV-17 and chapters list, pages, expired.
#pragma once

#include <cstdint>
#include <string>

#include "core/wire/status.h"

namespace relist::fakeapi {

// 504. `retry`: with retryAfterSeconds, as where the answer came after a wait.
Error TooLargeRevision(uint64_t wanted, uint64_t current, bool retry);
// 429 of a replica whose caches are not ready.
Error NotReady(int64_t retry_after_seconds);
// 410 of an exact list.
Error ExpiredList();
// 410 of a page; `token` goes on where it would have begun, at the newest revision.
Error ExpiredPage(std::string token);
// 410 in a watch: `oldest` is the oldest revision that it could have started from.
Status ExpiredWatch(uint64_t wanted, uint64_t oldest);

}  // namespace relist::fakeapi
