#include "scenarios/script/world_judge.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/duration.h"
#include "core/wire/object_key.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/objects/metadata_rules.h"
#include "fakeapi/store/selectors.h"
#include "scenarios/script/expectation_lines.h"
#include "scenarios/script/scenario_limits.h"
#include "scenarios/script/yaml_reader.h"

namespace relist {
namespace {

const fakeapi::ResourceType* NamespacesType() {
  return fakeapi::FindByName("namespaces");
}

class WorldJudge {
 public:
  WorldJudge(Scenario* scenario, YamlProblems* problems)
      : scenario_(*scenario), problems_(*problems) {}

  void All() {
    for (const ClientSpec& client : scenario_.clients) JudgeClient(client);
    for (const ObjectSpec& object : scenario_.objects) {
      JudgeObject(object);
      JudgeIsFirst(object);
    }
    for (StepSpec& step : scenario_.steps) {
      JudgeWhatIsDone(step);
      if (step.trigger.moment) JudgeMoment(step, *step.trigger.moment);
    }
    for (const ClientExpectation& expected : scenario_.expect) JudgeExpectation(expected);
  }

 private:
  template <class Part>
  void Add(const Part& part, std::string text) {
    problems_.Add(part.line, part.column, std::move(text));
  }
  void Add(const ObjectSpec& object, std::string text) {
    problems_.AddIn(object.file, object.line, object.column, std::move(text));
  }

  void JudgeClient(const ClientSpec& client) {
    if (std::string flaw = FlawInResource(client.resource); !flaw.empty()) Add(client, flaw);
    JudgeSelectors(client, client.resource, client.label_selector, client.field_selector);
    const fakeapi::ResourceType* type = fakeapi::FindByName(client.resource);
    if (type && !client.ns.empty() && !type->namespaced()) {
      Add(client,
          fmt::format("{} have no namespace: leave \"namespace\" out", type->resource.plural));
    }
    const bool starts =
        std::any_of(scenario_.steps.begin(), scenario_.steps.end(), [&](const StepSpec& step) {
          return step.kind == StepSpec::Kind::kStart && IsOf(step.client, client);
        });
    if (client.started_by_step && !starts) {
      Add(client, fmt::format("no step starts the client \"{}\": it would never run", client.name));
    }
    JudgeHowMuchItIsTold(client);
  }

  // An empty name is the only client's.
  bool IsOf(const std::string& name, const ClientSpec& client) const {
    return name == client.name || (name.empty() && scenario_.clients.size() == 1);
  }

  // A handler that is too slow for its resyncs never gets to the end.
  void JudgeHowMuchItIsTold(const ClientSpec& client) {
    const auto objects = static_cast<int64_t>(scenario_.objects.size() + scenario_.steps.size());
    const Duration time = scenario_.length + scenario_.calm;
    for (const HandlerSpec& handler : client.handlers) {
      const Duration resync = handler.resync.value_or(client.resync);
      if (resync > Duration{} && client.resync == Duration{}) {
        Add(handler, "this handler's \"resync\" is without effect (INF-05): give its client one");
        return;
      }
      if (resync > Duration{} && time / resync * (objects + 1) > kToldMax) {
        Add(client, fmt::format("a resync every {} in {} would make more than {} callbacks",
                                FormatDuration(resync), FormatDuration(time), kToldMax));
        return;
      }
      const Duration pass = handler.SlowestCall() * objects;
      if (pass > kSlowMax) {
        Add(client, fmt::format("a handler that takes {} for each of {} objects and steps would "
                                "need {}: at most {}",
                                FormatDuration(handler.SlowestCall()), objects,
                                FormatDuration(pass), FormatDuration(kSlowMax)));
        return;
      }
      if (resync > Duration{} && pass >= resync) {
        Add(client, fmt::format("a handler that needs {} for all objects and steps never gets "
                                "through a resync every {}",
                                FormatDuration(pass), FormatDuration(resync)));
        return;
      }
    }
  }

  template <class Part>
  void JudgeSelectors(const Part& part, const std::string& resource, const std::string& label_text,
                      const std::string& field_text) {
    const auto labels = LabelSelector::Parse(label_text);
    if (!labels.ok()) {
      Add(part, fmt::format("\"selector: {}\" is none: {}; write labels, such as app=web or app in "
                            "(web, db)",
                            label_text, labels.error().message()));
    }
    const fakeapi::ResourceType* type = fakeapi::FindByName(resource);
    if (!type) return;
    const auto fields = fakeapi::FieldSelector::Parse(*type, field_text);
    if (!fields.ok()) {
      Add(part, fmt::format("\"fields: {}\" is no field selector: {}; write for example "
                            "metadata.name=a",
                            field_text, fields.error().message()));
    }
  }

  void JudgeObject(const ObjectSpec& object) {
    if (std::string flaw = FlawInResource(object.resource); !flaw.empty()) Add(object, flaw);
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
    for (const std::string& why : fakeapi::NameErrorsOf(*NamespacesType(), object.ns)) {
      Add(object, fmt::format("no namespace can be called \"{}\": {}", object.ns, why));
    }
  }

