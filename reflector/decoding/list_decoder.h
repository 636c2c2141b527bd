// A list's body to a page of Objects, item by item, each with its own bytes (catalogue NET-14,
// RFL-15).
//
//   Result<ListPage> page = DecodeList(std::move(body));
//
// Errors: not JSON, no list (a Table, a single object), an item that is no object. An item that is
// null is skipped. A Failure Status as a body is that Status as an error (NET-07).
#pragma once

#include <string>

#include "core/result.h"
#include "reflector/lister_watcher.h"

namespace relist {

Result<ListPage> DecodeList(std::string body);

}  // namespace relist
