#include "scenarios/script/scenario_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "core/wire/object_key.h"
#include "scenarios/script/client_parts.h"
#include "scenarios/script/fault_parts.h"
#include "scenarios/script/nth_range.h"
#include "scenarios/script/object_parts.h"
#include "scenarios/script/scenario_limits.h"

namespace relist {
namespace {

const std::vector<std::string> kStepWords = {
    "write",  "patch", "delete", "compact", "evict",        "restart",           "bookmark",
    "refuse", "pause", "resume", "lag",     "write-status", "delete-collection", "stop",
    "start",  "ask"};
const std::vector<std::string> kAsWords = {"any", "added", "modified", "deleted"};

class StepReader {
 public:
  explicit StepReader(YamlProblems* problems) : problems_(problems) {}

  void ReadTrigger(YamlMap& map, TriggerSpec* trigger) {
    map.Read("at", &trigger->at);
    const YAML::Node when = map.Take("when");
    if (map.Has("at") == map.Has("when")) {
      map.Problem(
          "when",
          "a step has either \"at\" (a time) or \"when\" (a request that comes to a point, or what "
          "a client tells of itself)");
    }
    if (!when.IsDefined()) return;
    YamlMap place(when, "\"when\"", problems_);
    if (!when.IsMap()) return;
    if (place.Has("synced") || place.Has("seen")) {
      trigger->moment = ReadMoment(place);
    } else {
      trigger->by_place = true;
      ReadPlace(place, &trigger->place, /*on_connection=*/nullptr);
      trigger->opened = place.ReadWord("once", {"read", "open"}) == 1u;
      place.Read("events", &trigger->events, 1, kEventsMax);
      for (const char* other : {"synced", "seen"}) place.Take(other);
    }
    place.Read("after", &trigger->after);
    place.Finish();
  }

  // "{synced: web, nth: 2}", "{seen: default/a, client: web, as: modified}".
  MomentSpec ReadMoment(YamlMap& map) {
    MomentSpec moment;
    for (const char* other : {"on", "synced"}) {
      if (!map.Has("seen") || !map.Has(other)) continue;
      map.Problem(other, fmt::format("\"when\" is one thing: either \"seen\" or \"{}\"", other));
    }
    if (map.Has("synced")) {
      map.Read("synced", &moment.client);
    } else {
      moment.kind = MomentSpec::Kind::kSeen;
      moment.handler = 1;
      std::string key;
      map.Read("seen", &key);
      moment.ns = ObjectKey::Parse(key).ns;
      moment.name = ObjectKey::Parse(key).name;
      map.Read("client", &moment.client);
      const std::optional<size_t> as = map.ReadWord("as", kAsWords);
      if (as) moment.as = static_cast<MomentSpec::As>(*as);
    }
    map.Read("handler", &moment.handler, 1, kHandlersMax);
    ReadNth(map, "nth", &moment.first, &moment.last);
    return moment;
  }

  StepSpec ReadStep(YamlMap& map) {
    StepSpec step;
    step.line = map.line();
    step.column = map.column();
    ReadTrigger(map, &step.trigger);
    map.ReadChance("chance", &step.chance);
    const std::optional<size_t> kind = map.ReadWord("do", kStepWords);
    if (kind) step.kind = static_cast<StepSpec::Kind>(*kind);
    for (const char* key : {"on", "nth", "continued", "once", "events", "after", "client"}) {
      if (!map.Has(key) || (step.is_life() && std::string_view(key) == "client")) continue;
      map.Problem(
          key, fmt::format("\"{}\" goes into \"when\": {{when: {{on: watch, {}: ...}}, do: ...}}",
                           key, key));
      map.Take(key);
    }
    if (!map.Has("do")) map.Problem("do", "\"do\" is missing: what happens in this step");
    if (!kind) {  // which keys belong here only that would tell
      map.Forgive();
      return step;
    }
    ReadStepDetails(map, &step);
    ReadReplicaKeys(map, &step);
    return step;
  }

  void ReadStepDetails(YamlMap& map, StepSpec* step) {
    using enum StepSpec::Kind;
    const StepSpec::Kind kind = step->kind;
    if (kind == kWrite || kind == kPatch) {
      step->object = ReadObject(map, problems_);
    } else if (kind == kDelete || kind == kWriteStatus) {
      step->object = ReadObjectKey(map);
      if (kind == kWriteStatus) step->object.body_json = ReadStatus(map, problems_);
    } else if (kind == kDeleteCollection) {
      step->object.line = step->line;
      step->object.column = step->column;
      map.Read("resource", &step->object.resource);
      map.Read("namespace", &step->object.ns);
      map.Read("selector", &step->label_selector);
      map.Read("fields", &step->field_selector);
    } else if (kind == kCompact) {
      map.Read("learned", &step->learned);
    } else if (kind == kRefuse) {
      map.Read("for", &step->length, {.least = Millis(1)});
      if (!map.Has("for"))
        map.Problem("for", "\"for\" is missing: for how long connections are refused");
    } else if (kind == kAsk) {
      ReadAsk(map, step);
    } else if (step->is_life()) {
      map.Read("client", &step->client);
    }
  }

  // "{as: probe, target: "/api/v1/configmaps?watch=1", for: 10s}".
  static void ReadAsk(YamlMap& map, StepSpec* step) {
    step->length = kAskFor;
    map.Read("as", &step->client);
    map.Read("target", &step->target);
    map.Read("for", &step->length, {.least = Millis(1), .most = kDeadlineMax});
    if (!map.Has("as"))
      map.Problem("as", "\"as\" is missing: as whom it asks, by its User-Agent");
    else
      CheckClientName(map, "as", step->client);
    const auto is_printed = [](unsigned char c) { return c > 0x20 && c < 0x7f; };
    if (!step->target.starts_with('/') ||
        !std::all_of(step->target.begin(), step->target.end(), is_printed)) {
      map.Problem("target",
                  "an \"ask\" has a \"target\", a path with its query as it goes over the wire, "
                  "such as /api/v1/configmaps?watch=1");
    }
  }

  // What is done to one apiserver of several, or to each.
  void ReadReplicaKeys(YamlMap& map, StepSpec* step) {
    using enum StepSpec::Kind;
    const StepSpec::Kind kind = step->kind;
    if (kind == kLag) {
      map.Read("by", &step->length);
      if (!map.Has("by")) map.Problem("by", "\"by\" is missing: how much later writes come");
    }
    if (kind == kRestart) map.Read("not_ready", &step->length);
    if (kind != kEvict && kind != kRestart && kind != kBookmark && kind != kPause &&
        kind != kResume && kind != kLag) {
      return;
    }
    int replica = 0;
    map.Read("replica", &replica, 0, kReplicasMax - 1);
    if (map.Has("replica")) step->replica = static_cast<size_t>(replica);
  }

 private:
  YamlProblems* problems_;
};

}  // namespace

std::string_view Name(StepSpec::Kind kind) {
  return kStepWords[static_cast<size_t>(kind)];
}

StepSpec ReadStep(YamlMap& map, YamlProblems* problems) {
  return StepReader(problems).ReadStep(map);
}

}  // namespace relist
