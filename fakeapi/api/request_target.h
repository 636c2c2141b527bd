// The target of a request line, taken apart and decoded.
//
//   RequestTarget target = ParseTarget("/api/v1/configmaps?labelSelector=app%3Dodd&watch");
//   target.path;    // "/api/v1/configmaps"
//   target.query;   // {{"labelSelector", "app=odd"}, {"watch", ""}}
//
// As Go's net/url does it for the real server: a plus is a space in the query, pairs with a broken
// escape or a semicolon are dropped, an escaped slash in the path is a slash. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {

struct RequestTarget {
  std::string path;
  HeaderList query;  // in the order sent; of a repeated name the first counts
};

RequestTarget ParseTarget(std::string_view target);

}  // namespace relist::fakeapi
