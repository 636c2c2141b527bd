// A RestClient against a ScriptedServer, on virtual time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/sim_port.h"
#include "reflector/rest/rest_client.h"
#include "reflector/testing/scripted_server.h"

namespace relist::testing {

inline Task<void> GetInto(RestClient& rest, std::string target, std::shared_ptr<Recorder> recorder,
                          Signal& stop, std::optional<Result<HttpAnswer>>* into) {
  Task<Result<HttpAnswer>> task = rest.Get(target, "LIST", recorder, stop);
  into->emplace(co_await task);
}

inline Task<void> WatchInto(RestClient& rest, std::string target, std::optional<Duration> timeout,
                            Signal& stop,
                            std::optional<Result<std::unique_ptr<WatchStream>>>* into) {
  Task<Result<std::unique_ptr<WatchStream>>> task = rest.Watch(target, timeout, nullptr, stop);
  into->emplace(co_await task);
}

inline Task<void> DoInto(RestClient& rest, RestRequest request, Signal& stop,
                         std::optional<Result<HttpAnswer>>* into) {
  Task<Result<HttpAnswer>> task = rest.Do(request, stop);
  into->emplace(co_await task);
}

struct RestBench {
  explicit RestBench(RestClientOptions options = {})
      : loop(port),
        server(port),
        recorder(std::make_shared<Recorder>(loop, &history, "client")),
        rest(loop, WithEndpoint(std::move(options))),
        scope(loop) {}

  static RestClientOptions WithEndpoint(RestClientOptions options) {
    options.endpoint = {"server", 8001, nullptr};
    return options;
  }
  Result<HttpAnswer> Get(const std::string& target = "/x") {
    std::optional<Result<HttpAnswer>> result;
    scope.Spawn(GetInto(rest, target, recorder, stop, &result));
    loop.RunUntil([&] { return result.has_value(); }, loop.Now() + Seconds(1000));
    CHECK(result.has_value(), "it never came back");
    return std::move(*result);
  }
  Result<HttpAnswer> Do(RestRequest request) {
    std::optional<Result<HttpAnswer>> result;
    scope.Spawn(DoInto(rest, std::move(request), stop, &result));
    loop.RunUntil([&] { return result.has_value(); }, loop.Now() + Seconds(1000));
    CHECK(result.has_value(), "it never came back");
    return std::move(*result);
  }
  Result<std::unique_ptr<WatchStream>> Watch(std::optional<Duration> timeout = {}) {
    std::optional<Result<std::unique_ptr<WatchStream>>> result;
    scope.Spawn(WatchInto(rest, "/w?watch=true", timeout, stop, &result));
    loop.RunUntil([&] { return result.has_value(); }, loop.Now() + Seconds(1000));
    CHECK(result.has_value(), "it never came back");
    return std::move(*result);
  }
  void RunFor(Duration d) {
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }
  Duration Elapsed() const { return loop.Now() - kSimulationEpoch; }
  // When each request came, in milliseconds.
  std::vector<int64_t> Times() const {
    std::vector<int64_t> out;
    for (const auto& request : server.requests()) {
      out.push_back((request.when - kSimulationEpoch) / Millis(1));
    }
    return out;
  }

  SimPort port;
  Loop loop;
  History history;
  ScriptedServer server;
  std::shared_ptr<Recorder> recorder;
  RestClient rest;
  Signal stop;
  TaskScope scope;
};

inline Step Eof() {
  Step step;
  return step.FinishAfter({});
}
inline Step ResetStep() {
  Step step;
  return step.ResetAfter({});
}

}  // namespace relist::testing
