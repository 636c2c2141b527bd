#include "reflector/informers/controller.h"

namespace relist {

Controller::Controller(Loop& loop, DeltaQueue& queue, Indexer& store, Sink& sink, PlantedBugs bugs)
    : loop_(loop), queue_(queue), store_(store), sink_(sink), bugs_(bugs) {}

Task<void> Controller::ProcessLoop(Signal& stop) {
  while (!stop.Ready()) {
    std::vector<Delta> batch = queue_.PopBatch();
    if (batch.empty()) {
      if (queue_.closed()) break;
      Select which(loop_, stop, queue_.source());
      co_await which;
      continue;
    }
    Process(batch);
    queue_.Done(batch);
    sink_.OnBatchDone();
  }
  queue_.Close();
}

void Controller::Process(const std::vector<Delta>& batch) {
  const bool initial = queue_.in_initial_list();  // RFF-09
  const Delta& first = batch.front();
  switch (first.type) {
    case DeltaType::kReplacedAll:
      ProcessReplacedAll(first, initial);
      break;
    case DeltaType::kSyncAll:
      ProcessSyncAll();
      break;
    case DeltaType::kBookmark:
      store_.Bookmark(first.resource_version);
      break;
    default:
      if (!queue_.one_at_a_time()) {
        ProcessBatch(batch, initial);
        break;
      }
      for (const Delta& delta : batch) ProcessBatch({delta}, initial);  // CTL-03
      break;
  }
}

// Old objects are looked up before, the store is written, then handlers are told: during a callback
// the store may already hold later items of the batch (CTL-06).
void Controller::ProcessBatch(const std::vector<Delta>& batch, bool initial) {
  std::vector<Indexer::Write> writes;
  writes.reserve(batch.size());
  for (const Delta& delta : batch) {
    writes.push_back({.kind = delta.type == DeltaType::kDeleted ? Indexer::Write::Kind::kDelete
                                                                : Indexer::Write::Kind::kSet,
                      .object = delta.object,
                      .final_state_unknown = delta.final_state_unknown});
  }
  const std::vector<ObjectRef> before = store_.Transaction(writes);
  for (size_t i = 0; i < batch.size(); ++i) {
    const Delta& delta = batch[i];
    if (delta.type == DeltaType::kDeleted) {
      Gone(delta.object, delta.final_state_unknown);
    } else {
      Changed(before[i], delta.object, initial);
    }
  }
}

void Controller::ProcessSyncAll() {
  for (const ObjectRef& object : store_.List()) Changed(object, object, /*initial=*/false);
}

// The store is replaced first, so that handlers that read it see the final state throughout; then
// deletions, then the rest in list order (CTL-05).
void Controller::ProcessReplacedAll(const Delta& delta, bool initial) {
  const std::vector<ObjectRef>& all = *delta.all;
  Indexer::Replaced was = store_.Replace(all, delta.resource_version);
  if (bugs_.lose_tombstones) was.gone.clear();
  for (const ObjectRef& object : was.gone) Gone(object, /*final_state_unknown=*/true);
  for (size_t i = 0; i < all.size(); ++i) Changed(was.before[i], all[i], initial);
}

void Controller::Changed(const ObjectRef& old_object, const ObjectRef& object, bool initial) {
  Notification notification;
  notification.object = object;
  if (!old_object) {
    notification.initial = initial;
    sink_.OnNotification(std::move(notification), /*sync=*/false);
    return;
  }
  notification.type = Notification::Type::kModified;
  notification.old_object = old_object;
  const bool sync = old_object->resource_version() == object->resource_version();
  sink_.OnNotification(std::move(notification), sync);
}

void Controller::Gone(const ObjectRef& object, bool final_state_unknown) {
  Notification notification;
  notification.type = Notification::Type::kDeleted;
  notification.object = object;
  notification.final_state_unknown = final_state_unknown;
  sink_.OnNotification(std::move(notification), /*sync=*/false);
}

}  // namespace relist
