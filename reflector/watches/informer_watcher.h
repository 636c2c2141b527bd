// An informer that looks like a watch: client-go's NewIndexerInformerWatcher (catalogue UNT-02).
//
//   InformerWatcher watch(loop, lister, {.choices = &choices});
//   while (auto event = watch.TryNext()) Use(*event);     // as any WatchStream, but it never
//   expires
//
// What existed comes as ADDED, then changes; a deletion that was missed comes as DELETED with the
// last state that was seen, which nothing tells from a final one. Events wait without a bound; no
// resync, no bookmarks, no errors: it lists again by itself. Belongs to the loop's thread; `lister`
// outlives it.
#pragma once

#include <deque>
#include <optional>

#include "core/runtime/loop.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/lister_watcher.h"

namespace relist {

class InformerWatcher : public WatchStream, private ResourceEventHandler {
 public:
  InformerWatcher(Loop& loop, ListerWatcher& lister, ReflectorOptions reflector);

  std::optional<WatchEvent> TryNext() override;
  // True after Stop only.
  bool ended() const override { return stopped_; }
  Source& source() override { return ready_; }
  // At once; what was not taken is dropped. The informer ends a little later: see done().
  void Stop() override;

  // Set when the initial list is in indexer().
  Signal& synced() { return informer_.synced(); }
  const Indexer& indexer() const { return informer_.indexer(); }
  // Set when the informer has ended.
  Signal& done() { return done_; }

 private:
  class Readiness : public Source {
   public:
    explicit Readiness(const InformerWatcher& watcher) : watcher_(watcher) {}
    bool Ready() const override { return watcher_.stopped_ || !watcher_.events_.empty(); }
    void Raise() { Notify(); }

   private:
    const InformerWatcher& watcher_;
  };

  void OnAdd(const ObjectRef& object, bool is_in_initial_list) override;
  void OnUpdate(const ObjectRef& old_object, const ObjectRef& new_object) override;
  void OnDelete(const Deleted& deleted) override;
  void Push(EventType type, const ObjectRef& object);
  Task<void> Run();

  std::deque<WatchEvent> events_;
  bool stopped_ = false;
  Readiness ready_;
  SharedInformer informer_;
  Signal stop_, done_;
  TaskScope scope_;
};

}  // namespace relist
