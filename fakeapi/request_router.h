// Which handler answers a request: path, method, and what can be refused before anything is read.
//
//   Reply reply = RouteRequest({store, replica, options, choices, now}, request, received);
//
// The caller has checked who asks (IsAuthorized), and adds what every answer has. Changes nothing
// but through the write handlers.
#pragma once

#include <memory>
#include <optional>

#include "core/choices.h"
#include "fakeapi/api_server.h"
#include "fakeapi/read/replica.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

struct RouterWorld {
  Store& store;
  const std::shared_ptr<Replica>& replica;
  const ApiServerOptions& options;
  Choices& choices;
  TimePoint now;
};

// What is refused before it is asked who asks: a timeout= that is none. Nothing where all is well.
std::optional<Response> RefuseTimeout(const Request& request);

Reply RouteRequest(const RouterWorld& world, const Request& request, TimePoint received);

}  // namespace relist::fakeapi
