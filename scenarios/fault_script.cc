#include "scenarios/fault_script.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/wire/status.h"

namespace relist {
namespace {

using fakeapi::CutHow;
using fakeapi::FaultPlace;
using fakeapi::FaultPoint;
using fakeapi::Verdict;

// The reason and message that the real server gives with a code, where the script names none.
struct Words {
  const char* reason;
  const char* message;
};

Words WordsOf(int code) {
  switch (code) {
    case 410:
      return {"Expired", "too old resource version: 1 (2)"};
    case 429:
      return {"TooManyRequests", "Too many requests, please try again later."};
    case 500:
      return {"InternalError", "Internal error occurred: a scenario said so"};
    case 503:
      return {"ServiceUnavailable", "the server is currently unable to handle the request"};
    case 504:
      return {"Timeout", "Timeout: Too large resource version: 2, current: 1"};
    case 403:
      return {"Forbidden", "forbidden: a scenario said so"};
    case 422:
      return {
          "Invalid",
          "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: "
          "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"};
    default:
      return {"", "a scenario said so"};
  }
}

Status StatusOf(const FaultSpec& fault) {
  const Words words = WordsOf(fault.code);
  Status status;
  status.code = fault.code;
  status.reason = fault.reason.empty() ? words.reason : fault.reason;
  status.message = fault.message.empty() ? words.message : fault.message;
  if (fault.code == 504) {
    StatusDetails details;
    details.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
    details.retry_after_seconds = 1;
    status.details = std::move(details);
  }
  return status;
}

Verdict AnswerOf(const FaultSpec& fault) {
  const Status status = StatusOf(fault);
  fakeapi::HeaderList headers = fault.headers;
  headers.emplace_back("Content-Type",
                       fault.plain ? "text/plain; charset=utf-8" : "application/json");
  return Verdict::Answer(fault.code, std::move(headers),
                         (fault.plain ? status.message : status.ToJson()) + "\n");
}

bool VerbMatches(PlaceSpec::Verb verb, const FaultPlace& place) {
  switch (verb) {
    case PlaceSpec::Verb::kAny:
      return place.is_list || place.is_watch;
    case PlaceSpec::Verb::kList:
      return place.is_list;
    case PlaceSpec::Verb::kWatch:
      return place.is_watch && !place.is_streaming_list;
    case PlaceSpec::Verb::kStreamingList:
      return place.is_streaming_list;
  }
  return false;
}

bool Matches(const PlaceSpec& spec, const FaultPlace& place) {
  if (!VerbMatches(spec.verb, place)) return false;
  if (spec.continued && !place.is_continue) return false;
  if (!spec.resource.empty() && spec.resource != place.resource) return false;
  return spec.client.empty() ||
         (place.request && place.request->Header("User-Agent") == spec.client);
}

// Where a fault without `events` strikes: an end as it should be needs an open stream, all else
// counts its bytes from the answer's first one, which is known when the request is read.
FaultPoint PointOf(const FaultSpec& fault) {
  if (fault.events) return FaultPoint::kBeforeEvent;
  const bool stream =
      fault.kind == FaultSpec::Kind::kError || fault.kind == FaultSpec::Kind::kClose;
  return stream ? FaultPoint::kWatchOpened : FaultPoint::kRequestRead;
}

// "there were 2 watches of pods by a client whose User-Agent is "web"", of those that a place means
// but for its number.
std::string HowMany(const PlaceSpec& place, bool on_connection, int count) {
  static constexpr const char* kNames[] = {"request", "list", "watch", "streaming-list"};
  std::string name = on_connection ? "connection" : kNames[static_cast<size_t>(place.verb)];
  if (place.continued) name = "later page";
  if (count > 1) name += name.ends_with("ch") ? "es" : "s";
  if (place.continued) name += " of a list";
  if (!place.resource.empty()) name += " of " + place.resource;
  if (!place.client.empty())
    name += fmt::format(" by a client whose User-Agent is \"{}\"", place.client);
  if (count == 0) return "there was no " + name;
  return fmt::format("there {} {} {}", count == 1 ? "was" : "were", count, name);
}

// How often what stands at a place has to happen: a range means each of its requests.
int HowOften(const PlaceSpec& place) {
  return place.last == kEvery ? 1 : place.last - place.first + 1;
}

std::string Ordinal(int number) {
  const int last = number % 10;
  const bool teen = number % 100 / 10 == 1;
  const char* ending = teen || last == 0 || last > 3 ? "th"
                       : last == 1                   ? "st"
                       : last == 2                   ? "nd"
                                                     : "rd";
  return fmt::format("{}{}", number, ending);
}

std::string Ordinals(const PlaceSpec& place) {
  if (place.first == place.last) return Ordinal(place.first);
  return Ordinal(place.first) + " to " + Ordinal(place.last);
}

bool IsDue(const StepSpec& step, const FaultPlace& place) {
  const TriggerSpec& trigger = step.trigger;
  if (trigger.events > 0) {
    return place.point == FaultPoint::kBeforeEvent && place.nth_event + 1 == trigger.events;
  }
  if (!trigger.opened) return place.point == FaultPoint::kRequestRead;
  return place.point == (place.is_watch ? FaultPoint::kWatchOpened : FaultPoint::kBeforeAnswer);
}

}  // namespace

Verdict VerdictOf(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultSpec::Kind::kStatus:
      return AnswerOf(fault);
    case FaultSpec::Kind::kError:
      return Verdict::ErrorLine(StatusOf(fault).ToJson());
    case FaultSpec::Kind::kClose:
      return Verdict::Cut(CutHow::kClean);
    case FaultSpec::Kind::kCutFin:
      return Verdict::Cut(CutHow::kFin, fault.bytes);
    case FaultSpec::Kind::kCutReset:
      return Verdict::Cut(CutHow::kReset, fault.bytes);
    case FaultSpec::Kind::kStall:
      return Verdict::Stall(fault.bytes);
    case FaultSpec::Kind::kSplit:
      return Verdict::Split(fault.bytes, fault.every);
    case FaultSpec::Kind::kDelay:
      return Verdict::Delay(fault.length);
    case FaultSpec::Kind::kHold:
      return Verdict::Hold(fault.bytes, fault.length);
    case FaultSpec::Kind::kDuplicate:
      return Verdict::Duplicate();
  }
  return Verdict::Pass();
}

