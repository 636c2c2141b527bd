#include "scenarios/script/scenario_judge.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

#include "fakeapi/api/resources.h"
#include "scenarios/script/fault_judge.h"
#include "scenarios/script/scenario_limits.h"
#include "scenarios/script/world_judge.h"
#include "scenarios/script/yaml_reader.h"

namespace relist {
namespace {

// Where a part stands in its file.
struct PartPlace {
  int line = 0, column = 1;
};

template <class Part>
PartPlace PlaceOfPart(const Part& part) {
  return {part.line, part.column};
}

class Judge {
 public:
  Judge(Scenario* scenario, YamlProblems* problems) : scenario_(*scenario), problems_(*problems) {}

  void All() {
    JudgeLength();
    if (problems_.empty()) JudgeBounds();
    JudgeWorld(&scenario_, &problems_);
    for (StepSpec& step : scenario_.steps) JudgeStep(step);
    // Who expects a checker to speak up knows what the server does.
    const bool legal = scenario_.legal && scenario_.verdicts.empty();
    for (FaultSpec& fault : scenario_.faults) {
      JudgePlace(fault.place, PlaceOfPart(fault));
      for (std::string& why : FlawsInFault(fault, legal)) Add(fault, std::move(why));
    }
  }

 private:
  template <class Part>
  void Add(const Part& part, std::string text) {
    problems_.Add(part.line, part.column, std::move(text));
  }

  // Chaos ends a second after the last step unless the script says when.
  void JudgeLength() {
    const bool given = scenario_.length > Duration{};
    Duration last{};
    for (const StepSpec& step : scenario_.steps) {
      if (!step.trigger.by_time()) continue;
      last = std::max(last, step.trigger.at + step.length);
      if (!given && last + Seconds(1) > kTimeMax + Seconds(1)) {
        Add(step, fmt::format("with this step the scenario would last {}: at most {}",
                              FormatDuration(last), FormatDuration(kTimeMax)));
        break;
      }
    }
    if (!given) scenario_.length = last + Seconds(1);
    for (const StepSpec& step : scenario_.steps) {
      if (step.trigger.by_time() && step.trigger.at > scenario_.length) {
        Add(step, fmt::format(
                      "this step is at {}, but the scenario's length is {}: it would never happen",
                      FormatDuration(step.trigger.at), FormatDuration(scenario_.length)));
      }
    }
    for (const ClientSpec& client : scenario_.clients) {
      if (client.start > scenario_.length) {
        Add(client, fmt::format("client \"{}\" starts at {}, after the scenario's length of {}",
                                client.name, FormatDuration(client.start),
                                FormatDuration(scenario_.length)));
      }
    }
  }

  // What no single value says: how much of it there would be.
  void JudgeBounds() {
    const Duration time = scenario_.length + scenario_.calm;
    const int64_t bookmarks =
        time / scenario_.bookmark_period * static_cast<int64_t>(scenario_.clients.size());
    if (bookmarks > kBookmarksMax) {
      problems_.Add(1, 1,
                    fmt::format("\"bookmark_period: {}\" would make {} bookmarks in {}, for {} "
                                "clients: at most {}",
                                FormatDuration(scenario_.bookmark_period), bookmarks,
                                FormatDuration(time), scenario_.clients.size(), kBookmarksMax));
    }
    int64_t handlers = 0;
    for (const ClientSpec& client : scenario_.clients)
      handlers += static_cast<int64_t>(client.handlers.size());
    const int64_t told =
        static_cast<int64_t>(scenario_.objects.size() + scenario_.steps.size()) * handlers;
    if (told > kToldMax) {
      problems_.Add(
          1, 1,
          fmt::format("{} objects and {} steps for {} handlers would be {} callbacks: at "
                      "most {}",
                      scenario_.objects.size(), scenario_.steps.size(), handlers, told, kToldMax));
    }
    const auto real = std::chrono::duration_cast<std::chrono::seconds>(time / scenario_.rate);
    if (scenario_.RunsIn(WorldKind::kHttp) && real > kRealTimeMax) {
      problems_.Add(
          1, 1,
          fmt::format("over HTTP this scenario would take {} of your time (\"length\" "
                      "and \"calm\" at \"rate: {}\"): at most {}; make them shorter, "
                      "the rate higher, or say \"worlds: [sim]\"",
                      FormatDuration(real), scenario_.rate, FormatDuration(kRealTimeMax)));
    }
  }

