#include "scenarios/play/fault_script.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "scenarios/play/fault_places.h"
#include "scenarios/play/fault_verdict.h"

namespace relist {
namespace {

using fakeapi::FaultPlace;
using fakeapi::FaultPoint;
using fakeapi::Verdict;

// Between the seeds of two faults: that one is added behind them changes nothing of the others. Not
// what SeededChoices goes on by, or each would draw what the one before it did, a draw later.
constexpr uint64_t kSeedsApart = 0xd1b54a32d192ed03;

// "there were 2 watches of pods by a client whose User-Agent is "web"", of those that a place means
// but for its number.
std::string HowMany(const PlaceSpec& place, bool on_connection, int count) {
  std::string name(on_connection                         ? "connection"
                   : place.verb == PlaceSpec::Verb::kAny ? "request"
                                                         : Name(place.verb));
  if (place.continued) name = "later page";
  if (count > 1) name += name.ends_with("ch") ? "es" : "s";
  if (place.continued) name += " of a list";
  if (place.page > 0) name += fmt::format(" of a page {}", place.page);
  if (place.version) {
    name += place.version->empty() ? " without a resourceVersion"
                                   : " with resourceVersion=" + *place.version;
  }
  if (!place.resource.empty()) name += " of " + place.resource;
  if (!place.client.empty())
    name += fmt::format(" by a client whose User-Agent is \"{}\"", place.client);
  if (count == 0) return "there was no " + name;
  return fmt::format("there {} {} {}", count == 1 ? "was" : "were", count, name);
}

// A client that streams its lists makes no list, and its first watch is none: "on: watch" waits for
// the one after it. Who wrote for the other kind of client is told.
std::optional<PlaceSpec> OtherKindOf(const PlaceSpec& place) {
  using enum PlaceSpec::Verb;
  if (place.verb != kWatch && place.verb != kList && place.verb != kStreamingList)
    return std::nullopt;
  PlaceSpec other = place;
  other.verb = place.verb == kStreamingList ? kWatch : kStreamingList;
  return other;
}

std::string HowManyOfOtherKind(const PlaceSpec& place, int count) {
  const std::optional<PlaceSpec> other = OtherKindOf(place);
  if (!other || count == 0) return "";
  return fmt::format(" ({}, which \"on: {}\" does not mean)", HowMany(*other, false, count),
                     Name(place.verb));
}

// How often what stands at a place has to happen: a range means each of its requests.
int HowOften(const PlaceSpec& place) {
  return place.last == kEvery ? 1 : place.last - place.first + 1;
}

// Of what chance decides once will do.
int HowOften(const FaultSpec& fault) {
  return fault.chance < 1 ? 1 : HowOften(fault.place);
}

// What a fault that waits for more than its place waits for in vain.
std::string WhatDidNotCome(const FaultSpec& fault) {
  using enum fakeapi::Verdict::ByteAt;
  if (fault.kind == FaultSpec::Kind::kReorder)
    return fmt::format("no {} lines came behind its line", fault.behind);
  if (fault.kind == FaultSpec::Kind::kCutNext)
    return "no request came after its own on the same connection";
  if (fault.byte_at == kBehindHead) return "no head was sent";
  if (fault.byte_at == kInCharacter) return "its line has only characters of one byte";
  if (fault.byte_at == kInChunkHeader) return "its line has no chunk of its own";
  return fmt::format("fewer than its {} bytes were sent", fault.bytes);
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

FaultScript::FaultScript(const Scenario& scenario, std::optional<uint64_t> seed)
    : scenario_(scenario),
      fault_counters_(scenario.faults.size()),
      step_counters_(scenario.steps.size()) {
  for (size_t i = 0; i < scenario.faults.size(); ++i)
    chances_.emplace_back(seed.value_or(scenario.seed) + kSeedsApart * (i + 1));
  const auto names_page = [](const PlaceSpec& place) { return place.page > 1; };
  counts_pages_ = std::any_of(scenario.faults.begin(), scenario.faults.end(),
                              [&](const FaultSpec& fault) { return names_page(fault.place); }) ||
                  std::any_of(scenario.steps.begin(), scenario.steps.end(),
                              [&](const StepSpec& step) { return names_page(step.trigger.place); });
}

// A later page is known by its token, which the page before it gave.
void FaultScript::CountPages(const FaultPlace& place) {
  if (place.point == FaultPoint::kRequestRead) {
    const auto known = pages_.find(place.continue_token);
    page_ = !place.is_list ? 0 : !place.is_continue ? 1 : known != pages_.end() ? known->second : 0;
  }
  if (!counts_pages_ || place.point != FaultPoint::kBeforeAnswer || !place.answer) return;
  const std::string& next = place.answer->continue_token;
  const auto known = pages_.find(place.continue_token);
  if (!next.empty()) pages_[next] = known != pages_.end() ? known->second + 1 : 2;
}

// A request is judged once, when it is read; later points of it only ask whether it is one of those
// that are meant.
bool FaultScript::IsMeant(const PlaceSpec& spec, const FaultPlace& place, Counter* counter) {
  if (place.point == FaultPoint::kRequestRead && Matches(spec, place, page_)) {
    ++counter->seen;
    if (counter->seen >= spec.first && counter->seen <= spec.last)
      counter->meant.insert(place.request_id);
  } else if (place.point == FaultPoint::kRequestRead && place.is_watch) {
    const std::optional<PlaceSpec> other = OtherKindOf(spec);
    counter->of_other_kind += other && Matches(*other, place, page_);
  }
  return counter->meant.contains(place.request_id);
}

Verdict FaultScript::At(const FaultPlace& place) {
  if (place.point == FaultPoint::kConnectionAccepted) ++connections_;
  if (first_read_ && (place.is_list || place.is_watch)) std::exchange(first_read_, {})();
  CountPages(place);
  RunSteps(place);
  Verdict verdict;
  for (size_t i = 0; i < scenario_.faults.size(); ++i) {
    if (!IsDueAt(i, place)) continue;
    Counter& counter = fault_counters_[i];
    if (verdict.kind != Verdict::Kind::kPass) {
      counter.shadow = static_cast<size_t>(verdict.tag - 1);
      ++counter.shadowed;
      continue;
    }
    verdict = VerdictOf(scenario_.faults[i], place);
    verdict.tag = static_cast<int>(i) + 1;
    ++counter.laid;
    if (EndsRequest(scenario_.faults[i].kind) && place.request_id != 0)
      ended_by_.try_emplace(place.request_id, i);
    if (!verdict.ComesLater()) Count(&counter, place.now);
  }
  return verdict;
}

// Every fault counts every request, whether or not an earlier one strikes, and draws, too.
bool FaultScript::IsDueAt(size_t index, const FaultPlace& place) {
  const FaultSpec& fault = scenario_.faults[index];
  Counter& counter = fault_counters_[index];
  if (fault.on_connection) {
    counter.seen = connections_;
    if (place.point != FaultPoint::kConnectionAccepted || connections_ < fault.place.first ||
        connections_ > fault.place.last)
      return false;
  } else if (!IsMeant(fault.place, place, &counter) || !StrikesHere(fault, place)) {
    return false;
  }
  if (fault.chance >= 1) return true;
  ++counter.drawn;
  // 0, the boring answer, strikes nobody.
  return chances_[index].Unit("fault") >= 1 - fault.chance;
}

void FaultScript::Struck(int tag, TimePoint now) {
  Count(&fault_counters_[static_cast<size_t>(tag - 1)], now);
}

void FaultScript::Count(Counter* counter, TimePoint now) {
  if (++counter->used == 1) counter->first = now;
  counter->last = now;
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
  const int wanted = HowOften(fault);
  if (counter.used == 0 || counter.used + counter.shadowed < wanted) {
    const std::string how_often = counter.used == 0
                                      ? "never struck"
                                      : fmt::format("struck {} of {} times", counter.used, wanted);
    if (counter.laid > counter.used) return how_often + ": " + WhatDidNotCome(fault);
    if (counter.drawn > 0)
      return fmt::format("{}: its chance of {} did not come in {} times", how_often, fault.chance,
                         counter.drawn);
    const std::string point =
        fault.events  ? fmt::format("no line came after its \"events: {}\"", *fault.events)
        : fault.sent  ? fmt::format("fewer lines than its \"sent: {}\" were sent", *fault.sent)
        : fault.lines ? "no line of its sort came"
        : fault.kind == FaultSpec::Kind::kLost ? "no answer was given where it was due"
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
  if (counter.seen == 0) text += HowManyOfOtherKind(place, counter.of_other_kind);
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
