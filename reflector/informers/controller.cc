#include "reflector/informers/controller.h"

#include <algorithm>
#include <numeric>

namespace relist {

Controller::Controller(Loop& loop, RealFifo& fifo, Indexer& store, Sink& sink, PlantedBugs bugs)
    : loop_(loop), fifo_(fifo), store_(store), sink_(sink), bugs_(bugs) {}

Task<void> Controller::ProcessLoop(Signal& stop) {
  while (!stop.Ready()) {
    std::vector<Delta> batch = fifo_.PopBatch();
    if (batch.empty()) {
      Select which(loop_, stop, fifo_.source());
      co_await which;
      continue;
    }
    Process(batch);
    fifo_.Done(batch);
    sink_.OnBatchDone();
  }
}

void Controller::Process(const std::vector<Delta>& batch) {
  const bool initial = !fifo_.HasSynced();  // RFF-09
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
      ProcessBatch(batch, initial);
      break;
  }
}

// Old objects are looked up before, the store is written, then handlers are told: during a callback
// the store may already hold later items of the batch (CTL-06).
void Controller::ProcessBatch(const std::vector<Delta>& batch, bool initial) {
  std::vector<ObjectRef> before;
  if (batch.size() == 1) {
    const Delta& only = batch.front();
    if (only.type == DeltaType::kDeleted) {
      store_.Delete(only.object->key(), only.object->resource_version());
    } else {
      before.push_back(store_.Set(only.object));
    }
  } else {
    std::vector<Indexer::Write> writes;
    writes.reserve(batch.size());
    for (const Delta& delta : batch) {
      writes.push_back({delta.type == DeltaType::kDeleted ? Indexer::Write::Kind::kDelete
                                                          : Indexer::Write::Kind::kSet,
                        delta.object});
    }
    before = store_.Transaction(writes);
  }
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
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto by_key = [&all](size_t a, size_t b) {
    const auto order_of_keys = all[a]->key() <=> all[b]->key();
    return order_of_keys != 0 ? order_of_keys < 0 : a < b;
  };
  if (!std::is_sorted(order.begin(), order.end(), by_key)) {
    std::sort(order.begin(), order.end(), by_key);
  }
  std::vector<ObjectRef> before(all.size());
  std::vector<ObjectRef> deletions;
  size_t next = 0;
  for (ObjectRef& old_object : store_.List()) {
    while (next < order.size() && all[order[next]]->key() < old_object->key()) ++next;
    if (next < order.size() && all[order[next]]->key() == old_object->key()) {
      before[order[next]] = std::move(old_object);
    } else {
      deletions.push_back(std::move(old_object));
    }
  }
  store_.Replace(all, delta.resource_version);
  if (bugs_.lose_tombstones) deletions.clear();
  for (const ObjectRef& object : deletions) Gone(object, /*final_state_unknown=*/true);
  for (size_t i = 0; i < all.size(); ++i) Changed(before[i], all[i], initial);
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
