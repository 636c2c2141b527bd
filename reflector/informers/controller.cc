#include "reflector/informers/controller.h"

#include <algorithm>
#include <utility>

#include "reflector/parity_switch.h"

namespace relist {

Controller::Controller(Loop& loop, DeltaQueue& queue, Indexer& store, Sink& sink, PlantedBugs bugs,
                       std::function<bool(const Object&)> readable)
    : loop_(loop),
      queue_(queue),
      store_(store),
      sink_(sink),
      bugs_(bugs),
      readable_(std::move(readable)) {}

Task<void> Controller::ProcessLoop(Signal& stop) {
  while (!stop.Ready() || (!Behaves("CTL-02") && queue_.size() > 0)) {
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
      if (Behaves("CTL-04")) ProcessSyncAll();
      break;
    case DeltaType::kBookmark:
      if (Behaves("CTL-07")) store_.Bookmark(first.resource_version);
      break;
    default:
      if (!queue_.one_at_a_time() && Behaves("CTL-06")) {
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
  if (!std::all_of(batch.begin(), batch.end(), [this](const Delta& d) { return IsReadable(d); })) {
    const std::vector<Delta> readable = Readable(batch);
    if (!readable.empty()) ProcessBatch(readable, initial);
    return;
  }
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
    const size_t at = Behaves("CTL-10") ? i : batch.size() - 1 - i;
    const Delta& delta = batch[at];
    if (delta.type == DeltaType::kDeleted) {
      if (before[at] || Behaves("CTL-03b")) Gone(delta.object, delta.final_state_unknown);
    } else {
      Changed(before[at], delta.object, initial);
    }
  }
}

bool Controller::IsReadable(const Delta& delta) const {
  return !readable_ || readable_(*delta.object);
}

// Keys are unique within a batch, so the store says what was there before.
std::vector<Delta> Controller::Readable(const std::vector<Delta>& batch) const {
  std::vector<Delta> out;
  for (const Delta& delta : batch) {
    if (IsReadable(delta)) {
      out.push_back(delta);
    } else if (delta.type == DeltaType::kDeleted) {
      Delta gone = delta;
      gone.object = store_.Get(delta.object->key());
      gone.final_state_unknown = true;
      if (gone.object) out.push_back(std::move(gone));
    }
  }
  return out;
}

void Controller::ProcessSyncAll() {
  for (const ObjectRef& object : store_.List()) Changed(object, object, /*initial=*/false);
}

// The store is replaced first, so that handlers that read it see the final state throughout; then
// deletions, then the rest in list order (CTL-05).
void Controller::ProcessReplacedAll(const Delta& delta, bool initial) {
  const auto readable = [this](const ObjectRef& object) {
    return !readable_ || readable_(*object);
  };
  std::vector<ObjectRef> kept;
  const bool all_readable = std::all_of(delta.all->begin(), delta.all->end(), readable);
  if (!all_readable) {
    for (const ObjectRef& object : *delta.all) {
      ObjectRef last = readable(object) ? object : store_.Get(object->key());
      if (last) kept.push_back(std::move(last));
    }
  }
  const std::vector<ObjectRef>& all = all_readable ? *delta.all : kept;
  Indexer::Replaced was = store_.Replace(all, delta.resource_version);
  if (bugs_.lose_tombstones || !Behaves("INF-10")) was.gone.clear();
  const auto tell_gone = [&] {
    for (const ObjectRef& object : was.gone) Gone(object, /*final_state_unknown=*/true);
  };
  if (Behaves("CTL-05")) tell_gone();
  for (size_t i = 0; i < all.size(); ++i) Changed(was.before[i], all[i], initial);
  if (!Behaves("CTL-05")) tell_gone();
}

void Controller::Changed(const ObjectRef& old_object, const ObjectRef& object, bool initial) {
  Notification notification;
  notification.object = object;
  if (!old_object || !Behaves("CTL-03")) {
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
