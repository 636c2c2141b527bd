// Lists and watches one collection through a RestClient: what a reflector is given in both worlds.
//
//   RestListerWatcher lister(rest, {"", "v1", "configmaps", "ConfigMap"}, "default", {}, recorder);
//
// The queries are those of client-go's dynamic client, or with
// RestClientOptions::timeout_parameter those of its typed ones (NET-01). Belongs to the loop's
// thread.
#pragma once

#include <memory>
#include <string>

#include "core/wire/resource.h"
#include "reflector/lister_watcher.h"
#include "reflector/rest/rest_client.h"

namespace relist {

class RestListerWatcher : public ListerWatcher {
 public:
  struct Selectors {
    std::string label, field;
  };
  // `rest` must outlive it. An empty ns: all namespaces. `recorder` may be null.
  RestListerWatcher(RestClient& rest, Resource resource, std::string ns, Selectors selectors,
                    std::shared_ptr<Recorder> recorder);

  Task<Result<ListPage>> List(ListOptions options, Signal& stop) override;
  Task<Result<std::unique_ptr<WatchStream>>> Watch(ListOptions options, Signal& stop) override;

 private:
  std::string Target(ListOptions options) const;
  bool HasTimeoutParameter(const ListOptions& options) const;
  RestClient& rest_;
  Resource resource_;
  std::string ns_;
  Selectors selectors_;
  std::shared_ptr<Recorder> recorder_;
};

}  // namespace relist
