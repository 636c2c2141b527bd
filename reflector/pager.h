// Lists a collection page by page (client-go's tools/pager; catalogue PGR-01 to PGR-04).
//
//   Pager pager(lister, 500);
//   Task<Result<PagedList>> pages = pager.List({.resource_version = "0"}, stop);
//   Result<PagedList> all = co_await pages;
#pragma once

#include "reflector/lister_watcher.h"

namespace relist {

struct PagedList {
  ListPage list;           // all items; resourceVersion of the first page
  bool paginated = false;  // a second page was asked for, even if it then expired (PGR-04)
};

class Pager {
 public:
  // `page_size` 0: no limit. `lister` must outlive the pager.
  Pager(ListerWatcher& lister, int64_t page_size) : lister_(lister), page_size_(page_size) {}

  // An expired page makes it list once more, whole, at the first resourceVersion (PGR-03). `this`
  // and `stop` must outlive the task.
  Task<Result<PagedList>> List(ListOptions options, Signal& stop);

 private:
  ListerWatcher& lister_;
  int64_t page_size_;
};

}  // namespace relist
