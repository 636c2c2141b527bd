// Requests and answers between a front and the sans-IO server: no sockets.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/time.h"

namespace relist::fakeapi {

using HeaderList = std::vector<std::pair<std::string, std::string>>;

// Letter case aside, in ASCII.
bool SameHeaderName(std::string_view a, std::string_view b);

// A request whose body is complete.
struct Request {
  std::string method;  // "GET", as sent
  std::string target;  // path and query, as sent: "/api/v1/configmaps?watch=true"
  HeaderList headers;  // names as sent
  std::string body;

  // The first header of that name, letter case aside; "" where there is none.
  std::string_view Header(std::string_view name) const;
};

// Bytes that somebody else owns, too: an object's JSON goes out to every reader without a copy.
struct Slice {
  std::shared_ptr<const void> owner;
  std::string_view bytes;

  static Slice Own(std::string text) {
    auto held = std::make_shared<const std::string>(std::move(text));
    const std::string_view view = *held;
    return {std::move(held), view};
  }
};
using Slices = std::vector<Slice>;

struct Response {
  int status = 200;
  // Content-Type, Retry-After, Warning ...; framing headers are the connection's.
  HeaderList headers;
  Slices body;
  bool chunked = false;  // the real server sends large bodies chunked; a front may rely on it

  // Of a list, for histories; whoever makes a list fills them in.
  std::string list_resource_version;
  int items = -1;  // -1: not a list
  std::string continue_token;
  std::function<std::string()> digest;  // ListDigest of the items; asked only where it is noted

  size_t BodySize() const;
  std::string BodyText() const;
};

}  // namespace relist::fakeapi
