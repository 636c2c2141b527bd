#include "scenarios/checkers/received.h"

#include <algorithm>

#include "core/wire/resource_version.h"

namespace relist {

ReceivedVersions ReceivedBy(const HistoryView& view, const ClientView& client) {
  ReceivedVersions received;
  for (const ClientList& list : client.lists)
    received.newest_list_ = std::max(received.newest_list_, list.rv);
  for (const uint64_t id : view.server_request_order()) {
    const ServerRequest& request = view.server_requests().at(id);
    const std::string& agent = request.request->Get("agent");
    // Where the agent is not told it may be anybody's, and a log's client may go by another name.
    if (!agent.empty() && agent != client.name && !client.joined) continue;
    for (const HistoryEntry* event : request.events) {
      const std::string& type = event->Get("type");
      if (type == "ADDED" || type == "MODIFIED" || type == "DELETED")
        received.sent_.insert(ParseResourceVersion(event->Get("rv")).value_or(0));
    }
    for (const HistoryEntry* event : request.kept)
      received.kept_.insert(ParseResourceVersion(event->Get("rv")).value_or(0));
  }
  return received;
}

}  // namespace relist
