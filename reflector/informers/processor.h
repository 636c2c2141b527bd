// Hands notifications to listeners (client-go's sharedProcessor; catalogue LSN-02, LSN-03, INF-06).
// Belongs to the loop's thread.
#pragma once

#include <memory>
#include <vector>

#include "reflector/informers/processor_listener.h"

namespace relist {

class Processor {
 public:
  // A null scope: started later, by StartAll.
  void Add(std::shared_ptr<Listener> listener, TaskScope* scope);
  void StartAll(TaskScope& scope);
  // False if it is not (or no longer) one of ours. It may still be finishing: see retired().
  bool Remove(const std::shared_ptr<Listener>& listener);
  // Whether it is one of ours, or was.
  bool IsOurs(const std::shared_ptr<Listener>& listener) const;
  // To every listener; "sync" notifications only to those that are marked as syncing (LSN-03).
  void Distribute(Notification notification, bool sync);
  void Flush();
  void UpstreamSynced();
  void StopAll();
  // Decides who takes part in a resync now; false if nobody does (INF-06).
  bool ShouldResync(TimePoint now);
  void ResyncPeriodChanged(Duration check_period, TimePoint now);
  const std::vector<std::shared_ptr<Listener>>& listeners() const { return listeners_; }
  const std::vector<std::shared_ptr<Listener>>& retired() const { return retired_; }

 private:
  std::vector<std::shared_ptr<Listener>> listeners_;
  std::vector<std::shared_ptr<Listener>> retired_;
  bool stopped_ = false;
};

}  // namespace relist
