#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/read/read_errors.h"
#include "fakeapi/read/read_handlers.h"

namespace relist::fakeapi {
namespace {

Reply AnswerGet(const ReadRequest& read, const StoredRef& object) {
  if (object != nullptr) return RenderObject(*read.resource, object, read.form, read.now);
  return RenderStatus(NotFound(*read.resource, read.key.name).status, read.form);
}

}  // namespace

Reply HandleGet(const Replica& replica, const ReadRequest& read, Duration fresh_wait) {
  const std::string version(QueryValue(*read.query, "resourceVersion"));
  const Result<uint64_t> wanted = ParseRevision(version);
  if (!wanted.ok()) return RenderStatus(wanted.error().status, read.form);
  EtcdHistory& etcd = replica.etcd();
  if (version.empty() || !replica.ready()) {
    if (*wanted <= etcd.revision()) {
      return AnswerGet(read, etcd.store().Find(*read.resource, read.key));
    }
    return RenderStatus(TooLargeRevision(*wanted, etcd.revision(), false).status, read.form);
  }
  if (*wanted > replica.revision()) {
    const TimePoint until = read.received + fresh_wait;
    if (read.now < until) return Wait{until};
    return RenderStatus(TooLargeRevision(*wanted, replica.revision(), true).status, read.form);
  }
  return AnswerGet(read, etcd.LogOf(*read.resource)->FindAt(read.key, replica.revision()));
}

}  // namespace relist::fakeapi
