// The conditions of a namespace on its way out: what was deleted, and what is still in the way.
//
//   NamespaceConditions found;
//   found.AddRemaining(configmaps, 2);
//   found.AddFinalizer("example.com/hold", 2);
//   if (found.Apply(&value["status"], now)) ...   // something changed: write the status
//
// Types, reasons, texts and their order are the real namespace controller's. Values.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/time.h"
#include "fakeapi/api/resources.h"

namespace relist::fakeapi {

class NamespaceConditions {
 public:
  // Deleting some kind failed.
  void AddError(const std::string& message) { errors_.push_back(message); }
  void AddRemaining(const ResourceType& resource, size_t objects);
  void AddFinalizer(const std::string& finalizer, size_t objects) {
    finalizers_[finalizer] += objects;
  }

  // All five, into `status`: what was not found to be wrong is good. False: they are as they were.
  bool Apply(nlohmann::ordered_json* status, TimePoint now) const;

 private:
  std::vector<std::string> errors_;
  std::vector<std::string> remaining_;
  std::map<std::string, size_t> finalizers_;
};

}  // namespace relist::fakeapi
