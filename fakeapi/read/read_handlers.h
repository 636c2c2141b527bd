// get, list and watch: from a parsed request to a Reply.
//
//   ReadRequest read{.resource = configmaps, .key = {"default", ""}, .query = &query, ...};
//   Reply reply = HandleList(replica, read, options, Seconds(3));
//
// A read that is newer than the replica is a Wait until `received` + fresh_wait, then a 504
// (SRV-14), or etcd's answer if it asked for the newest (SRV-13). Which revision is read: the
// matrix SRV-2. While caches are not ready: SRV-15. Nothing is changed.
#pragma once

#include <memory>

#include "core/choices.h"
#include "fakeapi/api/negotiation.h"
#include "fakeapi/api/request_handler.h"
#include "fakeapi/read/read_options.h"
#include "fakeapi/read/replica.h"

namespace relist::fakeapi {

struct ReadRequest {
  const ResourceType* resource = nullptr;
  ObjectKey key;  // of the path; a name: one object
  const HeaderList* query = nullptr;
  Negotiated form;
  TimePoint received, now;
};

Reply HandleGet(const Replica& replica, const ReadRequest& read, Duration fresh_wait);

Reply HandleList(Replica& replica, const ReadRequest& read, const ReadOptions& options,
                 Duration fresh_wait);

struct WatchKnobs {
  Duration bookmark_period = Seconds(60);
  Duration timeout_min =
      Seconds(1800);  // an unset timeoutSeconds is one to two times this (SRV-28)
  Duration fresh_wait = Seconds(3);
};

Reply HandleWatch(const std::shared_ptr<Replica>& replica, const ReadRequest& read,
                  const ReadOptions& options, const WatchKnobs& knobs, Choices& choices);

}  // namespace relist::fakeapi
