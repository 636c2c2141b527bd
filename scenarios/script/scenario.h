// A scenario: what the world looks like, what goes wrong in it, and what must be seen. Written in
// YAML (README.md has the format), read once, then plain data for both worlds.
//
//   Result<Scenario> scenario = LoadScenario("scenarios/cases/silent_expiry.yaml");
//   if (!scenario.ok()) Print(scenario.error().message());   // "silent_expiry.yaml:12:5: unknown
//   key ..."
//
// Reading judges everything that can be judged without running: unknown and doubled keys, wrong
// types, wrong indents, and triggers that can never come true. Times are lengths since the start of
// the run. Values; no thread affinity.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "fakeapi/controllers/controller_set.h"
#include "scenarios/script/client_spec.h"
#include "scenarios/script/fault_spec.h"
#include "scenarios/script/step_spec.h"

namespace relist {

enum class WorldKind { kSim, kHttp };
std::string_view Name(WorldKind kind);  // "sim", "http"

// What a client must be seen to do, by hand: patterns (expectations.h has their language) for all
// requests and all callbacks of one handler, in order, and the keys of its store at the end.
struct ExpectedLine {
  std::string text;
  int line = 0, column = 1;
};

// `lines` are those that it was sent on its watches, `items` the keys of the last list that it
// asked for by an "ask". What asks and is no informer has neither callbacks nor a store.
struct ClientExpectation {
  std::string client;
  std::optional<std::vector<ExpectedLine>> requests, callbacks, store, lines, items;
  std::map<std::string, std::vector<ExpectedLine>> callbacks_of;  // one handler each
  int line = 0, column = 1;
};

struct Scenario {
  std::string file, name, about;
  std::vector<std::string> reports;  // URLs of what somebody told of it
  std::vector<WorldKind> worlds = {WorldKind::kSim, WorldKind::kHttp};
  std::string why_sim;  // why not over HTTP
  bool legal = true;    // the server does nothing here that a real one may not do
  bool open = false;    // clients come that it does not name, as to a server that runs
  uint64_t seed = 1;
  double rate = 60;  // of the clock, over HTTP
  size_t watch_window = 1000;
  size_t watcher_buffer = 1000;  // as the server's options
  Duration not_ready{};
  size_t replicas = 1;          // apiservers over one etcd
  std::vector<size_t> balance;  // where connections go, round and round; empty: to replica 0
  Duration bookmark_period = Seconds(60);
  Duration timeout_min = Seconds(1800);
  Duration fresh_wait = Seconds(3);
  fakeapi::ControllerSet controllers;  // none, unless the script says so
  std::vector<ClientSpec> clients;
  std::vector<ObjectSpec> objects;
  std::vector<StepSpec> steps;
  std::vector<FaultSpec> faults;
  Duration length{};  // chaos lasts so long; default: to the last step by time, and a second
  Duration calm = Seconds(120);  // at least; the runner adds what open deadlines ask for
  int within_requests = 40;      // by then, after the last fault, each client must have converged
  std::vector<ClientExpectation> expect;
  std::vector<ExpectedLine> verdicts;  // "faithful: WCH-05": what the checkers are expected to say

  bool RunsIn(WorldKind world) const;
  bool Expects(const std::string& verdict) const;
  const ClientSpec* FindClient(const std::string& client) const;  // null: none is called that
  bool HasAsker(const std::string& client) const;                 // of an "ask"
};

// The object that is written at the end of a run, and left out of what is expected.
inline constexpr char kSentinel[] = "relist-sentinel";

// `file` is for messages, and what the scenario's `file:` keys name lies beside it. The Error has a
// line for each mistake: "FILE:LINE:COLUMN: what is wrong; what would be right".
Result<Scenario> ParseScenario(const std::string& text, const std::string& file);
Result<Scenario> LoadScenario(const std::string& path);
// Faults for a server that runs: a JSON object with `faults:` alone. Whoever comes may be meant, by
// its User-Agent, and the server may do what no right one does: the scenario is open, and not
// legal.
Result<Scenario> ParseFaults(const std::string& body, const std::string& file);

// The steps that are due at a time, in the order of time; of the same time, as in the file. They
// point into `scenario`.
std::vector<const StepSpec*> StepsByTime(const Scenario& scenario);

}  // namespace relist
