// C1: the store is the truth, soon after the last fault.
#include <fmt/core.h>

#include <optional>

#include "core/wire/resource_version.h"
#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/dumped_store.h"
#include "scenarios/checkers/expiry_loop.h"
#include "scenarios/checkers/recovery.h"

namespace relist {
namespace {

Violation Diverged(std::string sentence, std::vector<const HistoryEntry*> lines) {
  return {Violation::Kind::kLiveness, "C1",
          "after the calm a client's store is the server's state, but " + std::move(sentence),
          std::move(lines), ""};
}

void CompareStores(const HistoryView& view, const ClientView& client, std::vector<Violation>* out) {
  HistoryView::State state = view.StateAt(client, UINT64_MAX);
  for (const HistoryEntry* line : client.store) {
    const std::string_view key = line->Get("key");
    const auto found = state.find(key);
    if (found == state.end()) {
      out->push_back(Diverged(fmt::format("{} holds {}, which is gone", client.name, key), {line}));
      continue;
    }
    const TruthCommit& truth = *found->second;
    if (ParseResourceVersion(line->Get("rv")) != truth.rv || line->Get("uid") != truth.uid) {
      out->push_back(Diverged(fmt::format("{} holds {} at {}, which is at {}", client.name, key,
                                          line->Get("rv"), truth.rv),
                              {truth.entry, line}));
    } else if (!SameBody(line->object(), truth.entry->object())) {
      out->push_back(
          Diverged(fmt::format("{} holds {} at {} with another body", client.name, key, truth.rv),
                   {truth.entry, line}));
    }
    state.erase(found);
  }
  for (const auto& [key, commit] : state) {
    out->push_back(Diverged(fmt::format("{} lacks {}", client.name, key), {commit->entry}));
  }
}

// The last store that a program printed: what was written so long before it, where nothing kept it
// from the client, had to be there.
void CompareDump(const HistoryView& view, const ClientView& client, const CheckOptions& options,
                 std::vector<Violation>* out) {
  const HistoryEntry* dump = LastStoreOf(client);
  if (!dump) return;
  const auto& events = view.EventsOf(client);
  const TimePoint then = dump->when();
  const bool disturbed = !WhyNothingIsDue(view, *dump, options).empty();
  uint64_t due = 0;
  for (const auto& event : events) {
    const HistoryEntry* commit = event.commit->entry;
    if (!disturbed && commit && commit->when() <= then - view.InRealTime(options.told_within))
      due = event.commit->rv;
  }
  for (StaleItem& stale : StaleItemsOf(view, client, dump, due)) {
    const bool safety = stale.never_was;
    out->push_back(
        {safety ? Violation::Kind::kSafety : Violation::Kind::kLiveness, "C1",
         fmt::format(
             "where nothing goes wrong a client's store has soon what was written, but {} {}",
             client.name, stale.sentence),
         std::move(stale.lines), ""});
  }
}

// The tail of a log: what came through a stream long before its end, and was not told.
void CheckTail(const HistoryView& view, const ClientView& client, Duration within,
               std::vector<Violation>* out) {
  const uint64_t told = view.HeardUpTo(client);
  if (told == 0 || client.unlisted_start) return;
  for (const ClientRequest& request : client.requests) {
    const ServerRequest* server = request.server;
    if (!request.watch || !server || !server->end || server->unsure) continue;
    for (const HistoryEntry* event : server->events) {
      const uint64_t rv = ParseResourceVersion(event->Get("rv")).value_or(0);
      const std::string& type = event->Get("type");
      if (rv <= told || (type != "ADDED" && type != "MODIFIED" && type != "DELETED")) continue;
      if (server->end->when() - event->when() < view.InRealTime(within)) continue;
      out->push_back(
          {Violation::Kind::kLiveness,
           "C1",
           fmt::format("what comes to a client is told soon, but {} never told of {} {} at {}",
                       client.name, type, event->Get("key"), rv),
           {event, server->end},
           ""});
      return;
    }
  }
}

// What a bookmark told must have come through where no object can: a watch that hangs shows.
void CompareMarks(const HistoryView& view, const ClientView& client, std::vector<Violation>* out) {
  for (const HistoryEntry* mark : view.marks()) {
    if (mark->Get("client") != client.name) continue;
    const std::optional<uint64_t> wanted = ParseResourceVersion(mark->Get("rv"));
    if (!wanted || client.position >= *wanted) continue;
    out->push_back(Diverged(
        fmt::format("{} is at {} and never heard of {}", client.name, client.position, *wanted),
        {mark}));
  }
}

void CountRequests(const HistoryView& view, const ClientView& client, int most,
                   std::vector<Violation>* out) {
  if (!view.last_fault()) return;
  int needed = 0;
  const HistoryEntry* last = nullptr;
  for (const ClientRequest& request : client.requests) {
    if (request.entry->when() <= view.last_fault()->when()) continue;
    if (view.converged() && request.entry->when() >= view.converged()->when()) continue;
    ++needed;
    last = request.entry;
  }
  if (needed <= most) return;
  out->push_back(
      {Violation::Kind::kLiveness,
       "C1",
       fmt::format("a client is back within {} requests after the last fault, but {} made {}", most,
                   client.name, needed),
       {view.last_fault(), last},
       ""});
}

}  // namespace

std::vector<Violation> CheckConvergence(const HistoryView& view, const CheckOptions& options) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    if (client.requests.empty()) continue;
    if (client.joined) {
      CompareDump(view, client, options, &out);
      CheckTail(view, client, options.told_within, &out);
      continue;
    }
    std::vector<Violation> stores, requests;
    if (view.EndedWith(client) && client.store_shown && view.has_server())
      CompareStores(view, client, &stores);
    if (view.EndedWith(client)) CompareMarks(view, client, &stores);
    CountRequests(view, client, options.within_requests, &requests);
    if (stores.empty() && requests.empty()) continue;
    const std::optional<ExpiryLoop> loop = FindExpiryLoop(client);
    for (std::vector<Violation>* found : {&stores, &requests}) {
      for (Violation& violation : *found) {
        if (loop && (loop->ongoing || found == &requests)) violation.excuse = kFaithfulExpiryLoop;
        out.push_back(std::move(violation));
      }
    }
  }
  return out;
}

}  // namespace relist