FaultScript::FaultScript(const Scenario& scenario)
    : scenario_(scenario),
      fault_counters_(scenario.faults.size()),
      step_counters_(scenario.steps.size()) {}

// A request is judged once, when it is read; later points of it only ask whether it is one of those
// that are meant.
bool FaultScript::IsMeant(const PlaceSpec& spec, const FaultPlace& place, Counter* counter) {
  if (place.point == FaultPoint::kRequestRead && Matches(spec, place)) {
    ++counter->seen;
    if (counter->seen >= spec.first && counter->seen <= spec.last)
      counter->meant.insert(place.request_id);
  }
  return counter->meant.contains(place.request_id);
}

Verdict FaultScript::At(const FaultPlace& place) {
  if (place.point == FaultPoint::kConnectionAccepted) ++connections_;
  if (first_read_ && (place.is_list || place.is_watch)) std::exchange(first_read_, {})();
  RunSteps(place);
  Verdict verdict;
  for (size_t i = 0; i < scenario_.faults.size(); ++i) {
    const FaultSpec& fault = scenario_.faults[i];
    Counter& counter = fault_counters_[i];
    bool due;
    if (fault.on_connection) {
      counter.seen = connections_;
      due = place.point == FaultPoint::kConnectionAccepted && connections_ >= fault.place.first &&
            connections_ <= fault.place.last;
    } else {
      // Every fault counts every request, whether or not an earlier one strikes.
      due = IsMeant(fault.place, place, &counter) && place.point == PointOf(fault) &&
            (!fault.events || place.nth_event == *fault.events);
    }
    if (!due) continue;
    if (verdict.kind != Verdict::Kind::kPass) {
      counter.shadow = static_cast<size_t>(verdict.tag - 1);
      ++counter.shadowed;
      continue;
    }
    verdict = VerdictOf(fault);
    verdict.tag = static_cast<int>(i) + 1;
    Lay(i, place);
    if (verdict.after_bytes == 0) Struck(&counter, place.now);
  }
  return verdict;
}

