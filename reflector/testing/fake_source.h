// Where an informer of a test gets its objects from: a list and its changes in memory, no server
// (client-go's FakeControllerSource; catalogue AUX-07).
//
//   FakeSource source;
//   source.Add({.name = "a"});                    // version 1
//   source.Modify({.name = "a", .labels = {{"app", "web"}}});
//   SharedInformer informer(loop, source, options);
//   source.ModifyDropWatch({.name = "a"});        // watchers are not told
//   source.ResetWatch();                          // watches end, and old versions are gone: 410
//
// One counter gives all versions, and every change takes one. No streaming lists. Belongs to the
// loop's thread.
#pragma once

#include <fmt/core.h>

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/wire/label_selector.h"
#include "reflector/lister_watcher.h"

namespace relist::testing {

// What an object of a FakeSource is made of.
struct FakeItem {
  std::string name;
  std::string ns = "default";
  StringMap labels;
  std::string fields;  // more top-level fields: R"("spec":{"nodeName":"n"})"
};

inline ObjectRef MakeObject(const FakeItem& item, const std::string& version) {
  std::string labels;
  for (const auto& [key, value] : item.labels) {
    labels += fmt::format(R"({}"{}":"{}")", labels.empty() ? "" : ",", key, value);
  }
  const std::string bytes = fmt::format(
      R"({{"metadata":{{"name":"{0}","namespace":"{1}","uid":"uid-{0}","resourceVersion":"{2}","labels":{{{3}}}}}{4}{5}}})",
      item.name, item.ns, version, labels, item.fields.empty() ? "" : ",", item.fields);
  return *Object::Parse(bytes);
}

class FakeSource : public ListerWatcher {
 public:
  void Add(const FakeItem& item) { Change(EventType::kAdded, item, true); }
  void Modify(const FakeItem& item) { Change(EventType::kModified, item, true); }
  void Delete(const FakeItem& item) { Change(EventType::kDeleted, item, true); }
  void AddDropWatch(const FakeItem& item) { Change(EventType::kAdded, item, false); }
  void ModifyDropWatch(const FakeItem& item) { Change(EventType::kModified, item, false); }
  void DeleteDropWatch(const FakeItem& item) { Change(EventType::kDeleted, item, false); }

  // As a connection that broke, and a server that has forgotten what was.
  void ResetWatch() {
    for (const auto& channel : watchers_) channel->Close();
    watchers_.clear();
    changes_.clear();
  }
  int version() const { return version_; }
  size_t watchers() const { return watchers_.size(); }
  std::optional<Error> list_error;  // what lists are answered with
  std::vector<ListOptions> asked;   // of lists and watches, in order

  Task<Result<ListPage>> List(ListOptions options, Signal&) override {
    asked.push_back(options);
    if (list_error) co_return *list_error;
    ListPage page;
    page.kind = "List";
    page.resource_version = std::to_string(version_);
    for (const auto& [key, object] : objects_) page.items.push_back(object);
    co_return page;
  }

  Task<Result<std::unique_ptr<WatchStream>>> Watch(ListOptions options, Signal&) override {
    asked.push_back(options);
    co_return WatchFrom(options.resource_version);
  }
  bool SupportsStreamingList() const override { return false; }

  // The same as Watch, at once.
  Result<std::unique_ptr<WatchStream>> WatchFrom(const std::string& text) {
    int version = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (error != std::errc() || end != text.data() + text.size()) {
      return Error::Net(Transport::kOther, "\"" + text + "\" is no version");
    }
    if (version > version_) {
      return Error::Net(Transport::kOther, "a version of the future");
    }
    auto channel = std::make_shared<Channel<WatchEvent>>();
    if (version < version_) {
      const int oldest = changes_.empty() ? version_ : version_ - int(changes_.size()) + 1;
      if (changes_.empty() || version < oldest) {
        return Error::Api(410, "Expired",
                          fmt::format("too old resource version: {} ({})", version, oldest));
      }
      for (size_t i = size_t(version - oldest) + 1; i < changes_.size(); ++i) {
        channel->Push(changes_[i]);
      }
    }
    watchers_.push_back(channel);
    return std::unique_ptr<WatchStream>(std::make_unique<Stream>(channel));
  }

 private:
  class Stream : public WatchStream {
   public:
    explicit Stream(std::shared_ptr<Channel<WatchEvent>> channel) : channel_(std::move(channel)) {}
    std::optional<WatchEvent> TryNext() override { return channel_->TryPop(); }
    bool ended() const override { return channel_->closed() && channel_->size() == 0; }
    Source& source() override { return *channel_; }
    void Stop() override { channel_->Close(); }

   private:
    std::shared_ptr<Channel<WatchEvent>> channel_;
  };

  void Change(EventType type, const FakeItem& item, bool tell) {
    ObjectRef object = MakeObject(item, std::to_string(++version_));
    changes_.push_back({type, object});
    if (type == EventType::kDeleted) {
      objects_.erase(object->key());
    } else {
      objects_[object->key()] = object;
    }
    if (!tell) return;
    // An event is parsed by each client for itself.
    for (const auto& channel : watchers_) {
      channel->Push({type, MakeObject(item, std::to_string(version_))});
    }
  }

  std::map<ObjectKey, ObjectRef> objects_;
  std::vector<WatchEvent> changes_;  // the last ones, one for each version
  std::vector<std::shared_ptr<Channel<WatchEvent>>> watchers_;
  int version_ = 0;
};

}  // namespace relist::testing
