#include "scenarios/scenario.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "core/wire/object_key.h"
#include "scenarios/scenario_judge.h"
#include "scenarios/yaml_reader.h"

namespace relist {
namespace {

constexpr double kRateMax = 60;

const std::vector<std::string> kStepWords = {"write", "patch",   "delete",   "compact",
                                             "evict", "restart", "bookmark", "refuse"};
const std::vector<std::string> kFaultWords = {"status", "error", "close", "cut",  "reset",
                                              "stall",  "split", "delay", "hold", "duplicate"};
const std::vector<std::string> kPlaceWords = {"any", "list", "watch", "streaming-list"};

class ScenarioParser {
 public:
  explicit ScenarioParser(const std::string& file) : problems_(file) { scenario_.file = file; }

  Result<Scenario> Parse(const YAML::Node& root) {
    YamlMap map(root, "the scenario", &problems_);
    ReadTop(map);
    ReadEach(map, "clients", "a client", [this](YamlMap& m) { ReadClient(m); });
    ReadEach(map, "objects", "an object",
             [this](YamlMap& m) { scenario_.objects.push_back(ReadObject(m)); });
    ReadEach(map, "steps", "a step", [this](YamlMap& m) { ReadStep(m); });
    ReadEach(map, "faults", "a fault", [this](YamlMap& m) { ReadFault(m); });
    if (scenario_.clients.empty()) scenario_.clients.emplace_back();
    ReadExpect(map);
    map.Finish();
    if (problems_.empty()) JudgeScenario(&scenario_, &problems_);
    if (!problems_.empty()) return problems_.ToError();
    return std::move(scenario_);
  }

 private:
  template <class Read>
  void ReadEach(YamlMap& map, const std::string& key, const std::string& what, Read read) {
    const YAML::Node list = map.Take(key);
    if (!list.IsDefined()) return;
    if (!list.IsSequence())
      return map.Problem(key, fmt::format("\"{}\" is a list: each item starts with \"- \"", key));
    for (const YAML::Node& item : list) {
      YamlMap one(item, what, &problems_);
      read(one);
      one.Finish();
    }
  }

  void ReadTop(YamlMap& map) {
    map.Read("name", &scenario_.name);
    map.Read("about", &scenario_.about);
    std::vector<std::string> worlds = {"sim", "http"};
    map.ReadTexts("worlds", &worlds);
    scenario_.worlds.clear();
    for (const std::string& world : worlds) {
      if (world == "sim")
        scenario_.worlds.push_back(WorldKind::kSim);
      else if (world == "http")
        scenario_.worlds.push_back(WorldKind::kHttp);
      else
        map.Problem("worlds", fmt::format("\"{}\" is no world; there are sim and http", world));
    }
    map.Read("why_sim", &scenario_.why_sim);
    map.Read("legal", &scenario_.legal);
    int64_t seed = 1;
    map.Read("seed", &seed, 0);
    scenario_.seed = static_cast<uint64_t>(seed);
    int rate = static_cast<int>(scenario_.rate);
    map.Read("rate", &rate, 1);
    if (rate > kRateMax)
      map.Problem("rate", "\"rate\" is at most 60: the clock over HTTP may not run faster");
    scenario_.rate = rate;
    map.Read("length", &scenario_.length);
    map.Read("calm", &scenario_.calm);
    if (const YAML::Node server = map.Take("server"); server.IsDefined()) ReadServer(server);
    if (const YAML::Node within = map.Take("within"); within.IsDefined()) {
      YamlMap limits(within, "\"within\"", &problems_);
      limits.Read("requests", &scenario_.within_requests, 1);
      limits.Finish();
    }
    if (scenario_.name.empty())
      problems_.Add(1, "a scenario has a \"name\": one line that says what it shows");
    if (!scenario_.RunsIn(WorldKind::kHttp) && scenario_.why_sim.empty()) {
      map.Problem("worlds", "a scenario for the simulation only says why: add \"why_sim\"");
    }
  }

  void ReadServer(const YAML::Node& node) {
    YamlMap map(node, "\"server\"", &problems_);
    int64_t window = static_cast<int64_t>(scenario_.watch_window);
    map.Read("window", &window, 1);
    scenario_.watch_window = static_cast<size_t>(window);
    map.Read("bookmark_period", &scenario_.bookmark_period);
    map.Read("timeout_min", &scenario_.timeout_min);
    map.Read("fresh_wait", &scenario_.fresh_wait);
    map.Finish();
  }