  void JudgeIsFirst(const ObjectSpec& object) {
    for (const ObjectSpec& other : scenario_.objects) {
      if (&other == &object) return;
      if (!SameObject(other, object)) continue;
      const std::string where =
          other.file == object.file
              ? fmt::format("in line {}", other.line)
              : fmt::format("in {}, line {}", other.file.empty() ? scenario_.file : other.file,
                            other.line);
      Add(object,
          fmt::format("{} {} stands twice among the objects: it is {} already", object.resource,
                      ObjectKey{object.ns, object.name}.ToString(), where));
      return;
    }
  }

  // A resource may be written in two ways: deployments, deployments.apps.
  static bool SameObject(const ObjectSpec& a, const ObjectSpec& b) {
    return a.ns == b.ns && a.name == b.name &&
           fakeapi::FindByName(a.resource) == fakeapi::FindByName(b.resource);
  }

  void JudgeWhatIsDone(StepSpec& step) {
    using enum StepSpec::Kind;
    if (step.is_for_client()) return JudgeClientStep(step);
    if (step.kind == kDeleteCollection) return JudgeDeleteCollection(step);
    if (step.kind == kResume && !Any([](const StepSpec& other) { return other.kind == kPause; }))
      Add(step, "no step pauses caches: there is nothing to resume");
    const auto lags = [](const StepSpec& other) {
      return other.kind == kLag && other.length > Duration{};
    };
    if (step.kind == kLag && step.length == Duration{} && !Any(lags))
      Add(step, "no step lets caches lag: \"by: 0s\" would change nothing");
    if (step.kind == kWrite || step.kind == kPatch || step.kind == kDelete ||
        step.kind == kWriteStatus) {
      JudgeObject(step.object);
    }
    if (step.kind == kPatch) JudgeIsThere(step, "patched");
    if (step.kind == kDelete) JudgeIsThere(step, "deleted");
    if (step.kind == kDelete) JudgeDelete(step);
    if (step.kind != kWriteStatus) return;
    JudgeIsThere(step, "given a status");
    const fakeapi::ResourceType* type = fakeapi::FindByName(step.object.resource);
    if (type && !type->FindSubresource("status")) {
      Add(step,
          fmt::format("{} have no status of their own: use \"do: write\"", type->resource.plural));
    }
  }

  template <class Predicate>
  bool Any(Predicate is) const {
    return std::any_of(scenario_.steps.begin(), scenario_.steps.end(), is);
  }

  void JudgeIsThere(const StepSpec& step, const char* done) {
    const std::string object = fmt::format("{} {}", step.object.resource,
                                           ObjectKey{step.object.ns, step.object.name}.ToString());
    if (!EverWritten(step.object)) {
      Add(step,
          fmt::format("nothing in this scenario ever writes {}: it cannot be {}", object, done));
    } else if (!EverWritten(step.object, /*surely=*/true)) {
      Add(step, fmt::format("{} is only written by chance: it cannot always be {}", object, done));
    }
  }

  void JudgeClientStep(StepSpec& step) {
    if (step.kind == StepSpec::Kind::kAsk) {
      if (scenario_.FindClient(step.client)) {
        Add(step, fmt::format("\"as: {}\" is a client of this scenario, which asks by itself: "
                              "choose another name",
                              step.client));
      }
      return;
    }
    if (!FillIn(step, "client", &step.client)) return;
    if (step.kind != StepSpec::Kind::kStart) return;
    const ClientSpec* client = scenario_.FindClient(step.client);
    const bool stops = Any([&](const StepSpec& other) {
      return other.kind == StepSpec::Kind::kStop && IsOf(other.client, *client);
    });
    if (client->started_by_step || stops) return;
    Add(step, fmt::format("client \"{}\" starts by itself, and no step stops it: say \"start: "
                          "step\" there, or stop it before",
                          step.client));
  }

  // Whose step or moment it is, where that needs no saying. False, and told, where it does.
  bool FillIn(const StepSpec& step, const char* key, std::string* client) {
    if (client->empty() && scenario_.clients.size() == 1) *client = scenario_.clients[0].name;
    if (client->empty()) {
      Add(step, fmt::format("\"{}\" is missing: which of the clients is meant", key));
      return false;
    }
    const std::string flaw = FlawInClient(scenario_, *client);
    if (!flaw.empty()) Add(step, flaw);
    return flaw.empty();
  }

  void JudgeDeleteCollection(const StepSpec& step) {
    const ObjectSpec& object = step.object;
    if (std::string flaw = FlawInResource(object.resource); !flaw.empty()) Add(step, flaw);
    JudgeSelectors(step, object.resource, step.label_selector, step.field_selector);
    const fakeapi::ResourceType* type = fakeapi::FindByName(object.resource);
    if (!type) return;
    if (!type->Allows("deletecollection")) {
      Add(step,
          fmt::format("{} are not deleted as a collection: delete each", type->resource.plural));
    } else if (type->namespaced() == object.ns.empty()) {
      Add(step, type->namespaced()
                    ? "\"namespace\" is missing: of which namespace the objects are deleted"
                    : fmt::format("{} have no namespace: leave \"namespace\" out",
                                  type->resource.plural));
    }
  }

