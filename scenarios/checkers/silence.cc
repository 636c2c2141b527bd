// C17: nobody dies without a word.
#include <fmt/core.h>

#include <algorithm>

#include "core/wire/resource_version.h"
#include "scenarios/checkers/patience.h"

namespace relist {
namespace {

// The longest wait between two requests: a back-off of 30 s, jittered, and as much again.
constexpr Duration kLongestSilence = Seconds(120);

bool SaidSo(const ClientView& client) {
  return std::any_of(client.lines.begin(), client.lines.end(), [](const HistoryEntry* line) {
    return line->what() == "error" && line->Get("terminal") == "true";
  });
}

// The line by which a request was over for the client; null where it is not, or left by itself.
const HistoryEntry* OverBy(const ClientRequest& request) {
  const ServerRequest* server = request.server;
  if (server && server->end) return server->end->Get("how") == "client" ? nullptr : server->end;
  if (server && server->open) return nullptr;
  return request.answer ? request.answer : server ? server->answer : nullptr;
}

Duration AskedToWait(const ClientRequest& request) {
  constexpr uint64_t kSecondsMax = 1u << 30;
  if (!request.server || !request.server->answer) return {};
  const auto seconds = ParseResourceVersion(request.server->answer->Get("retry_after"));
  return Seconds(static_cast<int64_t>(std::min(seconds.value_or(0), kSecondsMax)));
}

// Until when the client is known to have been there: of a program, as long as it said something.
TimePoint AliveUntil(const HistoryView& view, const ClientView& client) {
  if (!client.joined) return view.ended() ? view.end() : TimePoint();
  TimePoint last;
  for (const HistoryEntry* line : client.lines) {
    const std::string& what = line->what();
    if (what == "callback" || what == "dump" || what == "error" || what == "synced")
      last = std::max(last, line->when());
  }
  return last;
}

}  // namespace

std::vector<Violation> CheckSilence(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  if (view.converged()) return out;  // all of them live
  for (const ClientView& client : view.clients()) {
    if (client.requests.empty() || SaidSo(client)) continue;
    const ClientRequest& last = client.requests.back();
    const HistoryEntry* over = OverBy(last);
    if (!over) continue;
    const Duration silence = kLongestSilence + AskedToWait(last);
    const Duration most = client.joined ? view.InRealTime(silence) : silence;
    if (std::min(AliveUntil(view, client), StoppedAt(client)) - over->when() <= most) continue;
    out.push_back({Violation::Kind::kLiveness,
                   "C17",
                   fmt::format("a client goes on or says that it cannot, but {} asked for nothing "
                               "more after its request {}, and said nothing",
                               client.name, last.entry->Get("n")),
                   {last.entry, over},
                   ""});
  }
  return out;
}

}  // namespace relist
