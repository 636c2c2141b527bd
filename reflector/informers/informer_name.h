// Names under which the informers of a process are known, each once (catalogue INF-16).
//
//   InformerNames names;                                    // one for the process
//   Result<std::shared_ptr<InformerName>> name = names.Reserve("my-controller");
//   InformerIdentity pods = (*name)->WithResource(pod_resource, log);
//   pods.Reserved();                                        // true: it may publish figures under
//   it
//
// client-go keeps the list of names in a global of its own, for its metrics; here whoever starts a
// process has one, and hands it around. Any thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/wire/resource.h"
#include "reflector/log.h"

namespace relist {

// One collection's informer under a name; what it may be told apart by.
class InformerIdentity {
 public:
  InformerIdentity() = default;
  InformerIdentity(std::string name, Resource resource, std::shared_ptr<std::atomic<bool>> reserved)
      : name_(std::move(name)), resource_(std::move(resource)), reserved_(std::move(reserved)) {}

  const std::string& name() const { return name_; }
  const Resource& resource() const { return resource_; }
  // True until the name is released, for the first that asked for this resource under it.
  bool Reserved() const { return reserved_ && reserved_->load(); }

 private:
  std::string name_;
  Resource resource_;
  std::shared_ptr<std::atomic<bool>> reserved_;  // null: never
};

class InformerNames;

class InformerName {
 public:
  ~InformerName() { Release(); }
  const std::string& name() const { return name_; }
  // Not reserved where the name was released, or has this resource already: a line in `log` (may be
  // null) then.
  InformerIdentity WithResource(const Resource& resource, const std::shared_ptr<Log>& log);
  // Idempotent. The name may be reserved again; identities under it are reserved no longer.
  void Release();

 private:
  friend class InformerNames;
  struct Taken;
  InformerName(std::string name, std::shared_ptr<Taken> taken)
      : name_(std::move(name)), taken_(std::move(taken)) {}

  const std::string name_;
  const std::shared_ptr<Taken> taken_;
  std::mutex mutex_;
  bool released_ = false;
  std::vector<std::pair<Resource, std::shared_ptr<std::atomic<bool>>>> resources_;
};

class InformerNames {
 public:
  InformerNames();
  // An Error where `name` is empty, or is somebody's already. Names may outlive the list.
  Result<std::shared_ptr<InformerName>> Reserve(const std::string& name);

 private:
  std::shared_ptr<InformerName::Taken> taken_;
};

}  // namespace relist
