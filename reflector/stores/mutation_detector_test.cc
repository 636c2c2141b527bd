#include "reflector/stores/mutation_detector.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/runtime/sim_port.h"
#include "reflector/testing/informer_world.h"

namespace relist {
namespace mutation_detector_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ObjectRef Make(const std::string& name) {
  return *Object::Parse(R"({"metadata":{"name":")" + name +
                        R"(","namespace":"default","labels":{"check":"foo"}}})");
}

nlohmann::json& Mutable(const ObjectRef& object) {
  return const_cast<nlohmann::json&>(object->json());
}

struct Bench {
  Bench()
      : loop(port), detector(loop, {.name = "pods", .on_mutation = [this](const std::string& what) {
                                      told.push_back(what);
                                    }}) {}
  SimPort port;
  Loop loop;
  std::vector<std::string> told;
  MutationDetector detector;
};

TEST(MutationDetector, NamesTheObjectAndWhatWasChangedInIt) {
  Bench bench;
  const ObjectRef a = Make("a"), b = Make("b");
  bench.detector.AddObject(a);
  bench.detector.AddObject(b);
  bench.detector.Compare();
  EXPECT_THAT(bench.told, IsEmpty());
  Mutable(b)["metadata"]["labels"]["change"] = "true";
  bench.detector.Compare();
  EXPECT_THAT(bench.told, ElementsAre("cache pods modified: default/b: /metadata/labels/change"));
}

TEST(MutationDetector, SeesChangedBytesAndChangedHeads) {
  Bench bench;
  const ObjectRef a = Make("a"), b = Make("b");
  bench.detector.AddObject(a);
  bench.detector.AddObject(b);
  const_cast<std::string&>(a->bytes())[3] = 'X';
  const_cast<std::string&>(b->resource_version()) = "9";
  bench.detector.Compare();
  EXPECT_THAT(bench.told, ElementsAre("cache pods modified: default/a: bytes from 3 on; "
                                      "default/b: its name, its version, or what hangs on it"));
}

TEST(MutationDetector, LooksAtWhatHangsOnAnObject) {
  SimPort port;
  Loop loop(port);
  uint64_t typed = 1;
  std::string told;
  MutationDetector detector(loop,
                            {.more = [&typed](const Object&) { return typed; },
                             .on_mutation = [&told](const std::string& what) { told = what; }});
  detector.AddObject(Make("a"));
  detector.Compare();
  EXPECT_EQ(told, "");
  typed = 2;
  detector.Compare();
  EXPECT_THAT(told, HasSubstr("default/a: its name, its version, or what hangs on it"));
}

TEST(MutationDetector, LooksAtOtherThingsByANumber) {
  Bench bench;
  auto count = std::make_shared<uint64_t>(1);
  bench.detector.Add("typed default/a", [count] { return *count; });
  bench.detector.Compare();
  *count = 2;
  bench.detector.Compare();
  EXPECT_THAT(bench.told, ElementsAre("cache pods modified: typed default/a: its value"));
}

TEST(MutationDetector, LooksEverySecondAndForgetsAfterTwoToFourMinutes) {
  Bench bench;
  Signal stop;
  TaskScope scope(bench.loop);
  scope.Spawn(bench.detector.Run(stop));
  const auto run_for = [&bench](Duration d) {
    bench.loop.RunUntil([] { return false; }, bench.loop.Now() + d);
  };
  const ObjectRef a = Make("a");
  bench.detector.AddObject(a);
  run_for(Seconds(239));
  EXPECT_EQ(bench.detector.watched(), 1u);
  Mutable(a)["x"] = 1;
  run_for(Millis(1001));
  EXPECT_EQ(bench.told.size(), 1u);
  run_for(Seconds(4));
  EXPECT_EQ(bench.detector.watched(), 0u);
  const size_t told = bench.told.size();
  run_for(Seconds(10));
  EXPECT_EQ(bench.told.size(), told);
  stop.Set();
  run_for(Seconds(1));
  EXPECT_TRUE(scope.empty());
}

// A handler that changes what it is given.
class Meddler : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef& object, bool) override { Mutable(object)["meddled"] = true; }
  void OnUpdate(const ObjectRef&, const ObjectRef&) override {}
  void OnDelete(const Deleted&) override {}
};

// TestMutationDetector
TEST(MutationDetector, FailsTheInformerWhoseHandlerMeddles) {
  for (bool on : {false, true}) {
    testing::InformerWorldOptions options;
    options.informer.mutation_detector = on;
    testing::InformerWorld world(std::move(options));
    Meddler meddler;
    ASSERT_TRUE(world.informer.AddEventHandler(meddler).ok());
    world.server.Then(testing::ListOf("10", {testing::Item("a", "7")}));
    std::string failed;
    try {
      world.RunFor(Seconds(3));
    } catch (const CheckFailed& failure) {
      failed = failure.what();
    }
    if (!on) {
      EXPECT_EQ(failed, "");
    } else {
      EXPECT_THAT(failed, HasSubstr("modified: default/a: /meddled"));
    }
  }
}

TEST(MutationDetector, ReadsTheEnvironmentAsGoReadsTruth) {
  for (const auto& [value, on] : {std::pair<const char*, bool>{"true", true},
                                  {"1", true},
                                  {"T", true},
                                  {"yes", false},
                                  {"0", false},
                                  {"", false}}) {
    ::setenv("KUBE_CACHE_MUTATION_DETECTOR", value, 1);
    EXPECT_EQ(MutationDetectorFromEnvironment(), on) << value;
  }
  ::unsetenv("KUBE_CACHE_MUTATION_DETECTOR");
  EXPECT_FALSE(MutationDetectorFromEnvironment());
}

}  // namespace mutation_detector_test
}  // namespace relist