  void ReadClient(YamlMap& map) {
    ClientSpec client;
    map.Read("name", &client.name);
    map.Read("resource", &client.resource);
    map.Read("namespace", &client.ns);
    map.Read("selector", &client.label_selector);
    map.Read("fields", &client.field_selector);
    map.Read("streaming_list", &client.streaming_list);
    map.Read("page_size", &client.page_size, 0);
    map.Read("handlers", &client.handlers, 1);
    map.Read("watch_deadline", &client.watch_deadline);
    map.Read("deadline_margin", &client.watch_deadline_margin);
    map.Read("min_watch_timeout", &client.min_watch_timeout);
    map.Read("start", &client.start);
    for (const char* taken : {"server", "run", "verdicts"}) {
      if (client.name == taken)
        map.Problem("name", fmt::format("\"{}\" cannot be a client's name: it means something else",
                                        taken));
    }
    for (const ClientSpec& other : scenario_.clients) {
      if (other.name == client.name) {
        map.Problem(
            "name",
            fmt::format("two clients are called \"{}\": give each a name of its own", client.name));
      }
    }
    scenario_.clients.push_back(std::move(client));
  }

  ObjectSpec ReadObject(YamlMap& map) {
    ObjectSpec object;
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
      YamlMap fields(body, "\"body\"", &problems_);
      for (const auto& [key, value] : fields.TakeAll()) {
        if (key == "metadata" || key == "data" || key == "apiVersion" || key == "kind") {
          fields.Problem(
              key, fmt::format(
                       "\"{}\" does not go into a body: labels, annotations and data have keys of "
                       "their own, the rest is filled in",
                       key));
        }
        add(key, YamlToJson(value, &problems_));
      }
    }
    object->body_json = "{" + parts + "}";
  }

  std::optional<std::string> ReadTextMap(YamlMap& map, const std::string& key) {
    const YAML::Node node = map.Take(key);
    if (!node.IsDefined()) return std::nullopt;
    YamlMap texts(node, "\"" + key + "\"", &problems_);
    std::string json;
    for (const auto& [name, value] : texts.TakeAll()) {
      if (!value.IsScalar()) texts.Problem(name, fmt::format("\"{}\" is text", name));
      YAML::Node text(value.IsScalar() ? value.Scalar() : "");
      text.SetTag("!");  // text, whatever it looks like
      YAML::Node quoted_name(name);
      quoted_name.SetTag("!");
      json += fmt::format("{}{}:{}", json.empty() ? "" : ",", YamlToJson(quoted_name, &problems_),
                          YamlToJson(text, &problems_));
    }
    return "{" + json + "}";
  }

  void ReadPlace(YamlMap& map, PlaceSpec* place, bool* on_connection) {
    std::vector<std::string> words = kPlaceWords;
    if (on_connection) words.push_back("connection");
    const std::optional<size_t> verb = map.ReadWord("on", words);
    if (!map.Has("on"))
      map.Problem("on", fmt::format("\"on\" is missing: which requests are meant ({})",
                                    "any, list, watch, streaming-list"));
    if (verb && *verb < kPlaceWords.size())
      place->verb = static_cast<PlaceSpec::Verb>(*verb);
    else if (verb)
      *on_connection = true;
    map.Read("client", &place->client);
    map.Read("resource", &place->resource);
    map.Read("continued", &place->continued);
    std::string nth = "1";
    map.Read("nth", &nth);
    if (!ParseNth(nth, place)) {
      map.Problem(
          "nth", fmt::format(
                     "\"nth\" is a number from 1, a range such as 2-4, or every, not \"{}\"", nth));
    }
  }

  static bool ParseNth(const std::string& text, PlaceSpec* place) {
    if (text == "every") {
      place->first = 1;
      place->last = kEvery;
      return true;
    }
    const size_t dash = text.find('-');
    const auto number = [](const std::string& digits) {
      const bool good = !digits.empty() && digits.size() < 8 &&
                        digits.find_first_not_of("0123456789") == std::string::npos;
      return good ? std::stoi(digits) : 0;
    };
    place->first = number(text.substr(0, dash));
    place->last = dash == std::string::npos ? place->first : number(text.substr(dash + 1));
    return place->first >= 1 && place->last >= place->first;
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
    YamlMap place(when, "\"when\"", &problems_);
    ReadPlace(place, &trigger->place, nullptr);
    trigger->opened = place.ReadWord("once", {"read", "open"}) == 1u;
    place.Read("events", &trigger->events, 1);
    place.Read("after", &trigger->after);
    place.Finish();
  }

  void ReadStep(YamlMap& map) {
    StepSpec step;
    step.line = map.line();
    ReadTrigger(map, &step.trigger);
    const std::optional<size_t> kind = map.ReadWord("do", kStepWords);
    if (!map.Has("do")) map.Problem("do", "\"do\" is missing: what happens in this step");
    if (kind) step.kind = static_cast<StepSpec::Kind>(*kind);
    using enum StepSpec::Kind;
    if (step.kind == kWrite || step.kind == kPatch) {
      step.object = ReadObject(map);
    } else if (step.kind == kDelete) {
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
      map.Read("for", &step.length);
      if (!map.Has("for"))
        map.Problem("for", "\"for\" is missing: for how long connections are refused");
    }
    scenario_.steps.push_back(std::move(step));
  }

