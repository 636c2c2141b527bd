#include "scenarios/scenario.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "scenarios/scenario_judge.h"
#include "scenarios/scenario_parts.h"
#include "scenarios/yaml_reader.h"
#include "scenarios/yaml_text.h"

namespace relist {
namespace {

constexpr double kRateMax = 60;

class ScenarioParser {
 public:
  explicit ScenarioParser(const std::string& file) : problems_(file) { scenario_.file = file; }

  Result<Scenario> Parse(const YAML::Node& root) {
    YamlMap map(root, "the scenario", &problems_);
    ReadTop(map);
    ReadEach(map, "clients", "a client", [this](YamlMap& m) { ReadClient(m); });
    ReadEach(map, "objects", "an object",
             [this](YamlMap& m) { scenario_.objects.push_back(ReadObject(m, &problems_)); });
    ReadEach(map, "steps", "a step",
             [this](YamlMap& m) { scenario_.steps.push_back(ReadStep(m, &problems_)); });
    ReadEach(map, "faults", "a fault",
             [this](YamlMap& m) { scenario_.faults.push_back(ReadFault(m, &problems_)); });
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

bool Scenario::RunsIn(WorldKind world) const {
  return std::find(worlds.begin(), worlds.end(), world) != worlds.end();
}

Result<Scenario> ParseScenario(const std::string& text, const std::string& file) {
  const Result<YAML::Node> root = ReadYamlText(text, file);
  if (!root.ok()) return root.error();
  try {
    return ScenarioParser(file).Parse(*root);
  } catch (const YAML::Exception& e) {
    return Error::Net(Transport::kOther, fmt::format("{}:1:1: {}", file, e.msg));
  }
}

Result<Scenario> LoadScenario(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error::Net(Transport::kOther, fmt::format("{}: cannot be read", path));
  std::stringstream text;
  text << in.rdbuf();
  return ParseScenario(text.str(), path);
}

std::vector<const StepSpec*> StepsByTime(const Scenario& scenario) {
  std::vector<const StepSpec*> steps;
  for (const StepSpec& step : scenario.steps) {
    if (!step.trigger.by_place) steps.push_back(&step);
  }
  std::stable_sort(steps.begin(), steps.end(), [](const StepSpec* a, const StepSpec* b) {
    return a->trigger.at < b->trigger.at;
  });
  return steps;
}

}  // namespace relist
