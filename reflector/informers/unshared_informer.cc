#include "reflector/informers/unshared_informer.h"

#include "reflector/parity_switch.h"

namespace relist {
namespace {

InformerOptions ForOneHandler(InformerOptions options) {
  options.reflector.resync_period = options.resync_check_period;
  return options;
}

void Tell(ResourceEventHandler& handler, const Notification& notification) {
  const ObjectRef& object = notification.object;
  switch (notification.type) {
    case Notification::Type::kAdded:
      handler.OnAdd(object, notification.initial);
      break;
    case Notification::Type::kModified:
      handler.OnUpdate(notification.old_object, object);
      break;
    case Notification::Type::kDeleted:
      handler.OnDelete({object->key(), object, notification.final_state_unknown});
      break;
  }
}

}  // namespace

UnsharedInformer::UnsharedInformer(Loop& loop, ListerWatcher& lister, ResourceEventHandler& handler,
                                   const InformerOptions& options)
    : loop_(loop),
      handler_(handler),
      recorder_(options.reflector.recorder),
      engine_(loop, lister, store_, *this, ForOneHandler(options)) {
  AddIndexers(options.indexers, store_);
}

Task<void> UnsharedInformer::Run(Signal& stop) {
  CHECK(!started_, "an unshared informer runs once");
  started_ = true;
  Task<void> running = engine_.Run(stop);
  co_await running;
}

void UnsharedInformer::OnNotification(Notification notification, bool) {
  if (recorder_) recorder_->Callback("handler", notification);
  if (Behaves("CTL-08")) {
    Tell(handler_, notification);
  } else {
    loop_.PostFromThread([this, notification] { Tell(handler_, notification); });
  }
}

void UnsharedInformer::OnBatchDone() {
  if (announced_ || !HasSynced()) return;
  announced_ = true;
  if (recorder_) recorder_->Synced("");
}

}  // namespace relist
