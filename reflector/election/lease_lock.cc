#include "reflector/election/lease_lock.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "core/wire/json_text.h"
#include "core/wire/resource.h"

namespace relist {
namespace {

using nlohmann::json;

const Resource& Leases() {
  static const Resource kLeases{"coordination.k8s.io", "v1", "leases", "Lease", true};
  return kLeases;
}

int WholeNumberAt(const json& from, const char* key) {
  const auto found = from.find(key);
  return found != from.end() && found->is_number_integer() ? found->get<int>() : 0;
}

json SpecOf(const LeaderElectionRecord& record) {
  json spec = {{"holderIdentity", record.holder_identity},
               {"leaseDurationSeconds", record.lease_duration_seconds},
               {"acquireTime", record.acquire_time},
               {"renewTime", record.renew_time},
               {"leaseTransitions", record.leader_transitions}};
  if (!record.preferred_holder.empty()) spec["preferredHolder"] = record.preferred_holder;
  if (!record.strategy.empty()) spec["strategy"] = record.strategy;
  return spec;
}

}  // namespace

std::string FormatMicroTime(TimePoint t) {
  const int64_t micros = (t.time_since_epoch() % Seconds(1)) / std::chrono::microseconds(1);
  std::string text = FormatRfc3339(t);
  text.pop_back();
  return fmt::format("{}.{:06}Z", text, micros);
}

LeaderElectionRecord RecordOfLease(const Object& lease) {
  const json& all = lease.json();
  const auto spec = all.find("spec");
  if (spec == all.end() || !spec->is_object()) return {};
  LeaderElectionRecord record;
  record.holder_identity = TextAt(*spec, "holderIdentity");
  record.lease_duration_seconds = WholeNumberAt(*spec, "leaseDurationSeconds");
  record.acquire_time = TextAt(*spec, "acquireTime");
  record.renew_time = TextAt(*spec, "renewTime");
  record.leader_transitions = WholeNumberAt(*spec, "leaseTransitions");
  record.preferred_holder = TextAt(*spec, "preferredHolder");
  record.strategy = TextAt(*spec, "strategy");
  return record;
}

LeaseLock::LeaseLock(RestClient& rest, LeaseLockOptions options)
    : rest_(rest), options_(std::move(options)) {}

RestRequest LeaseLock::Request(const std::string& method, bool collection, std::string body) const {
  RestRequest request;
  request.method = method;
  request.target =
      collection ? Leases().Path(options_.ns) : Leases().Path(options_.ns, options_.name);
  request.body = std::move(body);
  request.timeout = options_.request_timeout;
  request.recorder = options_.recorder;
  return request;
}

Task<Result<LeaderElectionRecord>> LeaseLock::Get(Signal& stop) {
  Task<Result<HttpAnswer>> get = rest_.Do(Request("GET", /*collection=*/false, ""), stop);
  Result<HttpAnswer> answer = co_await get;
  Result<ObjectRef> lease = ObjectOf(std::move(answer));
  if (!lease.ok()) co_return lease.error();
  lease_ = *lease;
  co_return RecordOfLease(*lease_);
}

Task<Result<void>> LeaseLock::Create(LeaderElectionRecord record, Signal& stop) {
  json lease = {{"kind", "Lease"},
                {"apiVersion", Leases().GroupVersion()},
                {"metadata", {{"name", options_.name}, {"namespace", options_.ns}}},
                {"spec", SpecOf(record)}};
  if (!options_.labels.empty()) lease["metadata"]["labels"] = options_.labels;
  Task<Result<void>> write = Write(Request("POST", /*collection=*/true, lease.dump()), stop);
  co_return co_await write;
}

Task<Result<void>> LeaseLock::Update(LeaderElectionRecord record, Signal& stop) {
  if (!lease_) {
    co_return Error::Net(Transport::kOther, "lease not initialized, call get or create first");
  }
  json lease = lease_->json();
  lease["spec"] = SpecOf(record);
  for (const auto& [label, value] : options_.labels) lease["metadata"]["labels"][label] = value;
  Task<Result<void>> write = Write(Request("PUT", /*collection=*/false, lease.dump()), stop);
  co_return co_await write;
}

Task<Result<void>> LeaseLock::Write(RestRequest request, Signal& stop) {
  Task<Result<HttpAnswer>> send = rest_.Do(std::move(request), stop);
  Result<HttpAnswer> answer = co_await send;
  Result<ObjectRef> lease = ObjectOf(std::move(answer));
  if (!lease.ok()) co_return lease.error();
  lease_ = *lease;
  co_return Result<void>();
}

void LeaseLock::RecordEvent(const std::string& what) {
  if (options_.on_event) options_.on_event(options_.identity + " " + what);
}

}  // namespace relist
