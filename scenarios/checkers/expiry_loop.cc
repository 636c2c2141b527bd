#include "scenarios/checkers/expiry_loop.h"

namespace relist {
namespace {

constexpr int kRoundsOfALoop = 5;

// The version that a list gave; "" where it is not told.
std::string_view VersionOf(const ClientRequest& list) {
  if (list.list) return list.answer ? std::string_view(list.answer->Get("rv")) : "";
  if (!list.server) return "";
  for (const HistoryEntry* event : list.server->events) {
    if (event->Get("end") == "true") return event->Get("rv");
  }
  return "";
}

}  // namespace

const HistoryEntry* ExpiredBy(const ClientRequest& request) {
  if (request.answer && request.answer->Get("status") == "410") return request.answer;
  // What the server queued may never have arrived where a fault holds bytes back.
  if (!request.server || request.server->unsure) return nullptr;
  for (const HistoryEntry* event : request.server->events) {
    if (event->Get("type") == "ERROR" && event->Get("code") == "410") return event;
  }
  return nullptr;
}

bool IsGoodList(const ClientRequest& request) {
  const bool good = request.answer && request.answer->Get("status") == "200";
  if (request.list || !request.server) return good;
  for (const HistoryEntry* event : request.server->events) {
    if (event->Get("end") == "true") return true;
  }
  return false;
}

std::optional<ExpiryLoop> FindExpiryLoop(const ClientView& client) {
  ExpiryLoop now, longest;
  bool led_back = false;
  for (const ClientRequest& request : client.requests) {
    if (request.list || request.streaming_list) {
      led_back |= IsGoodList(request) && VersionOf(request) == now.version;
      continue;
    }
    if (!request.watch) continue;
    const HistoryEntry* expired = ExpiredBy(request);
    const bool again = led_back && request.rv == now.version;
    led_back = false;
    if (!again) now = {request.rv, 0, nullptr, false};
    now.ongoing = true;
    if (expired) {
      ++now.rounds;
      now.last = expired;
    }
    longest.ongoing = false;
    if (now.rounds >= longest.rounds) longest = now;
  }
  if (longest.rounds < kRoundsOfALoop) return std::nullopt;
  return longest;
}

}  // namespace relist
