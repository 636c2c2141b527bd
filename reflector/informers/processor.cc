#include "reflector/informers/processor.h"

#include <algorithm>

namespace relist {

void Processor::Add(std::shared_ptr<Listener> listener, TaskScope* scope) {
  if (scope) listener->Start(*scope);
  listeners_.push_back(std::move(listener));
}

void Processor::StartAll(TaskScope& scope) {
  for (const auto& listener : listeners_) listener->Start(scope);
}

bool Processor::Remove(const std::shared_ptr<Listener>& listener) {
  const auto it = std::find(listeners_.begin(), listeners_.end(), listener);
  if (it == listeners_.end()) return false;
  listeners_.erase(it);
  listener->Stop();
  retired_.push_back(listener);
  return true;
}

void Processor::Distribute(const Notification& notification, bool sync) {
  for (const auto& listener : listeners_) {
    if (!sync || listener->syncing) listener->Add(notification);
  }
}

void Processor::Flush() {
  for (const auto& listener : listeners_) listener->Flush();
}

void Processor::UpstreamSynced() {
  for (const auto& listener : listeners_) listener->UpstreamSynced();
}

void Processor::StopAll() {
  for (const auto& listener : listeners_) listener->Stop();
  retired_.insert(retired_.end(), listeners_.begin(), listeners_.end());
  listeners_.clear();
}

bool Processor::ShouldResync(TimePoint now) {
  bool any = false;
  for (const auto& listener : listeners_) {
    listener->syncing = listener->resync_period > Duration{} && now >= listener->next_resync;
    if (!listener->syncing) continue;
    any = true;
    listener->next_resync = now + listener->resync_period;
  }
  return any;
}

void Processor::ResyncPeriodChanged(Duration check_period, TimePoint now) {
  for (const auto& listener : listeners_) listener->SetResync(check_period, now);
}

}  // namespace relist
