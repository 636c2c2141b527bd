#include "reflector/watches/informer_watcher.h"

namespace relist {

InformerWatcher::InformerWatcher(Loop& loop, ListerWatcher& lister, ReflectorOptions reflector)
    : ready_(*this),
      informer_(loop, lister, InformerOptions{.reflector = std::move(reflector)}),
      scope_(loop) {
  const auto added = informer_.AddEventHandler(*this, {.name = "watch"});
  CHECK(added.ok(), "an informer that has not run takes handlers: {}", added.error().message());
  scope_.Spawn(Run());
}

Task<void> InformerWatcher::Run() {
  Task<void> run = informer_.Run(stop_);
  co_await run;
  done_.Set();
}

std::optional<WatchEvent> InformerWatcher::TryNext() {
  if (events_.empty()) return std::nullopt;
  WatchEvent event = std::move(events_.front());
  events_.pop_front();
  return event;
}

void InformerWatcher::Stop() {
  stopped_ = true;
  events_.clear();
  stop_.Set();
  ready_.Raise();
}

void InformerWatcher::Push(EventType type, const ObjectRef& object) {
  if (stopped_) return;
  events_.push_back({type, object});
  ready_.Raise();
}

void InformerWatcher::OnAdd(const ObjectRef& object, bool) {
  Push(EventType::kAdded, object);
}

void InformerWatcher::OnUpdate(const ObjectRef&, const ObjectRef& new_object) {
  Push(EventType::kModified, new_object);
}

void InformerWatcher::OnDelete(const Deleted& deleted) {
  Push(EventType::kDeleted, deleted.object);
}

}  // namespace relist
