// Lists a collection page by page (client-go's tools/pager; catalogue PGR-01 to PGR-05).
//
//   Pager pager(lister, 500);
//   Task<Result<PagedList>> pages = pager.List({.resource_version = "0"}, stop);
//   Result<PagedList> all = co_await pages;
//
//   Task<Result<void>> each = pager.EachListItem({}, Print, stop);   // never all in memory
//
// Belongs to the loop's thread. Where `stop` ends it, the error's transport is kStopped.
#pragma once

#include <functional>

#include "reflector/lister_watcher.h"

namespace relist {

struct PagedList {
  ListPage list;           // all items; resourceVersion of the first page
  bool paginated = false;  // a second page was asked for, even if it then expired (PGR-04)
};

struct PagerOptions {
  int64_t page_size = 500;  // 0: no limit
  // List only: where a later page expired, all once more, whole (PGR-03).
  bool full_list_if_expired = true;
  // EachListItem only: pages that may wait while others are looked at; 0: the next one is asked for
  // and kept in hand.
  int64_t page_buffer = 10;
  // EachListItem only. Better than client-go, which sends resourceVersion with every page, so that
  // the server refuses the second one (400): only the first page has it. Off: faithful.
  bool each_clears_version = false;
};

class Pager {
 public:
  // `lister` must outlive the pager.
  Pager(ListerWatcher& lister, PagerOptions options) : lister_(lister), options_(options) {}
  Pager(ListerWatcher& lister, int64_t page_size) : lister_(lister) {
    options_.page_size = page_size;
  }

  // An expired page makes it list once more, whole, at the first resourceVersion (PGR-03). `this`
  // and `stop` must outlive the task.
  Task<Result<PagedList>> List(ListOptions options, Signal& stop);

  // Calls `each` for every item, in order, while the next pages are fetched. The first error of
  // `each` ends it and is returned; otherwise that of a page, after the items before it. There is
  // no second try where a page expired. `stop` is looked at before each page (PGR-05).
  using EachItem = std::function<Result<void>(const ObjectRef&)>;
  Task<Result<void>> EachListItem(ListOptions options, EachItem each, Signal& stop);
  // The same for an `each` that waits. It must not be a lambda that is a coroutine: let it call
  // one.
  using EachItemTask = std::function<Task<Result<void>>(ObjectRef)>;
  Task<Result<void>> EachListItem(ListOptions options, EachItemTask each, Signal& stop);

 private:
  struct Pages;
  Task<void> FetchPages(ListOptions options, Pages& pages, Signal& stop);

  ListerWatcher& lister_;
  PagerOptions options_;
};

}  // namespace relist
