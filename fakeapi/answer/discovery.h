// What clients ask first: versions, groups, resource lists, the OpenAPI paths.
//
//   if (std::optional<Response> answer = AnswerDiscovery(path, query, request)) return *answer;
//
// Recordings: chapter discovery. /openapi/v2 is an empty 200 (kubectl create asks for it),
// /openapi/v3 a 404: no schemas.
#pragma once

#include <optional>
#include <string_view>

#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {

// Nothing where `path` (decoded, without the query) is none of discovery's. Some take GET alone
// (HEAD is a 405, too), and some, as at the real server, any method.
std::optional<Response> AnswerDiscovery(std::string_view path, const HeaderList& query,
                                        const Request& request);

}  // namespace relist::fakeapi