// What is laid at a byte strikes there, if the answer is as long.
void FaultScript::Lay(size_t index, const FaultPlace& place) {
  using enum FaultSpec::Kind;
  ++fault_counters_[index].laid;
  const FaultSpec::Kind kind = scenario_.faults[index].kind;
  const bool goes_on = kind == kSplit || kind == kDelay || kind == kHold || kind == kDuplicate;
  if (!goes_on && place.request_id != 0) ended_by_.try_emplace(place.request_id, index);
}

void FaultScript::ByteReached(int tag, TimePoint now) {
  Struck(&fault_counters_[static_cast<size_t>(tag - 1)], now);
}

void FaultScript::Struck(Counter* counter, TimePoint now) {
  if (++counter->used == 1) counter->first = now;
  counter->last = now;
  ++struck_;
}

void FaultScript::RunSteps(const FaultPlace& place) {
  if (place.point == FaultPoint::kConnectionAccepted) return;
  for (size_t i = 0; i < scenario_.steps.size(); ++i) {
    const StepSpec& step = scenario_.steps[i];
    if (!step.trigger.by_place) continue;
    const bool due = IsDue(step, place);
    if (!due && place.point != FaultPoint::kRequestRead) continue;
    if (!IsMeant(step.trigger.place, place, &step_counters_[i]) || !due) continue;
    ++step_counters_[i].used;
    const bool here = place.point == FaultPoint::kRequestRead && step.trigger.after == Duration{};
    if (run_step_) run_step_(step, here, place.now);
  }
}

void FaultScript::Refuse(const StepSpec& step, TimePoint now) {
  refused_until_ = std::max(refused_until_, now + step.length);
  refusals_.push_back({&step, now, now + step.length});
}

FaultScript::Counter& FaultScript::CounterOf(const StepSpec& step) {
  return step_counters_[static_cast<size_t>(&step - scenario_.steps.data())];
}

void FaultScript::Did(const StepSpec& step) {
  ++CounterOf(step).done;
}

void FaultScript::LeftOut(const StepSpec& step) {
  ++CounterOf(step).left_out;
}

void FaultScript::SentBookmarks(const StepSpec& step, int watches) {
  CounterOf(step).reached += watches;
}

std::vector<std::string> FaultScript::NeverStruck(TimePoint now) const {
  std::vector<std::string> out;
  for (size_t i = 0; i < scenario_.faults.size(); ++i) {
    const std::string why = WhyNotStruck(i, now);
    if (why.empty()) continue;
    const FaultSpec& fault = scenario_.faults[i];
    out.push_back(fmt::format("{}:{}:{}: this fault ({}) {}", scenario_.file, fault.line,
                              fault.column, Name(fault.kind), why));
  }
  for (size_t i = 0; i < scenario_.steps.size(); ++i) {
    const std::string why = WhyNotDone(i);
    if (why.empty()) continue;
    const StepSpec& step = scenario_.steps[i];
    out.push_back(fmt::format("{}:{}:{}: this step ({}) {}", scenario_.file, step.line, step.column,
                              Name(step.kind), why));
  }
  return out;
}

std::vector<std::string> FaultScript::InVain() const {
  std::vector<std::string> out;
  for (size_t i = 0; i < scenario_.steps.size(); ++i) {
    const StepSpec& step = scenario_.steps[i];
    const Counter& counter = step_counters_[i];
    if (step.kind != StepSpec::Kind::kBookmark || counter.done == 0 || counter.reached > 0)
      continue;
    out.push_back(fmt::format(
        "{}:{}:{}: this step ({}) reached nobody: no watch that asks for bookmarks was open",
        scenario_.file, step.line, step.column, Name(step.kind)));
  }
  return out;
}

