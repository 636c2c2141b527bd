// The control endpoints: what a test does to the server, over the same HTTP as everything else.
//
//   ControlHandler handler(server, &history);
//   handler.Handle({"POST", "/relist/v1/evict", {}, ""}, now, now);
//
//   POST /relist/v1/compact    etcd's floor moves to now, or to {"revision": 12} (400, as etcd
//                              refuses it, where that is yet to come or was compacted before);
//                              {"learned": true}: the cache knows, so exact lists and tokens from
//                              before expire, too
//   POST /relist/v1/evict      the watch windows start empty: older watches expire
//   POST /relist/v1/restart    as a restart of the apiserver
//   POST /relist/v1/bookmark   every watch that allows bookmarks gets one
//   POST /relist/v1/reset      empty again
//   GET  /relist/v1/history    everything that happened so far, NDJSON; 404 where none is kept
//
// No endpoint takes parameters, and only compact's body has keys: anything else is 400, and nothing
// is done. Actions answer {"action":"evict","revision":"12"}. Every other path is the ApiServer's.
// A server with a token wants it here, too.
#pragma once

#include "core/history.h"
#include "fakeapi/api_server.h"

namespace relist::fakeapi {

class ControlHandler : public RequestHandler {
 public:
  // Both outlive the handler; `history` may be null.
  ControlHandler(ApiServer& server, const History* history) : server_(server), history_(history) {}

  Reply Handle(const Request& request, TimePoint received, TimePoint now) override;
  uint64_t change_count() const override { return server_.change_count(); }
  TimePoint NextDeadline() const override { return server_.NextDeadline(); }
  void Tick(TimePoint now) override { server_.Tick(now); }

 private:
  Response Control(const Request& request, std::string_view name, TimePoint now);
  Response Act(const Request& request, std::string_view name, TimePoint now);

  ApiServer& server_;
  const History* history_;
};

}  // namespace relist::fakeapi
