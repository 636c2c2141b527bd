// W6, W10, W20: who is told that a version is gone, or yet to come, and how.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/wire/status.h"
#include "scenarios/checkers/wire_checkers.h"
#include "scenarios/checkers/wire_words.h"

namespace relist {
namespace {

// What a server may take before it is said to hang: over HTTP, where its clock runs up to 60 times
// as fast, a second of a busy machine.
constexpr Duration kPatience = Seconds(60);
constexpr int kGoneCode = 410;
constexpr int kTooLargeCode = 504;

// From where a watch may start, by what is known: surely from `high` on, surely not from below
// `low`. The oldest event in the window, less one; or, if none was evicted, where it began.
struct WindowFloor {
  uint64_t low = 0, high = 0;
};

WindowFloor FloorOf(const WireView& wire, const WireRequest& stream) {
  WindowFloor floor{stream.watch_floor,
                    std::max({stream.watch_floor, stream.watch_floor_max, wire.first_revision})};
  if (!wire.has_truth()) return {floor.low, UINT64_MAX};
  const size_t window = wire.knobs().watch_window;
  const std::vector<uint64_t>& all = wire.truth().VersionsOf(stream.ask.scope.resource);
  const auto begin = std::upper_bound(all.begin(), all.end(), stream.watch_floor);
  const auto end = std::upper_bound(begin, all.end(), stream.newest_then);
  const auto held = static_cast<std::ptrdiff_t>(std::max<size_t>(window, 1));
  if (end - begin <= held) return floor;
  const uint64_t oldest = *(end - held) - 1;
  floor.high = std::max(floor.high, oldest);
  if (window > 0 && !wire.lag_possible) floor.low = std::max(floor.low, oldest);
  return floor;
}

// The server's own first line, if it is an ERROR of that code.
const WireLine* FirstError(const WireRequest& stream, int code) {
  if (stream.lines.empty() || stream.faults.error) return nullptr;
  const WireLine& first = stream.lines.front();
  return first.type == EventType::kError && first.code == code ? &first : nullptr;
}

class ExpiredJudge {
 public:
  ExpiredJudge(const WireView& wire, const WireRequest& stream, std::vector<Violation>* out)
      : wire_(wire), stream_(stream), out_(out) {}

  void Run() {
    const bool answered = stream_.state == WireRequest::State::kAnswered;
    if (answered && stream_.status == kGoneCode && !stream_.faults.answer)
      return Tell("an expired watch is told in its stream", "was answered 410",
                  stream_.answer_entry);
    if (!stream_.opened()) return;
    CheckLast();
    if (told_) return;
    if (const WireLine* gone = FirstError(stream_, kGoneCode)) return CheckForm(*gone);
    CheckServed();
  }

 private:
  void CheckLast() {
    for (size_t i = 0; i + 1 < stream_.lines.size(); ++i) {
      if (stream_.lines[i].type != EventType::kError) continue;
      return Tell("an ERROR is the last line of a stream",
                  "was sent " + TextOf(stream_.lines[i + 1]) + " after one",
                  stream_.lines[i + 1].entry);
    }
    if (stream_.lines.empty() || stream_.faults.any) return;
    const WireLine& last = stream_.lines.back();
    const bool is_open = stream_.end == WireRequest::End::kNone;
    if (last.type == EventType::kError && is_open && wire_.end - last.when > kPatience)
      Tell("an ERROR ends its stream", "is still open after one", last.entry);
  }

  void CheckForm(const WireLine& line) {
    if (stream_.ask.WantsInitial())
      return Tell("who asks for initial events is never told that a version expired", "was",
                  line.entry);
    const std::optional<Status> status = StatusIn(line.object);
    if (!line.object) return;
    if (!status || status->code != kGoneCode || status->reason != "Expired" ||
        status->status != "Failure")
      Tell("an expired watch is told by a Status with code 410 and reason Expired",
           "was told otherwise", line.entry);
  }

  // From below the window nothing but that ERROR comes; a stream that says nothing and ends may be
  // a healthy server's (W19).
  void CheckServed() {
    if (!stream_.ask.StartsExactly()) return;
    const uint64_t floor = FloorOf(wire_, stream_).low;
    if (*stream_.ask.rv >= floor || stream_.faults.error) return;
    const bool waits = stream_.lines.empty() && stream_.end == WireRequest::End::kNone &&
                       !stream_.faults.any && wire_.end - stream_.answered > kPatience;
    if (stream_.lines.empty() && !waits) return;
    Tell("a watch from below the window expires",
         fmt::format("started at {}, the window at {}, and {}", *stream_.ask.rv, floor,
                     waits ? "it waits" : "was sent " + TextOf(stream_.lines.front())),
         waits ? nullptr : stream_.lines.front().entry);
  }

  void Tell(std::string_view promise, const std::string& what, const HistoryEntry* line) {
    told_ = true;
    out_->push_back(WireBroken("W10", fmt::format("{}, but {} {}", promise, TextOf(stream_), what),
                               {stream_.request_entry, line}));
  }