  // A resource that was written in the short way is meant in full from here on.
  void JudgePlace(PlaceSpec& place, PartPlace at) {
    using enum PlaceSpec::Verb;
    if ((place.continued || place.page > 0) && place.verb != kList)
      Add(at, fmt::format("only a list has pages: \"{}\" goes with \"on: list\"",
                          place.continued ? "continued" : "page"));
    const bool reads = place.verb == kAny || place.verb == kList || place.verb == kWatch ||
                       place.verb == kStreamingList;
    if (place.version && !reads)
      Add(at, "only lists and watches ask for a resourceVersion: leave \"version\" out");
    if (!place.resource.empty()) {
      const fakeapi::ResourceType* type = fakeapi::FindByName(place.resource);
      if (!type) return Add(at, FlawInResource(place.resource));
      place.resource = type->resource.GroupResource();
    }
    const auto meant = [&](const ClientSpec& client) {
      const bool by_name = place.client.empty() || place.client == client.name;
      const fakeapi::ResourceType* type = fakeapi::FindByName(client.resource);
      return by_name &&
             (place.resource.empty() || (type && place.resource == type->resource.GroupResource()));
    };
    const auto& clients = scenario_.clients;
    // Whoever comes may be meant; and what no informer does only somebody else can.
    if (scenario_.open || !reads) return;
    const auto is_ask = [&](const StepSpec& step) {
      return step.kind == StepSpec::Kind::kAsk &&
             (place.client.empty() || place.client == step.client);
    };
    if (std::any_of(scenario_.steps.begin(), scenario_.steps.end(), is_ask)) return;
    if (!place.client.empty()) {
      if (std::string flaw = FlawInClient(scenario_, place.client); !flaw.empty())
        return Add(at, std::move(flaw));
    }
    if (std::none_of(clients.begin(), clients.end(), meant)) {
      Add(at, fmt::format("no client of this scenario asks for {}: this can never happen",
                          place.resource));
      return;
    }
    const bool streams = std::any_of(clients.begin(), clients.end(),
                                     [&](const auto& c) { return meant(c) && c.streaming_list; });
    if (place.verb == kStreamingList && !streams) {
      Add(at, "no client meant here has \"streaming_list: true\": this can never happen");
    }
  }

  void JudgeStep(StepSpec& step) {
    if (!step.trigger.by_place) return;
    JudgePlace(step.trigger.place, PlaceOfPart(step));
    if (step.trigger.events > 0 && !CanBeWatch(step.trigger.place.verb)) {
      Add(step, fmt::format("\"on: {}\" has no events: this can never happen",
                            Name(step.trigger.place.verb)));
    }
  }

  Scenario& scenario_;
  YamlProblems& problems_;
};

std::string_view WhyNotServed(const StepSpec& step) {
  if (step.is_life()) return "is done to a client of `relist run`: a server has no hold of clients";
  if (step.is_for_client()) return "is `relist run`'s to do: a server asks nobody";
  return "waits for what a client of `relist run` tells: a server hears of requests alone";
}

}  // namespace

void JudgeScenario(Scenario* scenario, YamlProblems* problems) {
  Judge(scenario, problems).All();
}

Result<void> CanBeServed(const Scenario& scenario) {
  std::string lines;
  for (const StepSpec& step : scenario.steps) {
    if (!step.is_for_client() && !step.trigger.moment) continue;
    lines += fmt::format("{}{}:{}:{}: this step ({}) {}", lines.empty() ? "" : "\n", scenario.file,
                         step.line, step.column, Name(step.kind), WhyNotServed(step));
  }
  if (lines.empty()) return {};
  return Error::Net(Transport::kOther, lines);
}

}  // namespace relist
