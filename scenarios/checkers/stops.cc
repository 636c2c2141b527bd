// C19: who is told to stop stops.
#include <fmt/core.h>

#include "scenarios/checkers/checkers.h"

namespace relist {
namespace {

class StopChecker {
 public:
  StopChecker(const HistoryView& view, const ClientView& client, const CheckOptions& options,
              std::vector<Violation>* out)
      : view_(view),
        client_(client),
        within_(client.joined ? view.InRealTime(options.told_within) : options.told_within),
        out_(*out) {}

  void All() {
    for (const HistoryEntry* line : client_.lines) {
      if (line->what() == "stop" && !stop_) stop_ = line;
      if (line->what() == "stopped" && !stopped_) Stopped(line);
      if (line->what() == "callback" && (stopped_ || IsLate(*line))) {
        Add(Violation::Kind::kSafety,
            fmt::format("{} was told \"{}\" of {}", client_.name, line->Get("type"),
                        line->Get("key")),
            {stopped_ ? stopped_ : stop_, line});
        return;
      }
    }
    if (!stop_ && !stopped_) return;
    for (const ClientRequest& request : client_.requests) Connection(request);
  }

 private:
  // The first thing that was said of an end; of a time after that nothing more may come.
  TimePoint Limit() const { return (stop_ ? stop_ : stopped_)->when() + within_; }
  bool IsLate(const HistoryEntry& line) const { return stop_ && line.when() > Limit(); }

  void Stopped(const HistoryEntry* line) {
    stopped_ = line;
    if (IsLate(*line))
      Add(Violation::Kind::kLiveness, fmt::format("{} took longer to stop", client_.name),
          {stop_, line});
    const std::string& left = line->Get("left");
    if (!left.empty() && left != "0")
      Add(Violation::Kind::kSafety, fmt::format("{} left {} of its own behind", client_.name, left),
          {stop_, line});
  }

  // Seen by the server, which no client can hide; but it may read a request long after it was made.
  void Connection(const ClientRequest& request) {
    const ServerRequest* server = request.server;
    if (!server) return;
    if ((client_.joined ? server->request : request.entry)->when() > Limit()) {
      Add(Violation::Kind::kSafety, fmt::format("{} asked once more", client_.name),
          {stop_ ? stop_ : stopped_, request.entry});
    }
    // The server of a stalled connection cannot see that it is gone.
    if (!server->open || server->faults.slow) return;
    const TimePoint closed = server->end ? server->end->when() : view_.end();
    if (closed <= Limit()) return;
    Add(Violation::Kind::kLiveness, fmt::format("{} kept a watch open", client_.name),
        {stop_ ? stop_ : stopped_, request.entry, server->end});
  }

  void Add(Violation::Kind kind, const std::string& sentence,
           std::vector<const HistoryEntry*> lines) {
    out_.push_back(
        {kind, "C19",
         fmt::format("who was told to stop is still within {} s, and leaves nothing, but {}",
                     FormatSeconds(within_), sentence),
         std::move(lines), ""});
  }

  const HistoryView& view_;
  const ClientView& client_;
  const Duration within_;
  std::vector<Violation>& out_;
  const HistoryEntry *stop_ = nullptr, *stopped_ = nullptr;
};

}  // namespace

std::vector<Violation> CheckStops(const HistoryView& view, const CheckOptions& options) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) StopChecker(view, client, options, &out).All();
  return out;
}

}  // namespace relist
