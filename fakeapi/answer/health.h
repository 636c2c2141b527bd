// /healthz, /livez and /readyz, as a whole and check by check.
//
//   AnswerHealth("/readyz", {}, /*caches_ready=*/false);   // 500 "[+]ping ok\n...[-]poststarthook/
//                                                          // storage-readiness failed: ..."
//   AnswerHealth("/livez/etcd", {}, true);                 // 200 "ok"
//
// The checks are those of a real server v1.37 that was asked, in its order; of what they are about,
// only the caches can be other than well here. As at the real one: any method will do, exclude=NAME
// leaves a check out, verbose tells of each, and a failure is always verbose. Pure function.
#pragma once

#include <optional>
#include <string_view>

#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {

// Nothing where `path` (decoded, without the query) is no check's: a slash at the end makes it
// none.
std::optional<Response> AnswerHealth(std::string_view path, const HeaderList& query,
                                     bool caches_ready);

}  // namespace relist::fakeapi
