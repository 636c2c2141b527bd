// A whole client against a ScriptedServer, on virtual time: for tests of the reflector.
//
//   InformerWorld world;
//   world.server.Then(...);
//   world.RunFor(Seconds(10));
//   EXPECT_EQ(world.Story(), ...);
#pragma once

#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "core/history.h"
#include "core/runtime/sim_port.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"
#include "reflector/testing/scripted_server.h"

namespace relist::testing {

class RecordingHandler : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef& object, bool initial) override {
    calls.push_back(fmt::format("add {}@{}{}", object->key().name, object->resource_version(),
                                initial ? " initial" : ""));
  }
  void OnUpdate(const ObjectRef& old_object, const ObjectRef& object) override {
    calls.push_back(fmt::format("update {}@{}->{}", object->key().name,
                                old_object->resource_version(), object->resource_version()));
  }
  void OnDelete(const Deleted& deleted) override {
    calls.push_back(fmt::format("delete {}@{}{}", deleted.key.name,
                                deleted.object->resource_version(),
                                deleted.final_state_unknown ? " unknown" : ""));
  }
  std::vector<std::string> calls;
};

struct InformerWorldOptions {
  bool streaming_list = false;
  InformerOptions informer;
  RestClientOptions rest;
  Choices* choices = nullptr;  // null: always 0, so delays have no jitter
};

class InformerWorld {
 public:
  explicit InformerWorld(InformerWorldOptions options = {})
      : loop(port, options.choices ? options.choices : &boring_),
        server(port),
        recorder(std::make_shared<Recorder>(loop, &history, "client")),
        rest(loop, Rest(std::move(options.rest))),
        lister(rest, {"", "v1", "configmaps", "ConfigMap"}, "default", {}, recorder),
        informer(loop, lister, Informer(options)),
        scope(loop) {
    listener = *informer.AddEventHandler(handler, {"handler", Seconds(0)});
  }

  void Start() {
    if (!std::exchange(started_, true)) scope.Spawn(informer.Run(stop));
  }
  void RunFor(Duration d) {
    Start();
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }

  // "LIST limit=500&resourceVersion=0" or "WATCH ..." for each request, timeoutSeconds left out,
  // with the time since the start before those that came later than the one before.
  std::vector<std::string> Story() const {
    std::vector<std::string> out;
    TimePoint last = kSimulationEpoch;
    for (const ScriptedServer::Request& request : server.requests()) {
      const Duration pause = request.when - std::exchange(last, request.when);
      if (pause > Duration{}) out.push_back("+" + FormatSeconds(pause));
      out.push_back(Short(request.target));
    }
    return out;
  }
  // Values of one field of the client's lines of one kind.
  std::vector<std::string> Lines(std::string_view what, std::string_view field) const {
    std::vector<std::string> out;
    for (const HistoryEntry& line : history.entries()) {
      if (line.what() == what) out.push_back(line.Get(field));
    }
    return out;
  }
  // Errors that reached the watch error handler.
  int HandledErrors() const {
    int n = 0;
    for (const std::string& handled : Lines("error", "handler")) n += handled == "true";
    return n;
  }

 private:
  static RestClientOptions Rest(RestClientOptions options) {
    options.endpoint = {"server", 80, nullptr};
    options.keep_alive = false;
    return options;
  }
  InformerOptions Informer(InformerWorldOptions& options) {
    InformerOptions out = std::move(options.informer);
    out.reflector.choices = options.choices ? options.choices : &boring_;
    out.reflector.recorder = recorder;
    out.reflector.expected_kind = "ConfigMap";
    out.reflector.streaming_list = options.streaming_list;
    return out;
  }
  static std::string Short(const std::string& target) {
    const size_t mark = target.find('?');
    std::string query = mark == std::string::npos ? "" : target.substr(mark + 1);
    std::string out = query.find("watch=true") == std::string::npos ? "LIST" : "WATCH";
    for (size_t begin = 0; begin < query.size();) {
      const size_t end = std::min(query.find('&', begin), query.size());
      const std::string part = query.substr(begin, end - begin);
      begin = end + 1;
      if (part.starts_with("timeoutSeconds=") || part == "watch=true") continue;
      out += " " + part;
    }
    return out;
  }

 public:
  BoringChoices boring_;
  SimPort port;
  Loop loop;
  History history;
  ScriptedServer server;
  std::shared_ptr<Recorder> recorder;
  RestClient rest;
  RestListerWatcher lister;
  RecordingHandler handler;
  SharedInformer informer;
  std::shared_ptr<Listener> listener;
  Signal stop;
  TaskScope scope;

 private:
  bool started_ = false;
};

}  // namespace relist::testing