  const WireView& wire_;
  const WireRequest& stream_;
  std::vector<Violation>* out_;
  bool told_ = false;
};

// Up to where a stream tells everything: its last event or bookmark.
uint64_t ReachOf(const WireRequest& stream) {
  uint64_t reach = 0;
  for (const WireLine& line : stream.lines) reach = std::max(reach, line.rv);
  return reach;
}

// Where nobody knows the truth: what one stream told between two versions another one of the same
// scope tells, too.
void CompareStreams(const WireRequest& a, const WireRequest& b, std::vector<Violation>* out) {
  const uint64_t reach = ReachOf(b);
  for (const WireLine& line : a.lines) {
    if (!line.is_event() || line.rv <= *a.ask.rv || line.rv <= *b.ask.rv || line.rv > reach)
      continue;
    const auto same = std::find_if(b.lines.begin(), b.lines.end(), [&](const WireLine& other) {
      return other.is_event() && other.rv == line.rv && other.key == line.key &&
             other.type == line.type && (!line.body || !other.body || *line.body == *other.body);
    });
    if (same != b.lines.end()) continue;
    out->push_back(
        WireBroken("W6",
                   fmt::format("a watch goes on where another one was, but {} was sent {} and {}, "
                               "from {} to {}, was not",
                               TextOf(a), TextOf(line), TextOf(b), *b.ask.rv, reach),
                   {line.entry, b.request_entry}));
    return;
  }
}

void CompareAll(const WireView& wire, std::vector<Violation>* out) {
  std::map<ScopeSpec, std::vector<const WireRequest*>> by_scope;
  for (const WireRequest& stream : wire.requests) {
    if (stream.opened() && stream.ask.StartsExactly() && ReachOf(stream) > 0)
      by_scope[stream.ask.scope].push_back(&stream);
  }
  for (const auto& [scope, streams] : by_scope) {
    for (const WireRequest* a : streams) {
      for (const WireRequest* b : streams) {
        if (a != b) CompareStreams(*a, *b, out);
      }
    }
  }
}

class TooLargeJudge {
 public:
  TooLargeJudge(const WireView& wire, const WireRequest& stream, std::vector<Violation>* out)
      : wire_(wire), stream_(stream), out_(out) {}

  void Run() {
    const WireLine* error = FirstError(stream_, kTooLargeCode);
    if (!error) return CheckHang();
    if (!stream_.ask.WantsInitial())
      return Tell("a watch from a version that is yet to come is silent", "was told so",
                  error->entry);
    CheckForm(*error);
    if (told_) return;
    // Without resourceVersion it is the newest that was asked for, which a replica may not have.
    const uint64_t wanted =
        stream_.ask.rv_text.empty() ? stream_.newest_before : stream_.ask.rv.value_or(0);
    const uint64_t reached = wire_.ShownBefore(stream_, error->order);
    if (wanted <= (wire_.lag_possible ? reached : stream_.newest_then))
      return Tell("only what is yet to come is too large",
                  fmt::format("asked for {}, which was there", wanted), error->entry);
    const bool early = error->when + kSlack < stream_.received + wire_.knobs().fresh_wait;
    if (early && !stream_.faults.any)
      Tell("what is yet to come is waited for", "was told too soon that its version is too large",
           error->entry);
  }

 private:
  static constexpr Duration kSlack = Millis(100);

  void CheckForm(const WireLine& error) {
    const std::optional<Status> status = StatusIn(error.object);
    if (!error.object) return;
    const bool has_cause = status && status->details &&
                           std::any_of(status->details->causes.begin(),
                                       status->details->causes.end(), [](const StatusCause& cause) {
                                         return cause.reason == "ResourceVersionTooLarge";
                                       });
    if (has_cause && status->code == kTooLargeCode && status->reason == "Timeout" &&
        status->details->retry_after_seconds > 0)
      return;
    Tell("a version that is too large is told by reason Timeout, a cause and retryAfterSeconds",
         "was told otherwise", error.entry);
  }

  void CheckHang() {
    const Duration wait = wire_.knobs().fresh_wait;
    const bool is_silent = stream_.lines.empty() && stream_.end == WireRequest::End::kNone;
    if (!stream_.ask.WantsInitial() || !is_silent || stream_.faults.any || wait == Duration::zero())
      return;
    const uint64_t wanted = stream_.ask.rv.value_or(0);
    if (wanted <= stream_.newest_then || wire_.end - stream_.received < wait + kPatience) return;
    Tell("what is yet to come is waited for no longer than it should",
         fmt::format("asked for {} and hangs", wanted), nullptr);
  }

  void Tell(std::string_view promise, const std::string& what, const HistoryEntry* line) {
    told_ = true;
    out_->push_back(WireBroken("W20", fmt::format("{}, but {} {}", promise, TextOf(stream_), what),
                               {stream_.request_entry, line}));
  }

  const WireView& wire_;
  const WireRequest& stream_;
  std::vector<Violation>* out_;
  bool told_ = false;
};

}  // namespace

std::vector<Violation> CheckResumable(const WireView& wire) {
  std::vector<Violation> out;
  if (!wire.has_truth()) {
    CompareAll(wire, &out);
    return out;
  }
  for (const WireRequest& stream : wire.requests) {
    if (!stream.opened() || !stream.ask.StartsExactly() || !FirstError(stream, kGoneCode)) continue;
    const uint64_t floor = FloorOf(wire, stream).high;
    if (*stream.ask.rv < floor) continue;
    out.push_back(WireBroken(
        "W6",
        fmt::format("a watch from within the window is served, but {} started at {}, the window at "
                    "{} or before, and was told that it expired",
                    TextOf(stream), *stream.ask.rv, floor),
        {stream.request_entry, stream.lines.front().entry}));
  }
  return out;
}

std::vector<Violation> CheckExpired(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& stream : wire.requests) {
    if (stream.Is(WireAsk::Kind::kWatch)) ExpiredJudge(wire, stream, &out).Run();
  }
  return out;
}

std::vector<Violation> CheckTooLarge(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& stream : wire.requests) {
    if (stream.opened()) TooLargeJudge(wire, stream, &out).Run();
  }
  return out;
}

}  // namespace relist
