#include "fakeapi/controllers/controllers.h"

#include <algorithm>

namespace relist::fakeapi {

Controllers::Controllers(Store& store, Choices& choices, ControllerSet which) {
  if (which.namespaces) namespaces_.emplace(store, choices);
  if (which.garbage) garbage_.emplace(store, choices);
}

void Controllers::OnCommit(const Commit& commit, TimePoint now) {
  if (namespaces_) namespaces_->OnCommit(commit, now);
  if (garbage_) garbage_->OnCommit(commit, now);
}

TimePoint Controllers::NextDeadline() const {
  TimePoint next = kNever;
  if (namespaces_) next = std::min(next, namespaces_->NextDue());
  if (garbage_) next = std::min(next, garbage_->NextDue());
  return next;
}

void Controllers::Run(TimePoint now) {
  if (namespaces_) namespaces_->Run(now);
  if (garbage_) garbage_->Run(now);
}

void Controllers::Forget() {
  if (namespaces_) namespaces_->Forget();
  if (garbage_) garbage_->Forget();
}

}  // namespace relist::fakeapi
