#include "scenarios/play/cast_handler.h"

#include <fmt/core.h>

#include <stdexcept>

namespace relist {

CastHandler::CastHandler(const HandlerSpec& spec, Teller teller)
    : spec_(spec), teller_(std::move(teller)) {}

void CastHandler::OnAdd(const ObjectRef& object, bool is_in_initial_list) {
  Told(MomentSpec::As::kAdded, object->key(), object->resource_version(), is_in_initial_list);
}

void CastHandler::OnUpdate(const ObjectRef&, const ObjectRef& object) {
  Told(MomentSpec::As::kModified, object->key(), object->resource_version(), false);
}

void CastHandler::OnDelete(const Deleted& deleted) {
  Told(MomentSpec::As::kDeleted, deleted.key, "", false);
}

// What it throws at it was told all the same.
void CastHandler::Told(MomentSpec::As as, const ObjectKey& key, const std::string& version,
                       bool initial) {
  if (teller_) teller_(as, key);
  const std::lock_guard lock(mutex_);
  if (as == MomentSpec::As::kDeleted)
    seen_.erase(key);
  else
    seen_[key] = version;
  ++calls_;
  if (calls_ < spec_.fails_first || calls_ > spec_.fails_last) return;
  ++failures_;
  never_syncs_ |= initial;
  throw std::runtime_error(fmt::format("the scenario lets call {} fail", calls_));
}

bool CastHandler::Is(const KeyVersions& truth) const {
  const std::lock_guard lock(mutex_);
  return seen_ == truth;
}

int CastHandler::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

int CastHandler::failures() const {
  const std::lock_guard lock(mutex_);
  return failures_;
}

bool CastHandler::never_syncs() const {
  const std::lock_guard lock(mutex_);
  return never_syncs_;
}

}  // namespace relist
