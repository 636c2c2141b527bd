#include "core/runtime/sim_port.h"

#include <algorithm>
#include <functional>

namespace relist {

SimPort::SimPort(TimePoint start) : now_(start) {}

SimPort::~SimPort() {
  // What an action holds may cancel others when it goes.
  std::vector<Slot> slots = std::exchange(slots_, {});
}

SimPort::Ticket SimPort::At(TimePoint when, SmallFunction action) {
  if (when == kNever) return {};
  size_t slot = slots_.size();
  if (free_slots_.empty()) {
    slots_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  slots_[slot].action = std::move(action);
  slots_[slot].sequence = ++sequence_;
  heap_.push_back({std::max(when, now_), sequence_, slot});
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  return {sequence_, slot};
}

void SimPort::Cancel(const Ticket& ticket) {
  if (ticket.sequence == 0 || ticket.slot >= slots_.size()) return;
  if (slots_[ticket.slot].sequence != ticket.sequence) return;
  SmallFunction cancelled = Vacate(ticket.slot);
  if (heap_.size() > 64 && heap_.size() > 2 * pending()) DropDeadPlaces();
}

SmallFunction SimPort::Vacate(size_t slot) {
  slots_[slot].sequence = 0;
  free_slots_.push_back(slot);
  return std::move(slots_[slot].action);
}

void SimPort::DropDeadPlaces() {
  std::erase_if(heap_, [this](const Place& place) { return !Live(place); });
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
}

bool SimPort::Wait(TimePoint deadline) {
  const uint64_t last = sequence_;
  TimePoint limit = std::max(deadline, now_);
  bool jumped = false;
  while (!heap_.empty()) {
    const Place place = heap_.front();
    const bool live = Live(place);
    if (live && (place.when > limit || place.sequence > last)) break;
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
    if (!live) continue;
    jumped = true;
    limit = now_ = place.when;
    SmallFunction action = Vacate(place.slot);
    action();
  }
  if (jumped) return true;
  if (deadline == kNever) return false;
  now_ = limit;
  return true;
}

std::unique_ptr<Connection> SimPort::Connect(const Endpoint& endpoint) {
  if (dialer_) return dialer_(endpoint);
  auto [client, server] = SimPipe::Make(*this);
  server->Refuse({});
  return std::move(client);
}

}  // namespace relist
