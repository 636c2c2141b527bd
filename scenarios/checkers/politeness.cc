// C15: nobody asks sooner, or more often, than is good.
#include <fmt/core.h>

#include <array>
#include <deque>
#include <map>
#include <utility>

#include "core/wire/resource_version.h"
#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/expiry_loop.h"

namespace relist {
namespace {

// Written down by another clock's turn, at up to 60 seconds a second.
constexpr Duration kEarlyMax = Millis(500);
// client-go's REST layer waits as it is told so often, and then its back-off alone counts.
constexpr int kRetriesOfClientGo = 10;
// Over sooner, a request has brought nothing.
constexpr Duration kMoment = Seconds(1);
constexpr Duration kMinute = Seconds(60);

std::string KindOf(std::string_view target) {
  const std::string_view watch = QueryValue(target, "watch");
  std::string kind(target.substr(0, target.find('?')));
  if (watch != "true" && watch != "1") return kind;
  return kind + (QueryValue(target, "sendInitialEvents") == "true" ? " streaming" : " watch");
}

// What a server told a client to wait, and what that did.
class RetryAfterChecker {
 public:
  RetryAfterChecker(const ClientView& client, std::vector<Violation>* out)
      : client_(client), out_(*out) {}

  void See(const ServerRequest& server) {
    Told& told = told_[KindOf(server.request->Get("target"))];
    if (told.answer && server.request->when() >= told.answer->when()) {
      const Duration waited = server.request->when() - told.answer->when();
      if (waited < told.wait - kEarlyMax) {
        out_.push_back(
            {Violation::Kind::kSafety,
             "C15",
             fmt::format("who is told to wait waits, but {} asked again after {} s instead of {}",
                         client_.name, FormatSeconds(waited), FormatSeconds(told.wait)),
             {told.answer, server.request},
             told.times > kRetriesOfClientGo ? "faithful: NET-03" : ""});
      }
    }
    told.answer = nullptr;
    const HistoryEntry* answer = server.unsure ? nullptr : server.answer;
    const std::string status = answer ? answer->Get("status") : "";
    const auto seconds = ParseResourceVersion(answer ? answer->Get("retry_after") : "");
    if ((status != "429" && status != "503") || !seconds || *seconds > kSecondsMax) {
      told.times = 0;
      return;
    }
    told.answer = answer;
    told.wait = Seconds(static_cast<int64_t>(*seconds));
    ++told.times;
  }

 private:
  static constexpr uint64_t kSecondsMax = 86400;
  struct Told {
    const HistoryEntry* answer = nullptr;
    Duration wait{};
    int times = 0;  // in a row
  };
  const ClientView& client_;
  std::vector<Violation>& out_;
  std::map<std::string, Told> told_;
};

// Why a request brought nothing, by what client-go does then.
enum class Fruitless { kNo, kFailed, kReopened, kUnfinished, kExpired };
constexpr std::array<const char*, 5> kExcuses = {"", "", "faithful: WCH-05", "faithful: WLM-08",
                                                 "faithful: WLM-09"};

Fruitless WhyFruitless(const ClientRequest& request) {
  const HistoryEntry* answer = request.answer;
  const bool refused = answer && (!answer->Get("error").empty() || answer->Get("status") >= "400");
  if (!request.watch) return refused ? Fruitless::kFailed : Fruitless::kNo;
  if (request.streaming_list && ExpiredBy(request)) return Fruitless::kExpired;
  if (refused) return Fruitless::kFailed;
  const ServerRequest* server = request.server;
  if (!server || !server->open || !server->end) return Fruitless::kNo;
  if (server->end->when() - server->open->when() >= kMoment) return Fruitless::kNo;
  for (const HistoryEntry* event : server->events) {
    if (event->Get("type") == "ERROR") return Fruitless::kFailed;
  }
  if (request.streaming_list && !IsGoodList(request)) return Fruitless::kUnfinished;
  return server->events.empty() ? Fruitless::kFailed : Fruitless::kReopened;
}

void CheckBudget(const HistoryView& view, const ClientView& client, int most,
                 std::vector<Violation>* out) {
  std::array<std::deque<const HistoryEntry*>, kExcuses.size()> recent;
  std::array<bool, kExcuses.size()> told{};
  const Duration minute = client.joined ? view.InRealTime(kMinute) : kMinute;
  for (const ClientRequest& request : client.requests) {
    const auto why = static_cast<size_t>(WhyFruitless(request));
    if (why == 0 || told[why]) continue;
    std::deque<const HistoryEntry*>& before = recent[why];
    before.push_back(request.entry);
    while (request.entry->when() - before.front()->when() > minute) before.pop_front();
    if (before.size() <= static_cast<size_t>(most)) continue;
    told[why] = true;
    out->push_back(
        {Violation::Kind::kSafety,
         "C15",
         fmt::format("who gets nowhere asks less and less often, at most {} times in a minute, but "
                     "{} did {} times in {} s",
                     most, client.name, before.size(),
                     FormatSeconds(request.entry->when() - before.front()->when())),
         {before.front(), before[1], request.entry},
         kExcuses[why]});
  }
}

// From when to when this one of its name lived, and not another.
std::pair<TimePoint, TimePoint> SpanOf(const HistoryView& view, const ClientView& client) {
  TimePoint begin = TimePoint::min();
  bool found = false, has_earlier = false;
  for (const ClientView& other : view.clients()) {
    if (other.name != client.name) continue;
    if (found) return {begin, other.lines.front()->when()};
    found = &other == &client;
    if (found && has_earlier) begin = client.lines.front()->when();
    has_earlier = true;
  }
  return {begin, TimePoint::max()};
}

}  // namespace

std::vector<Violation> CheckPoliteness(const HistoryView& view, const CheckOptions& options) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    CheckBudget(view, client, options.fruitless_per_minute, &out);
    RetryAfterChecker retries(client, &out);
    if (client.joined) {
      for (const ClientRequest& request : client.requests) {
        if (request.server) retries.See(*request.server);
      }
      continue;
    }
    // Each attempt, also those that the client's own lines take for one.
    const auto [begin, end] = SpanOf(view, client);
    for (const uint64_t id : view.server_request_order()) {
      const ServerRequest& server = view.server_requests().at(id);
      const TimePoint when = server.request->when();
      if (server.request->Get("agent") == client.name && begin <= when && when < end)
        retries.See(server);
    }
  }
  return out;
}

}  // namespace relist
