// ?timeout= of a request that is not a watch. A real server judges it before anything else, the
// token included, and gives the request so long; ours answers at once and only judges.
//
//   Result<void> good = CheckRequestTimeout(target.query);   // timeout=5: 400, "missing unit"
//
// Empty is as if it were not there; of several the first counts. Errors are 400 BadRequest with the
// texts of Go's time.ParseDuration.
#pragma once

#include "core/result.h"
#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {

Result<void> CheckRequestTimeout(const HeaderList& query);

}  // namespace relist::fakeapi