  void JudgeMoment(const StepSpec& step, MomentSpec& moment) {
    const bool seen = moment.kind == MomentSpec::Kind::kSeen;
    if (!FillIn(step, seen ? "client" : "synced", &moment.client)) return;
    const ClientSpec& client = *scenario_.FindClient(moment.client);
    if (moment.handler > static_cast<int>(client.handlers.size())) {
      Add(step, fmt::format("client \"{}\" has {} handlers, and no number {}", client.name,
                            client.handlers.size(), moment.handler));
    }
    if (!seen || !fakeapi::FindByName(client.resource)) return;
    ObjectSpec wanted;
    wanted.resource = client.resource;
    wanted.ns = moment.ns;
    wanted.name = moment.name;
    const std::string key = ObjectKey{moment.ns, moment.name}.ToString();
    if (!EverWritten(wanted) && fakeapi::FindByName(client.resource) != NamespacesType()) {
      Add(step, fmt::format("nothing in this scenario ever writes {} {}: it cannot be seen",
                            client.resource, key));
    } else if (!client.ns.empty() && client.ns != moment.ns) {
      Add(step, fmt::format("client \"{}\" watches the namespace {} alone: it never sees {}",
                            client.name, client.ns, key));
    }
  }

  // A namespace that nobody empties would be terminating at the end, and take no object.
  void JudgeDelete(const StepSpec& step) {
    if (fakeapi::FindByName(step.object.resource) != NamespacesType()) return;
    if (scenario_.controllers.namespaces) return;
    for (const ClientSpec& client : scenario_.clients) {
      if (client.ns != step.object.name) continue;
      Add(step, fmt::format("the client \"{}\" watches the namespace that is deleted here, into "
                            "which \"{}\" has to be written at the end: delete its objects, let "
                            "the client watch all namespaces, or let it be emptied (\"server: "
                            "{{controllers: namespace-controller}}\")",
                            client.name, kSentinel));
    }
  }

  // A namespace comes with the first object in it. `surely`: not by chance alone.
  bool EverWritten(const ObjectSpec& wanted, bool surely = false) const {
    const bool is_namespace = fakeapi::FindByName(wanted.resource) == NamespacesType();
    const auto same = [&](const ObjectSpec& object) {
      return SameObject(object, wanted) || (is_namespace && object.ns == wanted.name);
    };
    return std::any_of(scenario_.objects.begin(), scenario_.objects.end(), same) ||
           std::any_of(scenario_.steps.begin(), scenario_.steps.end(), [&](const StepSpec& step) {
             return step.kind == StepSpec::Kind::kWrite && (!surely || step.chance >= 1) &&
                    same(step.object);
           });
  }

  // An object that is written nowhere is never shown. Namespaces come by themselves.
  void JudgeExpectation(const ClientExpectation& expected) {
    if (!scenario_.FindClient(expected.client)) return;  // who asks may ask for anything
    const ClientSpec& client = *scenario_.FindClient(expected.client);
    const fakeapi::ResourceType* type = fakeapi::FindByName(client.resource);
    if (!type || type == NamespacesType()) return;
    const auto judge = [&](const std::vector<ExpectedLine>& lines, auto object_in) {
      for (const ExpectedLine& line : lines)
        JudgeExpectedObject(line, object_in(line.text), client);
    };
    if (expected.callbacks) judge(*expected.callbacks, ObjectInCallbackLine);
    for (const auto& [handler, lines] : expected.callbacks_of) judge(lines, ObjectInCallbackLine);
    if (expected.store) judge(*expected.store, ObjectInStoreLine);
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

void JudgeWorld(Scenario* scenario, YamlProblems* problems) {
  WorldJudge(scenario, problems).All();
}

std::string FlawInResource(const std::string& resource) {
  if (fakeapi::FindByName(resource)) return "";
  std::vector<std::string> known;
  for (const fakeapi::ResourceType* type : fakeapi::AllResources())
    known.push_back(type->resource.GroupResource());
  const std::optional<std::string> near = DidYouMean(resource, known);
  return fmt::format("no resource is called \"{}\"{}; there are {}", resource,
                     near ? fmt::format(" (did you mean \"{}\"?)", *near) : "",
                     fmt::join(known, ", "));
}

std::string FlawInClient(const Scenario& scenario, const std::string& name) {
  if (scenario.FindClient(name)) return "";
  std::vector<std::string> names;
  for (const ClientSpec& client : scenario.clients) names.push_back(client.name);
  return fmt::format("no client is called \"{}\"; there is {}", name, fmt::join(names, ", "));
}

}  // namespace relist
