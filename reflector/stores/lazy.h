// A value that is worked out when somebody asks, and again only after something changed
// (client-go's synctrack.Lazy; catalogue AUX-08).
//
//   Lazy<Table> table([&store]() -> Result<Table> { return Build(store.List()); });
//   table.Notify();                     // from handlers: what there was is no longer true
//   Result<Table> now = table.Get();    // builds it, once for all who ask
//
// What was asked for after a Notify is never older than that Notify, even where an older evaluation
// ends later. Errors are not kept: the next Get tries again. Any thread; Get blocks while another
// thread evaluates, and evaluations that began before and after a Notify may overlap.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/result.h"
#include "reflector/parity_switch.h"

namespace relist {

template <class T>
class Lazy {
 public:
  explicit Lazy(std::function<Result<T>()> evaluate) : evaluate_(std::move(evaluate)) {}

  void Notify() {
    auto next = std::make_shared<Round>();
    const std::lock_guard lock(mutex_);
    if (Behaves("AUX-08")) round_ = std::move(next);
  }

  Result<T> Get() {
    const std::shared_ptr<Round> round = Current();
    const std::lock_guard lock(round->mutex);
    if (round->value) return *round->value;
    Result<T> value = evaluate_();
    if (value.ok()) round->value = *value;
    return value;
  }

 private:
  // From one Notify to the next.
  struct Round {
    std::mutex mutex;  // held while the value is worked out
    std::optional<T> value;
  };

  std::shared_ptr<Round> Current() {
    const std::lock_guard lock(mutex_);
    return round_;
  }

  const std::function<Result<T>()> evaluate_;
  std::mutex mutex_;  // for round_, and never held for long
  std::shared_ptr<Round> round_ = std::make_shared<Round>();
};

}  // namespace relist