  void ReadFault(YamlMap& map) {
    FaultSpec fault;
    fault.line = map.line();
    ReadPlace(map, &fault.place, &fault.on_connection);
    const std::optional<size_t> kind = map.ReadWord("fault", kFaultWords);
    if (!map.Has("fault")) map.Problem("fault", "\"fault\" is missing: what goes wrong here");
    if (kind) fault.kind = static_cast<FaultSpec::Kind>(*kind);
    if (map.Has("events")) {
      int events = 0;
      map.Read("events", &events, 0);
      fault.events = events;
    } else {
      map.Take("events");
    }
    ReadFaultDetails(map, &fault);
    scenario_.faults.push_back(std::move(fault));
  }

  void ReadFaultDetails(YamlMap& map, FaultSpec* fault) {
    using enum FaultSpec::Kind;
    const FaultSpec::Kind kind = fault->kind;
    int64_t bytes = 0, every = 0;
    if (kind == kCutFin || kind == kCutReset || kind == kStall || kind == kSplit || kind == kHold) {
      map.Read("bytes", &bytes, 0);
    }
    if (kind == kSplit) {
      map.Read("every", &every, 1);
      if (bytes == 0 && every == 0)
        map.Problem("bytes",
                    "a split needs \"bytes\" (where), \"every\" (pieces of this size), or both");
    }
    fault->bytes = static_cast<uint64_t>(bytes);
    fault->every = static_cast<uint64_t>(every);
    if (kind == kDelay || kind == kHold) {
      map.Read("for", &fault->length);
      if (!map.Has("for")) map.Problem("for", "\"for\" is missing: for how long");
    }
    if (kind == kStatus || kind == kError) {
      map.Read("code", &fault->code, 100);
      if (!map.Has("code")) map.Problem("code", "\"code\" is missing: 410, 429, 500 ...");
      if (fault->code > 599) map.Problem("code", "\"code\" is an HTTP status, 100 to 599");
      map.Read("reason", &fault->reason);
      map.Read("message", &fault->message);
    }
    if (kind == kStatus) {
      map.Read("plain", &fault->plain);
      map.ReadPairs("headers", &fault->headers);
    }
  }

  void ReadExpect(YamlMap& map) {
    const YAML::Node node = map.Take("expect");
    if (!node.IsDefined()) return;
    YamlMap expect(node, "\"expect\"", &problems_);
    for (const ClientSpec& client : scenario_.clients) {
      const YAML::Node one = expect.Take(client.name);
      if (one.IsDefined()) ReadClientExpectation(client.name, one);
    }
    expect.ReadTexts("verdicts", &scenario_.verdicts);
    expect.Finish();
  }

  void ReadClientExpectation(const std::string& name, const YAML::Node& node) {
    YamlMap map(node, fmt::format("what \"{}\" must do", name), &problems_);
    ClientExpectation expectation;
    expectation.client = name;
    expectation.line = map.line();
    const auto read = [&map](const char* key, std::optional<std::vector<std::string>>* into) {
      std::vector<std::string> lines;
      map.ReadTexts(key, &lines);
      if (map.Has(key)) *into = std::move(lines);
    };
    read("requests", &expectation.requests);
    read("callbacks", &expectation.callbacks);
    read("store", &expectation.store);
    map.Finish();
    scenario_.expect.push_back(std::move(expectation));
  }

  YamlProblems problems_;
  Scenario scenario_;
};

}  // namespace

std::string_view Name(WorldKind kind) {
  return kind == WorldKind::kSim ? "sim" : "http";
}

std::string_view Name(StepSpec::Kind kind) {
  return kStepWords[static_cast<size_t>(kind)];
}

std::string_view Name(FaultSpec::Kind kind) {
  return kFaultWords[static_cast<size_t>(kind)];
}

bool Scenario::RunsIn(WorldKind world) const {
  return std::find(worlds.begin(), worlds.end(), world) != worlds.end();
}

Result<Scenario> ParseScenario(const std::string& text, const std::string& file) {
  try {
    return ScenarioParser(file).Parse(YAML::Load(text));
  } catch (const YAML::Exception& e) {
    // yaml-cpp counts from 0, and names no place where it has none.
    const int line = std::max(e.mark.line, 0) + 1;
    const int column = std::max(e.mark.column, 0) + 1;
    return Error::Net(
        Transport::kOther,
        fmt::format(
            "{}:{}:{}: this is not YAML: {} (keys of one map stand under each other, indented with "
            "spaces)",
            file, line, column, e.msg));
  }
}

Result<Scenario> LoadScenario(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error::Net(Transport::kOther, fmt::format("{}: cannot be read", path));
  std::stringstream text;
  text << in.rdbuf();
  return ParseScenario(text.str(), path);
}

}  // namespace relist
