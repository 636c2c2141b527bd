#include "scenarios/scenario_judge.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/wire/object_key.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/objects/metadata_rules.h"
#include "fakeapi/store/selectors.h"
#include "scenarios/expectation_lines.h"
#include "scenarios/fault_judge.h"
#include "scenarios/scenario_limits.h"
#include "scenarios/yaml_reader.h"

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
    for (const ClientSpec& client : scenario_.clients) JudgeClient(client);
    for (const ObjectSpec& object : scenario_.objects) {
      JudgeObject(object);
      JudgeIsFirst(object);
    }
    for (StepSpec& step : scenario_.steps) JudgeStep(step);
    // Who expects a checker to speak up knows what the server does.
    const bool legal = scenario_.legal && scenario_.verdicts.empty();
    for (FaultSpec& fault : scenario_.faults) {
      JudgePlace(fault.place, PlaceOfPart(fault));
      for (std::string& why : FlawsInFault(fault, legal)) Add(fault, std::move(why));
    }
    for (const ClientExpectation& expected : scenario_.expect) JudgeExpectation(expected);
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
      if (step.trigger.by_place) continue;
      last = std::max(last, step.trigger.at + step.length);
      if (!given && last + Seconds(1) > kTimeMax + Seconds(1)) {
        Add(step, fmt::format("with this step the scenario would last {}: at most {}",
                              FormatDuration(last), FormatDuration(kTimeMax)));
        break;
      }
    }
    if (!given) scenario_.length = last + Seconds(1);
    for (const StepSpec& step : scenario_.steps) {
      if (!step.trigger.by_place && step.trigger.at > scenario_.length) {
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
    for (const ClientSpec& client : scenario_.clients) handlers += client.handlers;
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

  void JudgeClient(const ClientSpec& client) {
    JudgeResource(client.resource, PlaceOfPart(client));
    const fakeapi::ResourceType* type = fakeapi::FindByName(client.resource);
    const auto labels = LabelSelector::Parse(client.label_selector);
    if (!labels.ok()) {
      Add(client,
          fmt::format("\"selector: {}\" is none: {}; write labels, such as app=web or app in "
                      "(web, db)",
                      client.label_selector, labels.error().message()));
    }
    if (!type) return;
    if (!client.ns.empty() && !type->namespaced()) {
      Add(client,
          fmt::format("{} have no namespace: leave \"namespace\" out", type->resource.plural));
    }
    const auto fields = fakeapi::FieldSelector::Parse(*type, client.field_selector);
    if (!fields.ok()) {
      Add(client, fmt::format("\"fields: {}\" is no field selector: {}; write for example "
                              "metadata.name=a",
                              client.field_selector, fields.error().message()));
    }
  }

  void JudgeResource(const std::string& resource, PartPlace place) {
    if (fakeapi::FindByName(resource)) return;
    std::vector<std::string> known;
    for (const fakeapi::ResourceType* type : fakeapi::AllResources())
      known.push_back(type->resource.GroupResource());
    const std::optional<std::string> near = DidYouMean(resource, known);
    Add(place, fmt::format("no resource is called \"{}\"{}; there are {}", resource,
                           near ? fmt::format(" (did you mean \"{}\"?)", *near) : "",
                           fmt::join(known, ", ")));
  }

  void JudgeObject(const ObjectSpec& object) {
    JudgeResource(object.resource, PlaceOfPart(object));
    if (object.name == kSentinel) {
      Add(object, fmt::format("\"{}\" is written by every run at its end, and left out of what is "
                              "expected: choose another name",
                              kSentinel));
    }
    const fakeapi::ResourceType* type = fakeapi::FindByName(object.resource);
    if (!type) return;
    if (type->namespaced() != object.ns.empty()) return JudgeNames(object, *type);
    Add(object, type->namespaced() ? fmt::format("\"{}\" lacks its namespace: write default/{}",
                                                 object.name, object.name)
                                   : fmt::format("{} have no namespace: write just {}",
                                                 type->resource.plural, object.name));
  }

  void JudgeNames(const ObjectSpec& object, const fakeapi::ResourceType& type) {
    for (const std::string& why : fakeapi::NameErrorsOf(type, object.name)) {
      Add(object,
          fmt::format("{} cannot be called \"{}\": {}", type.resource.plural, object.name, why));
    }
    if (object.ns.empty()) return;
    const fakeapi::ResourceType& namespaces = *fakeapi::FindByName("namespaces");
    for (const std::string& why : fakeapi::NameErrorsOf(namespaces, object.ns)) {
      Add(object, fmt::format("no namespace can be called \"{}\": {}", object.ns, why));
    }
  }

  void JudgeIsFirst(const ObjectSpec& object) {
    for (const ObjectSpec& other : scenario_.objects) {
      if (&other == &object) return;
      if (!SameObject(other, object)) continue;
      Add(object,
          fmt::format("{} {} stands twice among the objects: it is in line {} already",
                      object.resource, ObjectKey{object.ns, object.name}.ToString(), other.line));
      return;
    }
  }

  // A resource may be written in two ways: deployments, deployments.apps.
  static bool SameObject(const ObjectSpec& a, const ObjectSpec& b) {
    return a.ns == b.ns && a.name == b.name &&
           fakeapi::FindByName(a.resource) == fakeapi::FindByName(b.resource);
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
      if (!type) return JudgeResource(place.resource, at);
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
    if (!place.client.empty() && std::none_of(clients.begin(), clients.end(), [&](const auto& c) {
          return c.name == place.client;
        })) {
      std::vector<std::string> names;
      names.reserve(clients.size());
      for (const ClientSpec& client : clients) names.push_back(client.name);
      Add(at, fmt::format("no client is called \"{}\"; there is {}", place.client,
                          fmt::join(names, ", ")));
      return;
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
    using enum StepSpec::Kind;
    if (step.kind == kWrite || step.kind == kPatch || step.kind == kDelete) {
      JudgeObject(step.object);
      if (step.kind != kWrite && !EverWritten(step.object)) {
        Add(step, fmt::format("nothing in this scenario ever writes {} {}: it cannot be {}",
                              step.object.resource,
                              ObjectKey{step.object.ns, step.object.name}.ToString(),
                              step.kind == kDelete ? "deleted" : "patched"));
      }
    }
    if (step.kind == kDelete) JudgeDelete(step);
    if (!step.trigger.by_place) return;
    JudgePlace(step.trigger.place, PlaceOfPart(step));
    if (step.trigger.events > 0 && !CanBeWatch(step.trigger.place.verb)) {
      Add(step, fmt::format("\"on: {}\" has no events: this can never happen",
                            Name(step.trigger.place.verb)));
    }
  }

  // No controller empties a namespace here: it would be terminating at the end, and take no object.
  void JudgeDelete(const StepSpec& step) {
    if (fakeapi::FindByName(step.object.resource) != fakeapi::FindByName("namespaces")) return;
    for (const ClientSpec& client : scenario_.clients) {
      if (client.ns != step.object.name) continue;
      Add(step, fmt::format("the client \"{}\" watches the namespace that is deleted here, into "
                            "which \"{}\" has to be written at the end: delete its objects, or "
                            "let the client watch all namespaces",
                            client.name, kSentinel));
    }
  }

  // A namespace comes with the first object in it.
  bool EverWritten(const ObjectSpec& wanted) const {
    const bool is_namespace =
        fakeapi::FindByName(wanted.resource) == fakeapi::FindByName("namespaces");
    const auto same = [&](const ObjectSpec& object) {
      return SameObject(object, wanted) || (is_namespace && object.ns == wanted.name);
    };
    return std::any_of(scenario_.objects.begin(), scenario_.objects.end(), same) ||
           std::any_of(scenario_.steps.begin(), scenario_.steps.end(), [&](const StepSpec& step) {
             return step.kind == StepSpec::Kind::kWrite && same(step.object);
           });
  }

  // An object that is written nowhere is never shown. Namespaces come by themselves.
  void JudgeExpectation(const ClientExpectation& expected) {
    const auto of_name = [&](const ClientSpec& one) { return one.name == expected.client; };
    const ClientSpec& client =
        *std::find_if(scenario_.clients.begin(), scenario_.clients.end(), of_name);
    const fakeapi::ResourceType* type = fakeapi::FindByName(client.resource);
    if (!type || type == fakeapi::FindByName("namespaces")) return;
    const auto judge = [&](const std::optional<std::vector<ExpectedLine>>& lines, auto object_in) {
      if (!lines) return;
      for (const ExpectedLine& line : *lines)
        JudgeExpectedObject(line, object_in(line.text), client);
    };
    judge(expected.callbacks, ObjectInCallbackLine);
    judge(expected.store, ObjectInStoreLine);
  }

  void JudgeExpectedObject(const ExpectedLine& line, const std::string& object,
                           const ClientSpec& client) {
    ObjectSpec wanted;
    wanted.resource = client.resource;
    wanted.ns = ObjectKey::Parse(object).ns;
    wanted.name = ObjectKey::Parse(object).name;
    if (object.empty() || EverWritten(wanted)) return;
    std::vector<std::string> written;
    const auto add = [&](const ObjectSpec& one) {
      if (!one.name.empty() &&
          fakeapi::FindByName(one.resource) == fakeapi::FindByName(client.resource))
        written.push_back(ObjectKey{one.ns, one.name}.ToString());
    };
    for (const ObjectSpec& one : scenario_.objects) add(one);
    for (const StepSpec& step : scenario_.steps) add(step.object);
    const std::optional<std::string> near = DidYouMean(object, written);
    Add(line, fmt::format("nothing in this scenario ever writes {} {}{}: it cannot be seen",
                          client.resource, object,
                          near ? fmt::format(" (did you mean \"{}\"?)", *near) : ""));
  }

  Scenario& scenario_;
  YamlProblems& problems_;
};

}  // namespace

void JudgeScenario(Scenario* scenario, YamlProblems* problems) {
  Judge(scenario, problems).All();
}

}  // namespace relist
