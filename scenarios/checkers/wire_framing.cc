// W11, W16, W17, W19: how a stream is put on the wire, and ends.
#include <algorithm>
#include <string_view>

#include "core/wire/resource_version.h"
#include "scenarios/checkers/wire_checkers.h"
#include "scenarios/checkers/wire_words.h"

namespace relist {
namespace {

// What a server may be late by with an end: over HTTP its clock runs up to 60 times as fast, and
// this is a second of a busy machine. A line, which it makes at that very moment, may not.
constexpr Duration kLateBy = Seconds(60);
constexpr Duration kLineLateBy = Seconds(1);
// The real server gives a request that is no watch so long; a watch opens within the wait for what
// is newer than the world.
constexpr Duration kRequestTime = Seconds(60);
constexpr int kBusy = 429;

// When a stream has to be over; kNever where that is not known.
TimePoint DeadlineOfStream(const WireView& wire, const WireRequest& stream) {
  const int64_t seconds = stream.ask.timeout_seconds.value_or(0);
  constexpr int64_t kTooLong = int64_t{1}
                               << 31;  // beyond any history, and short enough to be added
  if (seconds > kTooLong) return kNever;
  if (seconds != 0) return stream.answered + Seconds(std::max<int64_t>(seconds, 0));
  const Duration least = wire.knobs().timeout_min;
  return least > Duration::zero() ? stream.answered + 2 * least : kNever;
}

class FramingJudge {
 public:
  FramingJudge(const WireView& wire, const WireRequest& request, std::vector<Violation>* out)
      : wire_(wire), request_(request), out_(out) {}

  void Run() {
    if (request_.answers > 1)
      return Tell("a request is answered once", "was answered twice", request_.answer_entry);
    if (request_.ends > 1) return Tell("a stream ends once", "ended twice", request_.end_entry);
    const WireLine* first = request_.lines.empty() ? nullptr : &request_.lines.front();
    const bool is_bare = !request_.opened() || (first && first->order < request_.answered_order);
    if (first && is_bare)
      return Tell("the head of an answer comes before its lines", "was sent a line before it",
                  first->entry);
    if (request_.ends > 0 && first && request_.lines.back().order > request_.ended_order)
      return Tell("nothing follows the end of a stream", "was sent a line after it",
                  request_.lines.back().entry);
    if (!request_.opened()) return;
    if (first && request_.end == WireRequest::End::kCut && !request_.faults.ended)
      return Tell("a server that ends a stream ends its body as it should", "was cut off",
                  request_.end_entry);
    CheckDeadline();
  }

 private:
  void CheckDeadline() {
    const TimePoint deadline = DeadlineOfStream(wire_, request_);
    if (deadline == kNever) return;
    for (const WireLine& line : request_.lines) {
      if (line.when <= deadline + kLineLateBy) continue;
      return Tell("a stream ends at its deadline", "was sent a line after it", line.entry);
    }
    const bool has_events = std::any_of(request_.lines.begin(), request_.lines.end(),
                                        [](const WireLine& line) { return line.is_event(); });
    const TimePoint until = request_.ends > 0 ? request_.ended : wire_.end;
    if (!has_events && !request_.faults.any && until > deadline + kLateBy)
      Tell("a stream ends at its deadline", "went on", request_.end_entry);
  }

  void Tell(std::string_view promise, std::string_view what, const HistoryEntry* line) {
    out_->push_back(WireBroken("W11", fmt::format("{}, but {} {}", promise, TextOf(request_), what),
                               {request_.request_entry, line}));
  }

  const WireView& wire_;
  const WireRequest& request_;
  std::vector<Violation>* out_;
};

void CheckFormat(const WireRequest& request, std::string_view version, const HistoryEntry* line,
                 std::vector<Violation>* out) {
  if (ParseResourceVersion(version).value_or(0) > 0) return;
  out->push_back(
      WireBroken("W16",
                 fmt::format("a version is a decimal number without leading zeros, but {} "
                             "was sent \"{}\"",
                             TextOf(request), version),
                 {line}));
}

bool IsSeconds(std::string_view text) {
  return ParseResourceVersion(text).value_or(0) > 0;  // the same rule: digits, no leading zero
}

}  // namespace

std::vector<Violation> CheckFraming(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& request : wire.requests) FramingJudge(wire, request, &out).Run();
  return out;
}

std::vector<Violation> CheckVersionFormat(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& request : wire.requests) {
    if (request.items >= 0) CheckFormat(request, request.rv_text, request.answer_entry, &out);
    for (const WireLine& line : request.lines) {
      // Of a version that was read the number is right.
      if (line.type != EventType::kError && (line.rv == 0 || !line.rv_text.empty()))
        CheckFormat(request, line.rv_text, line.entry, &out);
    }
  }
  return out;
}

std::vector<Violation> CheckBusy(const WireView& wire) {
  std::vector<Violation> out;
  const auto tell = [&out](std::string_view promise, const WireRequest& request,
                           std::string_view what, const HistoryEntry* line) {
    out.push_back(WireBroken("W17", fmt::format("{}, but {} {}", promise, TextOf(request), what),
                             {request.request_entry, line}));
  };
  for (const WireRequest& request : wire.requests) {
    const bool answered = request.state == WireRequest::State::kAnswered;
    if (answered && request.status == kBusy && !request.faults.answer &&
        !IsSeconds(request.retry_after))
      tell("a busy server says when to come again", request, "was answered 429 without Retry-After",
           request.answer_entry);
    const auto busy = std::find_if(
        request.lines.begin(), request.lines.end(),
        [](const auto& line) { return line.type == EventType::kError && line.code == kBusy; });
    if (busy != request.lines.end() && !request.faults.error)
      tell("a busy server says so before a stream begins", request, "was told so in its stream",
           busy->entry);
    const bool is_silent = request.state == WireRequest::State::kNone;
    if (request.faults.any || (is_silent && !request.lines.empty())) continue;
    const TimePoint silent_until = !is_silent         ? request.answered
                                   : request.ends > 0 ? request.ended
                                                      : wire.end;
    if (silent_until - request.received <= kRequestTime + wire.knobs().fresh_wait) continue;
    tell("a request does not hang", request,
         is_silent ? "was never answered" : "was answered too late", request.answer_entry);
  }
  return out;
}

std::vector<Violation> CheckInstantClose(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& stream : wire.requests) {
    if (!stream.opened() || !stream.lines.empty() || stream.faults.ended ||
        stream.end != WireRequest::End::kCut)
      continue;
    out.push_back(WireBroken("W19",
                             fmt::format("a stream that has nothing to say ends as a body should, "
                                         "but {} was cut off",
                                         TextOf(stream)),
                             {stream.answer_entry, stream.end_entry}));
  }
  return out;
}

}  // namespace relist
