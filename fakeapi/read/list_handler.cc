#include <algorithm>
#include <optional>
#include <utility>

#include "core/wire/digest.h"
#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/read/read_errors.h"
#include "fakeapi/read/read_handlers.h"
#include "fakeapi/read/selection.h"
#include "fakeapi/store/pagination.h"

namespace relist::fakeapi {
namespace {

// Which state is listed, and which part of it.
struct ListPlan {
  bool exact = false;
  bool legacy = false;    // a limit and a version without a match
  bool newest = false;    // as etcd has it when the request comes
  uint64_t revision = 0;  // exactly this one, or not older than this one
  size_t limit = 0;       // 0: none
  bool is_page = false;   // that a token asks for
  bool by_etcd = false;   // its tokens begin without a slash, the cache's with one (SRV-10)
  std::string start;      // of a token; "" from the beginning
};

Result<ListPlan> PlanPage(const ReadOptions& options, ListPlan plan) {
  const Result<ContinueToken> token = DecodeContinue(options.continue_token);
  if (!token.ok()) return token.error();
  if (!options.resource_version.empty() && options.resource_version != "0") {
    return BadRequest("specifying resource version is not allowed when using continue");
  }
  plan.exact = token->revision > 0;
  plan.newest = !plan.exact;
  plan.revision = plan.exact ? static_cast<uint64_t>(token->revision) : 0;
  plan.is_page = true;
  plan.start = token->start;
  return plan;
}

// The matrix of resourceVersion, resourceVersionMatch, limit and continue (SRV-2).
Result<ListPlan> PlanList(const ReadOptions& options, bool is_single) {
  ListPlan plan;
  if (options.limit > 0 && options.resource_version != "0") {
    plan.limit = static_cast<size_t>(options.limit);  // "any" is served whole from the cache
  }
  if (!options.continue_token.empty()) return PlanPage(options, std::move(plan));
  const Result<uint64_t> revision = ParseRevision(options.resource_version);
  if (!revision.ok()) {
    return BadRequest("invalid resource version: " + revision.error().message());
  }
  plan.revision = *revision;
  plan.newest = options.resource_version.empty();
  // The legacy rule: a limit makes it exact. Where only one object can be meant it is etcd's newest
  // all the same, as a real one was seen to answer.
  plan.legacy = options.resource_version_match.empty() && plan.limit > 0 && plan.revision > 0;
  // "00" is zero, too, though not the text that is forbidden.
  plan.exact = (options.resource_version_match == "Exact" && plan.revision > 0) ||
               (plan.legacy && !is_single);
  return plan;
}

Error Expired(const ListPlan& plan, const EtcdHistory& etcd) {
  if (etcd.Has(ServerBug::kExpiredPageIsFinal)) return ExpiredList();
  return plan.is_page ? ExpiredPage(EncodeContinue({-1, plan.start})) : ExpiredList();
}

// Where a page begins. A token may name what is no key: "ns" of all namespaces.
size_t FirstOf(const Snapshot& snapshot, const ReadRequest& read, const std::string& start) {
  const bool is_path = read.key.ns.empty() && read.resource->namespaced();
  return is_path ? snapshot.LowerBoundPath(start) : snapshot.LowerBound({read.key.ns, start});
}

struct Page {
  ListHead head;
  SharedItems items;
};

std::string TokenAfter(const ListPlan& plan, const ReadRequest& read, const StoredObject& last) {
  const std::string start = StartAfter(read.key.ns, last.key);
  return EncodeContinue({static_cast<int64_t>(plan.revision), plan.by_etcd ? start : '/' + start});
}

// A full page has a token whenever a key is left that was not looked at: with a selector the next
// page may be empty (SRV-9).
Page TakePage(const EtcdHistory& etcd, const SnapshotRef& shared, const ReadRequest& read,
              const ReadOptions& options, const Selection& selection, const ListPlan& plan) {
  const Snapshot& snapshot = *shared;
  auto [first, last] = snapshot.InNamespace(selection.ns());
  if (const ObjectKey& one = selection.single(); !one.name.empty()) {
    first = std::max(first, snapshot.LowerBound(one));
    last = std::min(last, first + 1);
  }
  if (!plan.start.empty()) {
    first = std::max(first, FirstOf(snapshot, read, plan.start));
    if (etcd.Has(ServerBug::kPageSkipsOne)) ++first;
  }
  Page page;
  page.head.revision = plan.revision;
  if (first >= last) return page;
  page.items.owner = shared;
  page.items.objects.reserve(plan.limit > 0 ? std::min(plan.limit, last - first) : last - first);
  for (size_t i = first; i < last; ++i) {
    const StoredRef& object = snapshot.objects[i];
    if (!selection.Matches(*object)) continue;
    page.items.objects.push_back(object.get());
    if (page.items.objects.size() != plan.limit || i + 1 == last) continue;
    const bool lost = options.HasSelector() && etcd.Has(ServerBug::kTokenIsLost);
    if (!lost) page.head.continue_token = TokenAfter(plan, read, *object);
    const bool tells = !options.HasSelector() || etcd.Has(ServerBug::kRemainingWithSelector);
    if (tells) page.head.remaining = static_cast<int64_t>(last - i - 1);
    break;
  }
  return page;
}

Reply AnswerList(EtcdHistory& etcd, const ReadRequest& read, const ReadOptions& options,
                 const Selection& selection, const ListPlan& plan) {
  EventLog& log = *etcd.LogOf(*read.resource);
  const SnapshotRef snapshot = log.At(plan.revision, /*again=*/plan.limit > 0);
  Page page = TakePage(etcd, snapshot, read, options, selection, plan);
  Response response = RenderItems(*read.resource, page.head, page.items, read.form, read.now);
  response.list_resource_version = std::to_string(page.head.revision);
  response.items = static_cast<int>(page.items.objects.size());
  response.continue_token = std::move(page.head.continue_token);
  response.digest = [items = std::move(page.items)] {
    ListDigest digest;
    for (const StoredObject* item : items.objects)
      digest.Add(item->key, item->revision, item->bytes.size());
    return digest.Text();
  };
  return response;
}

// etcd knows nothing of waiting: a time that has not come is refused at once, without advice to
// retry. It never ignores a limit.
Reply AnswerFromEtcd(EtcdHistory& etcd, const ReadRequest& read, const ReadOptions& options,
                     const Selection& selection, ListPlan plan) {
  plan.by_etcd = true;
  plan.limit = options.limit > 0 ? static_cast<size_t>(options.limit) : 0;
  if (plan.revision > etcd.revision()) {
    return RenderStatus(TooLargeRevision(plan.revision, etcd.revision(), false).status, read.form);
  }
  const bool served = etcd.Has(ServerBug::kExpiredListIsServed) &&
                      plan.revision >= etcd.LogOf(*read.resource)->trimmed();
  if (plan.exact && plan.revision < etcd.floor() && !served) {
    return RenderStatus(Expired(plan, etcd).status, read.form);
  }
  if (!plan.exact) plan.revision = etcd.revision();
  return AnswerList(etcd, read, options, selection, plan);
}

}  // namespace

Reply HandleList(Replica& replica, const ReadRequest& read, const ReadOptions& options,
                 Duration fresh_wait) {
  const Selection selection(*read.resource, read.key, options);
  const bool is_single = !selection.single().name.empty();
  Result<ListPlan> plan = PlanList(options, is_single);
  if (!plan.ok()) return RenderStatus(plan.error().status, read.form);
  EtcdHistory& etcd = replica.etcd();
  const auto from_etcd = [&] { return AnswerFromEtcd(etcd, read, options, selection, *plan); };
  // What the cache has no snapshots for: one object's past.
  if (is_single && (plan->exact || plan->legacy)) return from_etcd();
  if (plan->start.size() > 0 && etcd.Has(ServerBug::kPageIsNewest)) plan->exact = false;
  if (!replica.ready() && !etcd.Has(ServerBug::kUnreadyServes)) {
    if (options.limit > 0 && !options.HasSelector()) return from_etcd();
    return RenderStatus(NotReady(replica.RetryAfterSeconds(read.now)).status, read.form);
  }
  WatchCache& cache = *replica.CacheOf(*read.resource);
  uint64_t wanted = plan->newest ? replica.MissedBy(read.received) : plan->revision;
  if (plan->newest && etcd.Has(ServerBug::kNewestIsCaches)) wanted = 0;
  if (!plan->newest && !plan->exact && etcd.Has(ServerBug::kNotOlderIsOlder)) wanted = 0;
  if (wanted > replica.revision()) {
    const TimePoint until = read.received + fresh_wait;
    if (read.now < until) return Wait{until};
    if (plan->newest) return from_etcd();
    return RenderStatus(TooLargeRevision(wanted, replica.revision(), true).status, read.form);
  }
  if (plan->exact && !cache.CanServeExact(plan->revision)) return from_etcd();
  if (!plan->exact || etcd.Has(ServerBug::kExactIsNewest)) plan->revision = replica.revision();
  return AnswerList(etcd, read, options, selection, *plan);
}

}  // namespace relist::fakeapi
