// An informer on a FakeSource, on virtual time: for tests of informers and what handlers are told.
//
//   SourceWorld world;
//   world.source.Add({.name = "a"});
//   world.RunFor(Seconds(1));
//   EXPECT_THAT(world.handler.calls, ElementsAre("add a@1 initial"));
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/runtime/sim_port.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/testing/fake_source.h"
#include "reflector/testing/informer_world.h"

namespace relist::testing {

// The loop and the source; informers are for the test to make.
struct SourceBench {
  SourceBench() : loop(port), log(std::make_shared<CollectedLog>()) {}

  InformerOptions Options() {
    InformerOptions options;
    options.reflector.choices = &boring;
    options.log = log;
    return options;
  }
  void RunFor(Duration d) {
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }

  BoringChoices boring;
  SimPort port;
  Loop loop;
  std::shared_ptr<CollectedLog> log;
  FakeSource source;
};

// With one shared informer that has one handler.
struct SourceWorld : SourceBench {
  explicit SourceWorld(InformerOptions options = {}, HandlerOptions handler_options = {})
      : informer(loop, source, Completed(std::move(options))), scope(loop) {
    listener = *informer.AddEventHandler(handler, handler_options);
  }

  void Start() {
    if (!std::exchange(started_, true)) scope.Spawn(informer.Run(stop));
  }
  void RunFor(Duration d) {
    Start();
    SourceBench::RunFor(d);
  }

 private:
  InformerOptions Completed(InformerOptions options) {
    options.reflector.choices = &boring;
    options.log = log;
    return options;
  }

 public:
  RecordingHandler handler;
  SharedInformer informer;
  std::shared_ptr<Listener> listener;
  Signal stop;
  TaskScope scope;

 private:
  bool started_ = false;
};

}  // namespace relist::testing
