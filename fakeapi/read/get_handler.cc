#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/read/read_errors.h"
#include "fakeapi/read/read_handlers.h"

namespace relist::fakeapi {

Reply HandleGet(const ReadWorld& world, const ReadRequest& read, Duration fresh_wait) {
  const Result<uint64_t> wanted =
      ParseRevision(std::string(QueryValue(*read.query, "resourceVersion")));
  if (!wanted.ok()) return RenderStatus(wanted.error().status, read.form);
  if (*wanted > world.revision()) {
    const TimePoint until = read.received + fresh_wait;
    if (read.now < until) return Wait{until};
    return RenderStatus(TooLargeRevision(*wanted, world.revision(), true).status, read.form);
  }
  const StoredRef object = world.store().Find(*read.resource, read.key);
  if (object == nullptr) {
    return RenderStatus(NotFound(*read.resource, read.key.name).status, read.form);
  }
  return RenderObject(*read.resource, object, read.form, read.now);
}

}  // namespace relist::fakeapi
