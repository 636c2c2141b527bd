#include "scenarios/script/scenario.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "scenarios/script/client_parts.h"
#include "scenarios/script/expectation_lines.h"
#include "scenarios/script/fault_parts.h"
#include "scenarios/script/object_parts.h"
#include "scenarios/script/scenario_judge.h"
#include "scenarios/script/scenario_limits.h"
#include "scenarios/script/scenario_notes.h"
#include "scenarios/script/scenario_parts.h"
#include "scenarios/script/yaml_reader.h"
#include "scenarios/script/yaml_text.h"

namespace relist {
namespace {

constexpr int kRateMax = 60;  // of the clock over HTTP

class ScenarioParser {
 public:
  explicit ScenarioParser(const std::string& file, YamlNotes* notes = nullptr)
      : problems_(file, notes) {
    scenario_.file = file;
  }

  Result<Scenario> ParseFaults(const YAML::Node& root) {
    YamlMap map(root, "what is injected", &problems_);
    if (!root.IsMap()) return problems_.ToError();
    scenario_.open = true;
    scenario_.legal = false;
    ReadFaults(map);
    if (scenario_.faults.empty() && problems_.empty())
      map.Problem("faults", "there are no faults here: give \"faults\" one at least");
    return Judged(map);
  }

  Result<Scenario> Parse(const YAML::Node& root) {
    YamlMap map(root, "the scenario", &problems_);
    if (!root.IsMap()) return problems_.ToError();
    ReadTop(map);
    ReadEach(map, "clients", "a client", kClientsMax, [this](YamlMap& m) { AddClient(m); });
    ReadEach(map, "objects", "an object", kObjectsMax, [this](YamlMap& m) {
      ReadObjects(m, scenario_.file, &problems_, &scenario_.objects);
    });
    CheckObjects(map);
    ReadEach(map, "steps", "a step", kStepsMax,
             [this](YamlMap& m) { scenario_.steps.push_back(ReadStep(m, &problems_)); });
    ReadFaults(map);
    if (scenario_.clients.empty()) scenario_.clients.emplace_back();
    ReadExpect(map);
    CheckReplicas();
    return Judged(map);
  }

 private:
  Result<Scenario> Judged(YamlMap& map) {
    map.Finish();
    if (problems_.empty()) JudgeScenario(&scenario_, &problems_);
    if (!problems_.empty()) return problems_.ToError();
    return std::move(scenario_);
  }

  void ReadFaults(YamlMap& map) {
    ReadEach(map, "faults", "a fault", kFaultsMax,
             [this](YamlMap& m) { scenario_.faults.push_back(ReadFault(m, &problems_)); });
  }

  template <class Read>
  void ReadEach(YamlMap& map, const std::string& key, const std::string& what, size_t most,
                Read read) {
    const YAML::Node list = map.Take(key);
    if (!list.IsDefined()) return;
    if (!list.IsSequence())
      return map.Problem(key, fmt::format("\"{}\" is a list: each item starts with \"- \"", key));
    if (list.size() > most) {
      return map.Problem(key,
                         fmt::format("\"{}\" has {} items: at most {}", key, list.size(), most));
    }
    for (const YAML::Node& item : list) {
      YamlMap one(item, what, &problems_);
      if (!item.IsMap()) continue;
      read(one);
      one.Finish();
    }
  }

  void ReadTop(YamlMap& map) {
    map.Read("name", &scenario_.name);
    map.Read("about", &scenario_.about);
    ReadReports(map);
    ReadWorlds(map);
    map.Read("legal", &scenario_.legal);
    map.Read("seed", &scenario_.seed);
    int rate = static_cast<int>(scenario_.rate);
    map.Read("rate", &rate, 1, kRateMax);
    scenario_.rate = rate;
    map.Read("length", &scenario_.length);
    map.Read("calm", &scenario_.calm);
    if (const YAML::Node server = map.Take("server"); server.IsDefined()) ReadServer(server);
    if (const YAML::Node within = map.Take("within"); within.IsDefined()) {
      YamlMap limits(within, "\"within\"", &problems_);
      limits.Read("requests", &scenario_.within_requests, 1, kWithinMax);
      limits.Finish();
    }
    if (scenario_.name.empty() || scenario_.name.find('\n') != std::string::npos ||
        scenario_.name.size() > kNameBytesMax) {
      map.Problem("name",
                  fmt::format("a scenario has a \"name\": one line of at most {} bytes that "
                              "says what it shows",
                              kNameBytesMax));
    }
  }

  // One, or a list of them.
  void ReadReports(YamlMap& map) {
    const YAML::Node node = map.Take("report");
    map.Note("report", {.kind = KeyShape::Kind::kText});
    map.Note("report", {.kind = KeyShape::Kind::kTexts});
    if (!node.IsDefined()) return;
    if (node.IsSequence()) {
      map.ReadTexts("report", &scenario_.reports);
    } else {
      map.Read("report", &scenario_.reports.emplace_back());
    }
    for (const std::string& url : scenario_.reports) {
      if (!url.starts_with("https://") || url.find_first_of(" \"<>") != std::string::npos)
        map.Problem("report", "a \"report\" is where others can read it: https://...");
    }
  }