// "" for a fault that struck: once, or each request of its range that no other one took. What comes
// late must have come by now, or nobody saw it come: the first time where it strikes again and
// again, else each time.
std::string FaultScript::WhyNotStruck(size_t index, TimePoint now) const {
  const FaultSpec& fault = scenario_.faults[index];
  const Counter& counter = fault_counters_[index];
  const int wanted = HowOften(fault.place);
  if (counter.used == 0 || counter.used + counter.shadowed < wanted) {
    const std::string how_often = counter.used == 0
                                      ? "never struck"
                                      : fmt::format("struck {} of {} times", counter.used, wanted);
    if (counter.laid > counter.used)
      return fmt::format("{}: fewer than its {} bytes were sent", how_often, fault.bytes);
    const std::string point =
        fault.events ? fmt::format("no line came after its \"events: {}\"", *fault.events)
                     : "no stream was opened where it was due";
    return how_often + ": " + WhyNotDue(fault.place, counter, fault.on_connection, point);
  }
  const TimePoint since = fault.place.last == kEvery ? counter.first : counter.last;
  if (since + fault.length <= now) return "";
  return fmt::format(
      "never struck: the run was over before its {} s (what never comes is a \"stall\")",
      FormatSeconds(fault.length));
}

// The fault that took what this one, or this step, waits for: at the same point, or before it.
std::optional<size_t> FaultScript::FaultInTheWay(const Counter& counter) const {
  if (counter.shadow) return counter.shadow;
  for (const uint64_t request : counter.meant) {
    const auto ended = ended_by_.find(request);
    if (ended == ended_by_.end()) continue;
    const Counter& other = fault_counters_[ended->second];
    if (&other != &counter && other.used > 0) return ended->second;
  }
  return std::nullopt;
}

// `point`: why the requests that are meant were not enough.
std::string FaultScript::WhyNotDue(const PlaceSpec& place, const Counter& counter,
                                   bool on_connection, const std::string& point) const {
  std::string text = HowMany(place, on_connection, counter.seen);
  const bool has_range = place.last != kEvery;
  if (counter.seen < (has_range ? place.last : place.first))
    return has_range ? text + ", and it waits for the " + Ordinals(place) : text;
  if (const std::optional<size_t> other = FaultInTheWay(counter)) {
    const FaultSpec& fault = scenario_.faults[*other];
    return fmt::format("{}, and the fault in line {} ({}) struck there first", text, fault.line,
                       Name(fault.kind));
  }
  const int missed = HowOften(place) - counter.used - counter.shadowed;
  const bool some = counter.used + counter.shadowed > 0;
  return fmt::format("{}, and {}{}", text, some ? fmt::format("in {} of them ", missed) : "",
                     point);
}

// "" for a step that was done. One that is due again and again may be on its way when the run ends;
// every other one must be done as often as it says.
std::string FaultScript::WhyNotDone(size_t index) const {
  const TriggerSpec& trigger = scenario_.steps[index].trigger;
  const Counter& counter = step_counters_[index];
  if (trigger.moment) return "";  // StepMoments knows
  const int settled = counter.done + counter.left_out;
  if (trigger.by_time())
    return settled > 0 ? "" : "never happened: the run was over before its time";
  const int wanted = HowOften(trigger.place);
  if (counter.used < wanted) {
    const std::string how_often =
        counter.used == 0 ? "never happened"
                          : fmt::format("happened {} of {} times", counter.used, wanted);
    const std::string point =
        trigger.events > 0
            ? fmt::format("fewer lines than its \"events: {}\" were sent", trigger.events)
            : "no answer was given where it was due";
    return how_often + ": " + WhyNotDue(trigger.place, counter, false, point);
  }
  if (settled >= wanted) return "";
  return fmt::format(
      "never happened: it became due {} times and was done {} times; the run was over before the "
      "{} s that it waits",
      counter.used, settled, FormatSeconds(trigger.after));
}

}  // namespace relist
