#include "scenarios/scenario_parts.h"

#include <fmt/core.h>

#include <optional>

#include "core/wire/object_key.h"
#include "scenarios/fault_parts.h"
#include "scenarios/scenario_limits.h"

namespace relist {
namespace {

const std::vector<std::string> kStepWords = {"write", "patch",   "delete",   "compact",
                                             "evict", "restart", "bookmark", "refuse",
                                             "pause", "resume",  "lag"};

class PartReader {
 public:
  explicit PartReader(YamlProblems* problems) : problems_(problems) {}

  ObjectSpec ReadObject(YamlMap& map) {
    ObjectSpec object;
    object.line = map.line();
    object.column = map.column();
    map.Read("resource", &object.resource);
    std::string key;
    map.Read("object", &key);
    const ObjectKey parsed = ObjectKey::Parse(key);
    object.ns = parsed.ns;
    object.name = parsed.name;
    if (key.empty())
      map.Problem("object", "\"object\" is missing: namespace/name, such as default/a");
    else if (parsed.name.empty() || parsed.name.find('/') != std::string::npos) {
      map.Problem("object",
                  fmt::format("\"{}\" is no object; write namespace/name, such as default/a", key));
    }
    ReadBody(map, &object);
    return object;
  }

  // labels, annotations and data are text; body is whatever the kind wants.
  void ReadBody(YamlMap& map, ObjectSpec* object) {
    std::string parts;
    const auto add = [&parts](const std::string& key, const std::string& json) {
      parts += fmt::format("{}\"{}\":{}", parts.empty() ? "" : ",", key, json);
    };
    std::string metadata;
    for (const char* key : {"labels", "annotations"}) {
      const std::optional<std::string> json = ReadTextMap(map, key);
      if (json) metadata += fmt::format("{}\"{}\":{}", metadata.empty() ? "" : ",", key, *json);
    }
    if (!metadata.empty()) add("metadata", "{" + metadata + "}");
    if (const std::optional<std::string> data = ReadTextMap(map, "data")) add("data", *data);
    const YAML::Node body = map.Take("body");
    if (body.IsDefined()) {
      YamlMap fields(body, "\"body\"", problems_);
      for (const auto& [key, value] : fields.TakeAll()) {
        if (key == "metadata" || key == "data" || key == "apiVersion" || key == "kind") {
          fields.Problem(
              key, fmt::format(
                       "\"{}\" does not go into a body: labels, annotations and data have keys of "
                       "their own, the rest is filled in",
                       key));
        }
        add(key, YamlToJson(value, problems_));
      }
    }
    object->body_json = "{" + parts + "}";
  }

  std::optional<std::string> ReadTextMap(YamlMap& map, const std::string& key) {
    const YAML::Node node = map.Take(key);
    if (!node.IsDefined()) return std::nullopt;
    YamlMap texts(node, "\"" + key + "\"", problems_);
    std::string json;
    for (const auto& [name, value] : texts.TakeAll()) {
      if (!value.IsScalar()) texts.Problem(name, fmt::format("\"{}\" is text", name));
      YAML::Node text(value.IsScalar() ? value.Scalar() : "");
      text.SetTag("!");  // text, whatever it looks like
      YAML::Node quoted_name(name);
      quoted_name.SetTag("!");
      json += fmt::format("{}{}:{}", json.empty() ? "" : ",", YamlToJson(quoted_name, problems_),
                          YamlToJson(text, problems_));
    }
    return "{" + json + "}";
  }

  void ReadTrigger(YamlMap& map, TriggerSpec* trigger) {
    map.Read("at", &trigger->at);
    const YAML::Node when = map.Take("when");
    if (map.Has("at") == map.Has("when")) {
      map.Problem(
          "when",
          "a step has either \"at\" (a time) or \"when\" (a request that comes to a point)");
    }
    if (!when.IsDefined()) return;
    trigger->by_place = true;
    YamlMap place(when, "\"when\"", problems_);
    if (!when.IsMap()) return;
    ReadPlace(place, &trigger->place, /*on_connection=*/nullptr);
    trigger->opened = place.ReadWord("once", {"read", "open"}) == 1u;
    place.Read("events", &trigger->events, 1, kEventsMax);
    place.Read("after", &trigger->after);
    place.Finish();
  }

  StepSpec ReadStep(YamlMap& map) {
    StepSpec step;
    step.line = map.line();
    step.column = map.column();
    ReadTrigger(map, &step.trigger);
    for (const char* key : {"on", "nth", "continued", "once", "events", "after", "client"}) {
      if (!map.Has(key)) continue;
      map.Problem(
          key, fmt::format("\"{}\" goes into \"when\": {{when: {{on: watch, {}: ...}}, do: ...}}",
                           key, key));
      map.Take(key);
    }
    const std::optional<size_t> kind = map.ReadWord("do", kStepWords);
    if (!map.Has("do")) map.Problem("do", "\"do\" is missing: what happens in this step");
    if (!kind) {  // which keys belong here only that would tell
      map.Forgive();
      return step;
    }
    step.kind = static_cast<StepSpec::Kind>(*kind);
    using enum StepSpec::Kind;
    if (step.kind == kWrite || step.kind == kPatch) {
      step.object = ReadObject(map);
    } else if (step.kind == kDelete) {
      step.object.line = step.line;
      step.object.column = step.column;
      map.Read("resource", &step.object.resource);
      std::string key;
      map.Read("object", &key);
      step.object.ns = ObjectKey::Parse(key).ns;
      step.object.name = ObjectKey::Parse(key).name;
      if (key.empty())
        map.Problem("object", "\"object\" is missing: namespace/name, such as default/a");
    } else if (step.kind == kCompact) {
      map.Read("learned", &step.learned);
    } else if (step.kind == kRefuse) {
      map.Read("for", &step.length, {.least = Millis(1)});
      if (!map.Has("for"))
        map.Problem("for", "\"for\" is missing: for how long connections are refused");
    }
    ReadReplicaKeys(map, &step);
    return step;
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

ObjectSpec ReadObject(YamlMap& map, YamlProblems* problems) {
  return PartReader(problems).ReadObject(map);
}

StepSpec ReadStep(YamlMap& map, YamlProblems* problems) {
  return PartReader(problems).ReadStep(map);
}

}  // namespace relist
