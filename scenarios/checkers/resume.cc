// C8: a watch starts where the client honestly is.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/wire/resource_version.h"
#include "scenarios/checkers/checkers.h"

namespace relist {
namespace {

// Every version that some server's answer or line offered as a position.
std::unordered_set<std::string_view> Offered(const HistoryView& view) {
  std::unordered_set<std::string_view> offered;
  for (const auto& [id, request] : view.server_requests()) {
    if (request.answer) offered.insert(request.answer->Get("rv"));
    for (const HistoryEntry* event : request.events) offered.insert(event->Get("rv"));
  }
  return offered;
}

class ResumeChecker {
 public:
  ResumeChecker(const HistoryView& view, const ClientView& client, std::vector<Violation>* out)
      : view_(view), client_(client), out_(*out) {
    for (const auto& [handler, callbacks] : client.callbacks) {
      for (const ClientCallback& callback : callbacks) shown_.emplace(callback.rv, &callback);
    }
  }

  void All(const std::unordered_set<std::string_view>& offered) {
    size_t next_callback = 0;
    std::vector<const ClientCallback*> in_order;
    for (const auto& [handler, callbacks] : client_.callbacks) {
      for (const ClientCallback& callback : callbacks) in_order.push_back(&callback);
    }
    std::sort(in_order.begin(), in_order.end(),
              [](const auto* a, const auto* b) { return a->index < b->index; });
    const ClientCallback* newest = nullptr;
    for (const ClientRequest& request : client_.requests) {
      for (; next_callback < in_order.size() && in_order[next_callback]->index < request.index;
           ++next_callback) {
        const ClientCallback* callback = in_order[next_callback];
        if (!newest || callback->rv > newest->rv) newest = callback;
      }
      if (request.list || request.streaming_list) {
        newest = nullptr;  // a list may answer with an older state (W15), and what it gives is the
                           // position
        continue;
      }
      const std::optional<uint64_t> rv = ParseResourceVersion(request.rv);
      if (!request.watch || !rv || *rv == 0) continue;
      if (newest && *rv < newest->rv) {
        Add(fmt::format("{} starts a watch at {} after it showed version {}", client_.name, *rv,
                        newest->rv),
            {newest->entry, request.entry});
      }
      if (view_.has_server() && !offered.contains(request.rv)) {
        Add(fmt::format("{} starts a watch at {}, which no list, event or bookmark gave it",
                        client_.name, *rv),
            {request.entry});
      }
      CheckTakenIn(request, *rv);
    }
  }

 private:
  // The event whose version this is was shown, or is part of what a list gave.
  void CheckTakenIn(const ClientRequest& request, uint64_t rv) {
    if (!view_.EndedWith(client_) || client_.callbacks.empty()) return;
    const TruthCommit* commit = view_.CommitAt(rv);
    if (!commit || shown_.contains(rv)) return;
    for (const ClientList& list : client_.lists) {
      if (list.index < request.index && list.rv >= rv) return;
    }
    for (const auto& event : view_.EventsOf(client_)) {
      if (event.commit != commit) continue;
      Add(fmt::format("{} starts a watch at {}, but no handler was ever shown that event",
                      client_.name, rv),
          {commit->entry, request.entry});
    }
  }

  void Add(const std::string& sentence, std::vector<const HistoryEntry*> lines) {
    out_.push_back(
        {Violation::Kind::kSafety, "C8",
         "a watch starts at the last event, bookmark or list that was taken in wholly, but " +
             sentence,
         std::move(lines), ""});
  }

  const HistoryView& view_;
  const ClientView& client_;
  std::vector<Violation>& out_;
  std::unordered_map<uint64_t, const ClientCallback*> shown_;
};

}  // namespace

std::vector<Violation> CheckResume(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  const std::unordered_set<std::string_view> offered = Offered(view);
  for (const ClientView& client : view.clients()) ResumeChecker(view, client, &out).All(offered);
  return out;
}

}  // namespace relist
