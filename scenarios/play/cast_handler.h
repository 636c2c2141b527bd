// A handler that does what a scenario says: it keeps what it was told, throws in some of its calls,
// and tells whoever waits for it.
//
//   CastHandler handler(scenario.clients[0].handlers[0], [](MomentSpec::As as, const ObjectKey&
//   key)
//                       { ... });
//   informer.AddEventHandler(handler, {...});
//   handler.Is(truth);       // what it built up is exactly this
//   handler.failures();      // how often it threw
//
// Called by one thread at a time, the loop's or its own; asked by any.
#pragma once

#include <functional>
#include <mutex>

#include "reflector/informers/resource_event_handler.h"
#include "scenarios/play/stage.h"
#include "scenarios/script/client_spec.h"
#include "scenarios/script/step_spec.h"

namespace relist {

class CastHandler : public ResourceEventHandler {
 public:
  // Hears of each call at its begin, on the handler's thread.
  using Teller = std::function<void(MomentSpec::As as, const ObjectKey& key)>;

  // `spec` must outlive it; `teller` may be empty.
  CastHandler(const HandlerSpec& spec, Teller teller);

  void OnAdd(const ObjectRef& object, bool is_in_initial_list) override;
  void OnUpdate(const ObjectRef& old_object, const ObjectRef& object) override;
  void OnDelete(const Deleted& deleted) override;

  bool Is(const KeyVersions& truth) const;
  int calls() const;
  int failures() const;
  // It threw at an initial object, and so never counts as synced (LSN-06).
  bool never_syncs() const;

 private:
  void Told(MomentSpec::As as, const ObjectKey& key, const std::string& version, bool initial);

  const HandlerSpec& spec_;
  const Teller teller_;
  mutable std::mutex mutex_;
  KeyVersions seen_;
  int calls_ = 0, failures_ = 0;
  bool never_syncs_ = false;
};

}  // namespace relist