  void ReadWorlds(YamlMap& map) {
    map.Read("why_sim", &scenario_.why_sim);
    const bool given = map.Has("worlds");
    std::vector<std::string> worlds;
    map.ReadTexts("worlds", &worlds);
    if (!given) return;
    const YAML::Node list = map.Take("worlds");
    if (!list.IsSequence()) return;  // that was told
    if (list.size() == 0) map.Problem("worlds", "\"worlds\" is empty: there are sim and http");
    scenario_.worlds.clear();
    for (const std::string& world : worlds) {
      if (world == "sim")
        scenario_.worlds.push_back(WorldKind::kSim);
      else if (world == "http")
        scenario_.worlds.push_back(WorldKind::kHttp);
      else
        map.Problem("worlds", fmt::format("\"{}\" is no world; there are sim and http", world));
    }
    // Where one of them was misspelt it may have been the other.
    if (scenario_.worlds == std::vector{WorldKind::kSim} && list.size() == 1 &&
        scenario_.why_sim.empty())
      map.Problem("worlds", "a scenario for the simulation only says why: add \"why_sim\"");
  }

  void ReadServer(const YAML::Node& node) {
    YamlMap map(node, "\"server\"", &problems_);
    int64_t window = static_cast<int64_t>(scenario_.watch_window);
    map.Read("window", &window, 1, kWindowMax);
    scenario_.watch_window = static_cast<size_t>(window);
    int64_t buffer = static_cast<int64_t>(scenario_.watcher_buffer);
    map.Read("watcher_buffer", &buffer, 1, kWindowMax);
    scenario_.watcher_buffer = static_cast<size_t>(buffer);
    map.Read("not_ready", &scenario_.not_ready);
    ReadReplicas(map);
    map.Read("bookmark_period", &scenario_.bookmark_period, {.least = kPeriodMin});
    map.Read("timeout_min", &scenario_.timeout_min, {.least = kPeriodMin});
    map.Read("fresh_wait", &scenario_.fresh_wait);
    std::string controllers = "none";
    map.Read("controllers", &controllers);
    const auto which = fakeapi::ParseControllers(controllers);
    if (!which.ok()) map.Problem("controllers", which.error().message());
    if (which.ok()) scenario_.controllers = *which;
    map.Finish();
  }

  // "replicas: 2" and "balance: [0, 1]".
  void ReadReplicas(YamlMap& map) {
    int replicas = 1;
    map.Read("replicas", &replicas, 1, kReplicasMax);
    scenario_.replicas = static_cast<size_t>(replicas);
    std::vector<std::string> balance;
    map.ReadTexts("balance", &balance);
    if (!map.Has("balance")) return;
    if (balance.empty() || balance.size() > kBalanceMax) {
      map.Problem("balance", fmt::format("\"balance\" names 1 to {} replicas", kBalanceMax));
    }
    for (const std::string& one : balance) {
      const bool is_number = one.size() == 1 && one[0] >= '0' && one[0] <= '9';
      if (!is_number || one[0] - '0' >= replicas) {
        map.Problem("balance", fmt::format("\"{}\" is no replica; they are numbered from 0 to {}",
                                           one, replicas - 1));
        continue;
      }
      scenario_.balance.push_back(static_cast<size_t>(one[0] - '0'));
    }
  }

  // What files and "many" made of them.
  void CheckObjects(YamlMap& map) {
    if (scenario_.objects.size() > kObjectsMax) {
      map.Problem("objects", fmt::format("there are {} objects: at most {}",
                                         scenario_.objects.size(), kObjectsMax));
    }
    const size_t bytes = BytesOf(scenario_.objects);
    if (bytes > kManyBytesMax) {
      map.Problem("objects", fmt::format("the objects have {} bytes together: at most {}", bytes,
                                         kManyBytesMax));
    }
  }

  void CheckReplicas() {
    for (const StepSpec& step : scenario_.steps) {
      if (!step.replica || *step.replica < scenario_.replicas) continue;
      problems_.Add(
          step.line, step.column,
          fmt::format("there is no replica {}: \"server: {{replicas: {}}}\" would make it",
                      *step.replica, *step.replica + 1));
    }
  }

  void AddClient(YamlMap& map) {
    ClientSpec client = ReadClient(map, &problems_);
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
    std::set<std::string> askers;
    for (const StepSpec& step : scenario_.steps) {
      if (step.kind != StepSpec::Kind::kAsk || scenario_.FindClient(step.client)) continue;
      const YAML::Node one = expect.Take(step.client);
      if (!askers.insert(step.client).second) continue;
      if (one.IsDefined()) ReadClientExpectation(step.client, one);
    }
    const std::optional<std::vector<ExpectedLine>> verdicts = ReadLines(
        expect, "verdicts", [](const std::string& verdict) { return FlawInVerdict(verdict); });
    if (verdicts) scenario_.verdicts = *verdicts;
    expect.Finish();
  }

