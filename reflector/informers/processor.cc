#include "reflector/informers/processor.h"

#include <algorithm>
#include <utility>

#include "reflector/parity_switch.h"

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
  if (it == listeners_.end() || !Behaves("INF-09")) return false;
  // Those that have ended are nobody's concern any more. Afterwards somebody waits for all.
  if (!stopped_) {
    std::erase_if(retired_, [](const auto& other) { return other->stopped().Ready(); });
  }
  listeners_.erase(it);
  listener->Stop();
  retired_.push_back(listener);
  return true;
}

bool Processor::IsOurs(const std::shared_ptr<Listener>& listener) const {
  const auto among = [&listener](const auto& all) {
    return std::find(all.begin(), all.end(), listener) != all.end();
  };
  return among(listeners_) || among(retired_);
}

void Processor::Distribute(Notification notification, bool sync) {
  Listener* next = nullptr;  // the last of several gets our own copy
  for (const auto& listener : listeners_) {
    if (sync && !listener->syncing && Behaves("LSN-03")) continue;
    if (next) next->Add(notification);
    next = listener.get();
  }
  if (next) next->Add(std::move(notification));
}

void Processor::Flush() {
  for (const auto& listener : listeners_) listener->Flush();
}

void Processor::UpstreamSynced() {
  for (const auto& listener : listeners_) listener->UpstreamSynced();
}

void Processor::StopAll() {
  stopped_ = true;
  for (const auto& listener : listeners_) listener->Stop();
  retired_.insert(retired_.end(), listeners_.begin(), listeners_.end());
  listeners_.clear();
}

bool Processor::ShouldResync(TimePoint now) {
  bool any = false;
  for (const auto& listener : listeners_) {
    const bool due = now >= listener->next_resync || !Behaves("INF-06");
    listener->syncing = listener->resync_period > Duration{} && due;
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
