// C7: between two lists, callbacks are the events.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/received.h"

namespace relist {
namespace {

using Type = ClientCallback::Type;

// Callbacks of events carry a version that no other callback of the handler has: relists repeat
// versions (told apart by an unchanged version) and tombstones carry old ones.
using ByVersion = std::unordered_map<uint64_t, const ClientCallback*>;

bool FromEvent(const ClientCallback& callback) {
  return !callback.same_version && !callback.tombstone;
}

class StreamsOfClient {
 public:
  StreamsOfClient(const HistoryView& view, const ClientView& client, std::vector<Violation>* out)
      : view_(view), client_(client), out_(*out) {}

  void Check(const std::string& handler, const std::vector<ClientCallback>& callbacks) {
    ByVersion shown;
    uint64_t last = 0;
    for (const ClientCallback& callback : callbacks) {
      if (!FromEvent(callback)) continue;
      last = std::max(last, callback.rv);
      const auto [earlier, fresh] = shown.emplace(callback.rv, &callback);
      if (!fresh) {
        Add(fmt::format("an event is told once, but \"{}\" was told of version {} twice", handler,
                        callback.rv),
            {earlier->second->entry, callback.entry});
      }
      CheckReceived(handler, callback);
    }
    for (const ClientList& list : client_.lists) {
      // What comes later was dropped when the client was stopped.
      if (list.rv > 0) CheckOneStream(list, handler, shown, client_.stopped ? last : UINT64_MAX);
    }
  }

 private:
  // What is newer than every list can only have come through a stream.
  void CheckReceived(const std::string& handler, const ClientCallback& callback) {
    if (client_.lists.empty() || client_.unlisted_start || callback.rv <= NewestList()) return;
    if (!view_.CommitAt(callback.rv) || Received().MayHave(callback.rv)) return;
    Add(fmt::format("between two lists what is told are the events that came, but \"{}\" was told "
                    "of {} at {}, which nothing brought",
                    handler, callback.key, callback.rv),
        {view_.CommitAt(callback.rv)->entry, callback.entry});
  }

  void CheckOneStream(const ClientList& list, const std::string& handler, const ByVersion& shown,
                      uint64_t up_to) {
    const ScopedTruth& truth = view_.truth().Of(client_.scope());
    const ClientCallback* before = nullptr;
    for (size_t i = truth.After(list.rv); i < truth.events().size(); ++i) {
      const ScopedEvent& event = truth.events()[i];
      const TruthCommit& commit = *event.commit;
      if (commit.rv > std::min(list.reached, up_to)) break;
      const auto found = shown.find(commit.rv);
      const bool is_delete = event.type == EventType::kDeleted;
      if (found == shown.end() || found->second->key != commit.key ||
          (found->second->type == Type::kDeleted) != is_delete) {
        if (!Received().MayHave(commit.rv)) continue;  // the server's doing
        Add(fmt::format("between two lists every event is told, but the position went to {} and "
                        "\"{}\" was never told of {} {} at {}",
                        list.reached, handler, Name(event.type), commit.key, commit.rv),
            {commit.entry, list.relist});
        continue;
      }
      if (before && before->index > found->second->index) {
        Add(fmt::format(
                "between two lists events are told in their order, but \"{}\" was told of {} "
                "before {}",
                handler, found->second->rv, before->rv),
            {found->second->entry, before->entry});
      }
      before = found->second;
    }
  }

  uint64_t NewestList() {
    if (!newest_list_) {
      newest_list_ = 0;
      for (const ClientList& list : client_.lists) newest_list_ = std::max(*newest_list_, list.rv);
    }
    return *newest_list_;
  }
  const ReceivedVersions& Received() {
    if (!received_) received_ = ReceivedBy(view_, client_);
    return *received_;
  }
  void Add(std::string sentence, std::vector<const HistoryEntry*> lines) {
    out_.push_back({Violation::Kind::kSafety, "C7", std::move(sentence), std::move(lines), ""});
  }

  const HistoryView& view_;
  const ClientView& client_;
  std::vector<Violation>& out_;
  std::optional<ReceivedVersions> received_;  // when first needed
  std::optional<uint64_t> newest_list_;
};

}  // namespace

std::vector<Violation> CheckStreams(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  if (view.commits().empty()) return out;
  for (const ClientView& client : view.clients()) {
    if (client.lists.empty()) continue;
    StreamsOfClient streams(view, client, &out);
    for (const auto& [handler, callbacks] : client.callbacks) streams.Check(handler, callbacks);
  }
  return out;
}

}  // namespace relist
