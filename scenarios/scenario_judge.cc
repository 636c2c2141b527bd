#include "scenarios/scenario_judge.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/wire/object_key.h"
#include "fakeapi/api/resources.h"
#include "scenarios/yaml_reader.h"

namespace relist {
namespace {

class Judge {
 public:
  Judge(Scenario* scenario, YamlProblems* problems) : scenario_(*scenario), problems_(*problems) {}

  void All() {
    JudgeLength();
    for (const ClientSpec& client : scenario_.clients) JudgeResource(client.resource, 1);
    for (const ObjectSpec& object : scenario_.objects) JudgeObject(object, 1);
    for (const StepSpec& step : scenario_.steps) JudgeStep(step);
    for (const FaultSpec& fault : scenario_.faults) JudgeFault(fault);
    if (!scenario_.verdicts.empty() || !scenario_.legal) return;
    for (const FaultSpec& fault : scenario_.faults) {
      if (fault.kind == FaultSpec::Kind::kDuplicate) {
        problems_.Add(fault.line, "no legal server sends a line twice: say \"legal: false\"");
      }
    }
  }

 private:
  // Chaos ends a second after the last step unless the script says when.
  void JudgeLength() {
    Duration last{};
    for (const StepSpec& step : scenario_.steps) {
      if (!step.trigger.by_place) last = std::max(last, step.trigger.at + step.length);
    }
    if (scenario_.length == Duration{}) scenario_.length = last + Seconds(1);
    for (const StepSpec& step : scenario_.steps) {
      if (!step.trigger.by_place && step.trigger.at > scenario_.length) {
        problems_.Add(
            step.line,
            fmt::format(
                "this step is at {}, but the scenario's length is {}: it would never happen",
                FormatDuration(step.trigger.at), FormatDuration(scenario_.length)));
      }
    }
    for (const ClientSpec& client : scenario_.clients) {
      if (client.start > scenario_.length) {
        problems_.Add(1,
                      fmt::format("client \"{}\" starts at {}, after the scenario's length of {}",
                                  client.name, FormatDuration(client.start),
                                  FormatDuration(scenario_.length)));
      }
    }
  }

  void JudgeResource(const std::string& resource, int line) {
    if (fakeapi::FindByName(resource)) return;
    std::vector<std::string> known;
    for (const fakeapi::ResourceType* type : fakeapi::AllResources())
      known.push_back(type->resource.GroupResource());
    const std::optional<std::string> near = DidYouMean(resource, known);
    problems_.Add(line, fmt::format("no resource is called \"{}\"{}; there are {}", resource,
                                    near ? fmt::format(" (did you mean \"{}\"?)", *near) : "",
                                    fmt::join(known, ", ")));
  }

  void JudgeObject(const ObjectSpec& object, int line) {
    JudgeResource(object.resource, line);
    const fakeapi::ResourceType* type = fakeapi::FindByName(object.resource);
    if (!type || type->namespaced() != object.ns.empty()) return;
    problems_.Add(line, type->namespaced()
                            ? fmt::format("\"{}\" lacks its namespace: write default/{}",
                                          object.name, object.name)
                            : fmt::format("{} have no namespace: write just {}",
                                          type->resource.plural, object.name));
  }

  void JudgePlace(const PlaceSpec& place, int line) {
    using enum PlaceSpec::Verb;
    const auto meant = [&](const ClientSpec& client) {
      const bool by_name = place.client.empty() || place.client == client.name;
      return by_name && (place.resource.empty() || place.resource == client.resource);
    };
    const auto& clients = scenario_.clients;
    if (!place.client.empty() && std::none_of(clients.begin(), clients.end(), [&](const auto& c) {
          return c.name == place.client;
        })) {
      std::vector<std::string> names;
      for (const ClientSpec& client : clients) names.push_back(client.name);
      problems_.Add(line, fmt::format("no client is called \"{}\"; there is {}", place.client,
                                      fmt::join(names, ", ")));
      return;
    }
    if (std::none_of(clients.begin(), clients.end(), meant)) {
      problems_.Add(line,
                    fmt::format("no client of this scenario asks for {}: this can never happen",
                                place.resource));
      return;
    }
    const bool streams = std::any_of(clients.begin(), clients.end(),
                                     [&](const auto& c) { return meant(c) && c.streaming_list; });
    if (place.verb == kStreamingList && !streams) {
      problems_.Add(line,
                    "no client meant here has \"streaming_list: true\": this can never happen");
    }
    if (place.continued && place.verb != kList)
      problems_.Add(line, "only a list has pages: \"continued\" goes with \"on: list\"");
  }

  void JudgeStep(const StepSpec& step) {
    using enum StepSpec::Kind;
    if (step.kind == kWrite || step.kind == kPatch || step.kind == kDelete) {
      JudgeObject(step.object, step.line);
      if (step.kind != kWrite && !EverWritten(step.object)) {
        problems_.Add(step.line,
                      fmt::format("nothing in this scenario ever writes {} {}: it cannot be {}",
                                  step.object.resource,
                                  ObjectKey{step.object.ns, step.object.name}.ToString(),
                                  step.kind == kDelete ? "deleted" : "patched"));
      }
    }
    if (!step.trigger.by_place) return;
    JudgePlace(step.trigger.place, step.line);
    if (step.trigger.events > 0 && step.trigger.place.verb == PlaceSpec::Verb::kList) {
      problems_.Add(step.line, "a list has no events: this can never happen");
    }
  }

  bool EverWritten(const ObjectSpec& wanted) const {
    const auto same = [&](const ObjectSpec& object) {
      return object.resource == wanted.resource && object.ns == wanted.ns &&
             object.name == wanted.name;
    };
    return std::any_of(scenario_.objects.begin(), scenario_.objects.end(), same) ||
           std::any_of(scenario_.steps.begin(), scenario_.steps.end(), [&](const StepSpec& step) {
             return step.kind == StepSpec::Kind::kWrite && same(step.object);
           });
  }

  void JudgeFault(const FaultSpec& fault) {
    using enum FaultSpec::Kind;
    JudgePlace(fault.place, fault.line);
    const FaultSpec::Kind kind = fault.kind;
    const bool list_only = fault.place.verb == PlaceSpec::Verb::kList;
    if (fault.on_connection) {
      if (kind != kCutFin && kind != kCutReset && kind != kStall && kind != kDelay) {
        problems_.Add(fault.line, fmt::format("a connection without a request can be met by cut, "
                                              "reset, stall or delay, not by {}",
                                              Name(kind)));
      }
      return;
    }
    if (list_only && (fault.events || kind == kError || kind == kDuplicate || kind == kClose)) {
      problems_.Add(fault.line,
                    fmt::format("a list is no stream of events: {} can never happen there",
                                fault.events ? "\"events\"" : Name(kind)));
    }
    if (kind == kStatus && fault.events) {
      problems_.Add(fault.line,
                    "a status comes before the first event, never after some: leave \"events\" "
                    "out, or use \"fault: error\"");
    }
    if (kind == kDuplicate && !fault.events) {
      problems_.Add(fault.line, "\"events\" is missing: the line after how many is sent twice");
    }
  }

  Scenario& scenario_;
  YamlProblems& problems_;
};

}  // namespace

void JudgeScenario(Scenario* scenario, YamlProblems* problems) {
  Judge(scenario, problems).All();
}

}  // namespace relist