  void ReadClientExpectation(const std::string& name, const YAML::Node& node) {
    YamlMap map(node, fmt::format("what \"{}\" must do", name), &problems_);
    ClientExpectation expectation;
    expectation.client = name;
    expectation.line = map.line();
    expectation.column = map.column();
    using FlawFinder = std::optional<std::string>(const std::string&, KnownNames*);
    const auto read = [this, &map](const char* key, FlawFinder* flaw_in) {
      return ReadLines(map, key, [&](const std::string& line) { return flaw_in(line, &names_); });
    };
    expectation.requests = read("requests", FlawInRequestLine);
    expectation.lines = read("lines", FlawInSentLine);
    if (!scenario_.FindClient(name)) {
      expectation.items = read("items", FlawInStoreLine);
    } else {
      if (map.Take("callbacks").IsMap())
        ReadCallbacksOfEach(map.Take("callbacks"), &expectation);
      else
        expectation.callbacks = read("callbacks", FlawInCallbackLine);
      expectation.store = read("store", FlawInStoreLine);
    }
    map.Finish();
    scenario_.expect.push_back(std::move(expectation));
  }

  // "callbacks: {handler: [...], handler2: [...]}": those of which they differ.
  void ReadCallbacksOfEach(const YAML::Node& node, ClientExpectation* expectation) {
    YamlMap map(node, "\"callbacks\"", &problems_);
    const ClientSpec* client = scenario_.FindClient(expectation->client);
    for (size_t i = 0; i < client->handlers.size(); ++i) {
      const std::string name = HandlerName(i);
      const auto lines = ReadLines(map, name.c_str(), [this](const std::string& line) {
        return FlawInCallbackLine(line, &names_);
      });
      if (lines) expectation->callbacks_of[name] = *lines;
    }
    map.Finish();
  }

  // Texts, each judged by itself, with their places; nothing where the key is absent.
  template <class FlawIn>
  std::optional<std::vector<ExpectedLine>> ReadLines(YamlMap& map, const char* key,
                                                     FlawIn flaw_in) {
    std::vector<std::string> texts;
    map.ReadTexts(key, &texts);
    if (!map.Has(key)) return std::nullopt;
    std::vector<ExpectedLine> lines;
    for (const YAML::Node& item : map.Take(key)) {
      if (!item.IsScalar()) continue;
      const std::optional<std::string> flaw = flaw_in(item.Scalar());
      if (flaw) problems_.Add(item.Mark(), *flaw);
      lines.push_back({item.Scalar(), item.Mark().line + 1, item.Mark().column + 1});
    }
    return lines;
  }

  YamlProblems problems_;
  KnownNames names_;
  Scenario scenario_;
};

Result<Scenario> ParseAs(Result<Scenario> (ScenarioParser::*parse)(const YAML::Node&),
                         const std::string& text, const std::string& file,
                         YamlNotes* notes = nullptr) {
  const Result<YAML::Node> root = ReadYamlText(text, file);
  if (!root.ok()) return root.error();
  try {
    ScenarioParser parser(file, notes);
    return (parser.*parse)(*root);
  } catch (const YAML::Exception& e) {
    return Error::Net(Transport::kOther, fmt::format("{}:1:1: {}", file, e.msg));
  }
}

}  // namespace

std::string_view Name(WorldKind kind) {
  return kind == WorldKind::kSim ? "sim" : "http";
}

bool Scenario::RunsIn(WorldKind world) const {
  return std::find(worlds.begin(), worlds.end(), world) != worlds.end();
}

bool Scenario::Expects(const std::string& verdict) const {
  return std::any_of(verdicts.begin(), verdicts.end(),
                     [&verdict](const ExpectedLine& line) { return line.text == verdict; });
}

const ClientSpec* Scenario::FindClient(const std::string& client) const {
  const auto found = std::find_if(clients.begin(), clients.end(),
                                  [&](const ClientSpec& one) { return one.name == client; });
  return found == clients.end() ? nullptr : &*found;
}

bool Scenario::HasAsker(const std::string& client) const {
  return std::any_of(steps.begin(), steps.end(), [&](const StepSpec& step) {
    return step.kind == StepSpec::Kind::kAsk && step.client == client;
  });
}

Result<Scenario> ParseScenario(const std::string& text, const std::string& file) {
  return ParseAs(&ScenarioParser::Parse, text, file);
}

Result<Scenario> ParseFaults(const std::string& body, const std::string& file) {
  return ParseAs(&ScenarioParser::ParseFaults, body, file);
}

void NoteScenario(const std::string& text, YamlNotes* notes) {
  static_cast<void>(ParseAs(&ScenarioParser::Parse, text, "", notes));
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
    if (step.trigger.by_time()) steps.push_back(&step);
  }
  std::stable_sort(steps.begin(), steps.end(), [](const StepSpec* a, const StepSpec* b) {
    return a->trigger.at < b->trigger.at;
  });
  return steps;
}

}  // namespace relist
