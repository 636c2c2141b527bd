#include "scenarios/play/step_moments.h"

#include <fmt/core.h>

namespace relist {
namespace {

bool IsMeant(const MomentSpec& spec, const Moment& moment) {
  if (spec.kind != moment.kind || spec.client != moment.client->name) return false;
  if (spec.handler != moment.handler) return false;
  if (spec.kind == MomentSpec::Kind::kSynced) return true;
  return moment.key == ObjectKey{spec.ns, spec.name} &&
         (spec.as == MomentSpec::As::kAny || spec.as == moment.as);
}

int TimesWanted(const MomentSpec& spec) {
  return spec.last == kEvery ? 1 : spec.last - spec.first + 1;
}

std::string NthText(const MomentSpec& spec) {
  if (spec.last == kEvery) return "every";
  return spec.first == spec.last ? fmt::format("{}", spec.first)
                                 : fmt::format("{}-{}", spec.first, spec.last);
}

// "handler2 of client "web" was told of default/a as modified".
std::string MomentText(const MomentSpec& spec) {
  std::string who = fmt::format("client \"{}\"", spec.client);
  if (spec.handler > 0) who = HandlerName(static_cast<size_t>(spec.handler) - 1) + " of " + who;
  if (spec.kind == MomentSpec::Kind::kSynced) return who + " synced";
  static constexpr const char* kAs[] = {"", " as added", " as modified", " as deleted"};
  return fmt::format("{} was told of {}{}", who, ObjectKey{spec.ns, spec.name}.ToString(),
                     kAs[static_cast<size_t>(spec.as)]);
}

}  // namespace

StepMoments::StepMoments(const Scenario& scenario)
    : scenario_(scenario), counters_(scenario.steps.size()) {}

std::vector<const StepSpec*> StepMoments::DueAt(const Moment& moment) {
  std::vector<const StepSpec*> due;
  for (size_t i = 0; i < scenario_.steps.size(); ++i) {
    const std::optional<MomentSpec>& spec = scenario_.steps[i].trigger.moment;
    if (!spec || !IsMeant(*spec, moment)) continue;
    Counter& counter = counters_[i];
    ++counter.seen;
    if (counter.seen < spec->first || counter.seen > spec->last) continue;
    ++counter.due;
    due.push_back(&scenario_.steps[i]);
  }
  return due;
}

void StepMoments::Did(const StepSpec& step) {
  ++counters_[static_cast<size_t>(&step - scenario_.steps.data())].done;
}

std::string StepMoments::WhyNot(const StepSpec& step, const Counter& counter) const {
  const MomentSpec& spec = *step.trigger.moment;
  if (counter.due < TimesWanted(spec)) {
    return fmt::format("{}: {} {} times, and it waits for \"nth: {}\"",
                       counter.due == 0
                           ? "never happened"
                           : fmt::format("happened {} of {} times", counter.due, TimesWanted(spec)),
                       MomentText(spec), counter.seen, NthText(spec));
  }
  if (counter.done >= TimesWanted(spec)) return "";
  return fmt::format(
      "never happened: it became due {} times and was done {} times; the run was over before the "
      "{} s that it waits",
      counter.due, counter.done, FormatSeconds(step.trigger.after));
}

std::vector<std::string> StepMoments::NeverHappened() const {
  std::vector<std::string> out;
  for (size_t i = 0; i < scenario_.steps.size(); ++i) {
    const StepSpec& step = scenario_.steps[i];
    if (!step.trigger.moment) continue;
    const std::string why = WhyNot(step, counters_[i]);
    if (why.empty()) continue;
    out.push_back(fmt::format("{}:{}:{}: this step ({}) {}", scenario_.file, step.line, step.column,
                              Name(step.kind), why));
  }
  return out;
}

}  // namespace relist
