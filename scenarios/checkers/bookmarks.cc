// C10: a bookmark moves the position and is no object.
#include <fmt/core.h>

#include "core/wire/resource_version.h"
#include "scenarios/checkers/checkers.h"

namespace relist {
namespace {

// The last bookmark of a watch that surely reached the client: the stream ended as it should, and
// no fault struck it.
const HistoryEntry* SureBookmark(const ClientRequest& request) {
  const ServerRequest* server = request.server;
  if (!request.watch || !server || server->unsure || !server->end || server->events.empty())
    return nullptr;
  if (server->end->Get("how") != "last chunk") return nullptr;
  const HistoryEntry* last = server->events.back();
  return last->Get("type") == "BOOKMARK" && last->Get("end") != "true" ? last : nullptr;
}

void CheckShown(const ClientView& client, std::vector<Violation>* out) {
  for (const auto& [handler, callbacks] : client.callbacks) {
    for (const ClientCallback& callback : callbacks) {
      const bool nameless = callback.key.empty() || callback.key.ends_with('/');
      if (!nameless && (!callback.uid.empty() || client.joined))
        continue;  // not all logs have uids
      out->push_back(
          {Violation::Kind::kSafety,
           "C10",
           fmt::format("a bookmark is never shown, but \"{}\" was shown an object without {}",
                       handler, nameless ? "a name" : "a uid"),
           {callback.entry},
           ""});
    }
  }
  for (const HistoryEntry* line : client.store) {
    const bool has_uid = !line->Get("uid").empty() || client.joined;
    if (!line->Get("key").empty() && has_uid) continue;
    out->push_back(
        {Violation::Kind::kSafety,
         "C10",
         fmt::format("a bookmark changes no object, but {}'s store holds one without a name",
                     client.name),
         {line},
         ""});
  }
}

void CheckMoved(const ClientView& client, std::vector<Violation>* out) {
  const HistoryEntry* bookmark = nullptr;
  for (const ClientRequest& request : client.requests) {
    if (request.list || request.streaming_list) {
      bookmark = nullptr;
    } else if (bookmark) {
      const std::optional<int> order = CompareResourceVersions(bookmark->Get("rv"), request.rv);
      if (order && *order > 0) {
        out->push_back(
            {Violation::Kind::kSafety,
             "C10",
             fmt::format(
                 "a bookmark moves the position, but {} resumes at {} after the bookmark at {}",
                 client.name, request.rv, bookmark->Get("rv")),
             {bookmark, request.entry},
             ""});
      }
    }
    const HistoryEntry* sure = SureBookmark(request);
    bookmark = sure ? sure : bookmark;
  }
}

}  // namespace

std::vector<Violation> CheckBookmarks(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    CheckShown(client, &out);
    CheckMoved(client, &out);
  }
  return out;
}

}  // namespace relist
