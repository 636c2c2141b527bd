#include "reflector/informers/informer_name.h"

#include <fmt/core.h>

#include "core/wire/quote.h"
#include "reflector/parity_switch.h"

namespace relist {

struct InformerName::Taken {
  std::mutex mutex;
  std::set<std::string> names;
};

InformerNames::InformerNames() : taken_(std::make_shared<InformerName::Taken>()) {}

Result<std::shared_ptr<InformerName>> InformerNames::Reserve(const std::string& name) {
  if (name.empty()) {
    return Error::Net(Transport::kOther, "informer name cannot be empty");
  }
  const std::lock_guard lock(taken_->mutex);
  if (!taken_->names.insert(name).second && Behaves("INF-16")) {
    return Error::Net(Transport::kOther, fmt::format("informer name {} is already registered",
                                                     QuoteText(name, HexCase::kLower)));
  }
  return std::shared_ptr<InformerName>(new InformerName(name, taken_));
}

InformerIdentity InformerName::WithResource(const Resource& resource,
                                            const std::shared_ptr<Log>& log) {
  const std::lock_guard lock(mutex_);
  if (released_) return {name_, resource, nullptr};
  for (const auto& [other, reserved] : resources_) {
    if (other != resource) continue;
    Say(log, LogLevel::kError,
        fmt::format("duplicate informer registration: {} {}", name_, resource.GroupResource()));
    return {name_, resource, nullptr};
  }
  const auto& [mine, reserved] =
      resources_.emplace_back(resource, std::make_shared<std::atomic<bool>>(true));
  return {name_, mine, reserved};
}

void InformerName::Release() {
  {
    const std::lock_guard lock(mutex_);
    if (released_ || !Behaves("INF-16b")) return;
    released_ = true;
    for (const auto& [resource, reserved] : resources_) reserved->store(false);
    resources_.clear();
  }
  const std::lock_guard lock(taken_->mutex);
  taken_->names.erase(name_);
}

}  // namespace relist
