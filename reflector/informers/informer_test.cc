#include "reflector/informers/informer.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "reflector/informers/unshared_informer.h"
#include "reflector/testing/source_world.h"

namespace relist {
namespace informer_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::SourceBench;

// A T of somebody's own: a number, and a text that may be left out.
struct Widget {
  int size = 0;
  std::string colour;
};

int reads = 0;

void from_json(const nlohmann::json& from, Widget& into) {
  ++reads;
  const nlohmann::json& spec = from.at("spec");
  spec.at("size").get_to(into.size);
  into.colour = spec.value("colour", "");
}

// "spec": a size, as it is written.
testing::FakeItem WidgetItem(const std::string& name, const std::string& size,
                             const std::string& colour = "") {
  return {.name = name, .fields = R"("spec":{"size":)" + size + R"(,"colour":")" + colour + "\"}"};
}

struct WidgetRecorder : TypedResourceEventHandler<Widget> {
  void OnAdd(const TypedRef<Widget>& widget, bool initial) override {
    calls.push_back("add " + Text(widget) + (initial ? " initial" : ""));
    seen.push_back(widget);
  }
  void OnUpdate(const TypedRef<Widget>& old_widget, const TypedRef<Widget>& widget) override {
    calls.push_back("update " + Text(old_widget) + "->" + Text(widget));
    seen.push_back(widget);
  }
  void OnDelete(const TypedDeleted<Widget>& deleted) override {
    calls.push_back("delete " + deleted.key.name + " " + Text(deleted.object) +
                    (deleted.final_state_unknown ? " unknown" : ""));
  }
  static std::string Text(const TypedRef<Widget>& widget) {
    return widget.key().name + "=" + std::to_string(widget->size) + "@" + widget.resource_version();
  }
  std::vector<std::string> calls;
  std::vector<TypedRef<Widget>> seen;
};

struct WidgetWorld : SourceBench {
  explicit WidgetWorld(InformerOptions options = {}, std::function<void(Widget&)> transform = {})
      : informer(loop, source, Completed(std::move(options)), std::move(transform)), scope(loop) {
    EXPECT_TRUE(informer.AddEventHandler(handler).ok());
    reads = 0;
  }
  InformerOptions Completed(InformerOptions options) {
    options.reflector.choices = &boring;
    options.log = log;
    options.description = "widgets";
    return options;
  }
  void RunFor(Duration d) {
    if (!std::exchange(started, true)) scope.Spawn(informer.Run(stop));
    SourceBench::RunFor(d);
  }

  WidgetRecorder handler;
  Informer<Widget> informer;
  Signal stop;
  TaskScope scope;
  bool started = false;
};

TEST(Informer, TellsItsHandlersOfTs) {  // INF-14
  WidgetWorld world;
  world.source.Add(WidgetItem("a", "1"));
  world.RunFor(Seconds(1));
  world.source.Modify(WidgetItem("a", "2"));
  world.source.Add(WidgetItem("b", "3"));
  world.source.Delete(WidgetItem("a", "2"));
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a=1@1 initial", "update a=1@1->a=2@2",
                                               "add b=3@3", "delete a a=2@4"));
  EXPECT_TRUE(world.informer.HasSynced());
}

TEST(Informer, ParsesAVersionOnceForAll) {  // INF-14
  WidgetWorld world;
  WidgetRecorder second;
  ASSERT_TRUE(world.informer.AddEventHandler(second).ok());
  ASSERT_TRUE(world.informer
                  .AddIndexer("size",
                              [](const Widget& widget) -> std::vector<std::string> {
                                return {std::to_string(widget.size)};
                              })
                  .ok());
  world.source.Add(WidgetItem("a", "1"));
  world.source.Add(WidgetItem("b", "1"));
  world.RunFor(Seconds(1));
  ASSERT_EQ(world.handler.seen.size(), 2u);
  EXPECT_EQ(reads, 2);
  EXPECT_EQ(world.handler.seen[0].get(), second.seen[0].get());
  EXPECT_EQ(world.informer.indexer().Get({"default", "a"}).get(), second.seen[0].get());
  EXPECT_EQ(world.informer.indexer().ByIndex("size", "1")->size(), 2u);
  EXPECT_EQ(
      world.informer.lister({"example.com", "v1", "widgets"}).Namespace("default").Get("a")->get(),
      second.seen[0].get());
  EXPECT_EQ(reads, 2);
}

TEST(Informer, HandsOutTsThatOutliveItAndTheirRawObjects) {
  std::shared_ptr<const Widget> kept;
  {
    WidgetWorld world;
    world.source.Add(WidgetItem("a", "7", "red"));
    world.RunFor(Seconds(1));
    const TypedRef<Widget>& widget = world.handler.seen.at(0);
    EXPECT_THAT(widget.object()->bytes(), ::testing::HasSubstr(R"("colour":"red")"));
    EXPECT_EQ((*widget).colour, "red");
    kept = widget.shared();
  }
  EXPECT_EQ(kept->size, 7);
  EXPECT_FALSE(TypedRef<Widget>());
  EXPECT_FALSE(TypedRef<Widget>(MakeObject({.name = "a"}, "1")));
}

TEST(Informer, TransformsATBeforeAnybodySeesIt) {  // INF-11
  int transformed = 0;
  WidgetWorld world({}, [&transformed](Widget& widget) {
    ++transformed;
    widget.size *= 10;
  });
  world.source.Add(WidgetItem("a", "1"));
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a=10@1 initial"));
  EXPECT_EQ(transformed, 1);
}

TEST(Informer, LeavesOutWhatNoTCanBeMadeOfAndKeepsItsNeighbours) {
  for (const bool atomic : {true, false}) {
    InformerOptions options;
    options.atomic_fifo = atomic;
    WidgetWorld world(options);
    world.source.Add(WidgetItem("a", "1"));
    world.source.Add(WidgetItem("bad", "\"big\""));
    world.source.Add(WidgetItem("c", "3"));
    world.RunFor(Seconds(1));
    EXPECT_THAT(world.handler.calls, ElementsAre("add a=1@1 initial", "add c=3@3 initial"));
    EXPECT_TRUE(world.informer.HasSynced());
    EXPECT_EQ(world.informer.unreadable(), 1);
    EXPECT_THAT(world.log->lines(),
                ElementsAre("W widgets: default/bad at version 2 cannot be read, and is left out: "
                            "[json.exception.type_error.302] type must be number, but is string"));
    EXPECT_EQ(world.informer.indexer().size(), 2u);
    // Mended, it is new.
    world.source.Modify(WidgetItem("bad", "2"));
    world.RunFor(Seconds(1));
    EXPECT_EQ(world.handler.calls.back(), "add bad=2@4");
  }
}

TEST(Informer, KeepsTheLastVersionThatCouldBeRead) {
  WidgetWorld world;
  world.source.Add(WidgetItem("a", "1"));
  world.RunFor(Seconds(1));
  world.source.Modify(WidgetItem("a", "null"));
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a=1@1 initial"));
  EXPECT_EQ(world.informer.indexer().Get({"default", "a"})->size, 1);
  EXPECT_EQ(world.informer.raw().last_sync_resource_version(), "2");
  // A relist does not make it look deleted.
  world.source.AddDropWatch(WidgetItem("b", "5"));
  world.source.ResetWatch();
  world.RunFor(Seconds(5));
  EXPECT_THAT(world.handler.calls,
              ElementsAre("add a=1@1 initial", "update a=1@1->a=1@1", "add b=5@3"));
  world.source.Delete(WidgetItem("a", "null"));
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.handler.calls.back(), "delete a a=1@1 unknown");
  EXPECT_EQ(world.informer.unreadable(), 3);
}

TEST(Informer, TakesObjectsWithoutMetadataAndLeavesOutWhatItCannotTakeOfThem) {
  const auto reader = TypedReader::Of<Widget>("widgets", nullptr);
  const auto read = [&reader](const std::string& bytes) {
    return reader->Read(**Object::Parse(bytes));
  };
  EXPECT_TRUE(read(R"({"spec":{"size":1}})"));
  EXPECT_TRUE(read(R"({"metadata":null,"spec":{"size":1}})"));
  EXPECT_TRUE(read(R"({"spec":{"size":"x"},"spec":{"size":1}})"));  // the last one counts
  EXPECT_FALSE(read("{}"));
  EXPECT_FALSE(read(R"({"spec":null})"));
  EXPECT_FALSE(read(R"({"spec":{"size":null}})"));
  EXPECT_FALSE(read(R"({"spec":)" + std::string(2000, '[') + std::string(2000, ']') + "}"));
  EXPECT_EQ(reader->unreadable(), 4);
}

TEST(Informer, ReadsAnObjectOnceWhateverComesOfIt) {
  const auto reader = TypedReader::Of<Widget>("widgets", nullptr);
  const ObjectRef bad = MakeObject(WidgetItem("a", "null"), "1");
  reads = 0;
  EXPECT_FALSE(reader->Read(*bad));
  EXPECT_FALSE(reader->Read(*bad));
  EXPECT_FALSE(reader->IsReadable(*bad));
  const ObjectRef good = MakeObject(WidgetItem("a", "1"), "1");
  EXPECT_TRUE(reader->Read(*good));
  EXPECT_TRUE(reader->Read(*good));
  EXPECT_EQ(reads, 2);
  EXPECT_EQ(reader->unreadable(), 1);
}

// A T that says what it is.
struct Gadget {
  static Resource GetResource() { return {"example.com", "v1", "gadgets", "Gadget", true}; }
  std::string name;
};
void from_json(const nlohmann::json& from, Gadget& into) {
  into.name = from.at("metadata").at("name");
}

TEST(Informer, OfATThatKnowsItsCollectionSkipsOtherKinds) {  // EVT-03
  const InformerOptions options = TypedOptions<Gadget>({});
  EXPECT_EQ(options.description, "gadgets.example.com");
  EXPECT_EQ(options.reflector.expected_kind, "Gadget");
  EXPECT_EQ(options.reflector.expected_api_version, "example.com/v1");
  EXPECT_EQ(TypedOptions<Widget>({}).reflector.expected_kind, "");
}

// A T that can be written, so that it is seen who changes one.
struct Scale {
  int replicas = 0;
};
void from_json(const nlohmann::json& from, Scale& into) {
  into.replicas = from.at("spec").at("size");
}
void to_json(nlohmann::json& into, const Scale& from) {
  into = {{"replicas", from.replicas}};
}

TEST(Informer, SeesWhoChangesAValueThatAllShare) {  // AUX-01
  for (const bool meddles : {false, true}) {
    SourceBench bench;
    InformerOptions options = bench.Options();
    options.mutation_detector = true;
    options.description = "scales";
    Informer<Scale> informer(bench.loop, bench.source, std::move(options));
    TypedResourceEventHandlerFuncs<Scale> handler(
        {.add_func = [meddles](const TypedRef<Scale>& one) {
          if (meddles) const_cast<Scale&>(*one).replicas = 7;
        }});
    ASSERT_TRUE(informer.AddEventHandler(handler).ok());
    Signal stop;
    TaskScope scope(bench.loop);
    bench.source.Add(WidgetItem("a", "1"));
    scope.Spawn(informer.Run(stop));
    std::string failed;
    try {
      bench.RunFor(Seconds(3));
    } catch (const CheckFailed& failure) {
      failed = failure.what();
    }
    EXPECT_THAT(failed, meddles ? HasSubstr("cache scales modified: default/a: ") : HasSubstr(""));
    EXPECT_EQ(failed.empty(), !meddles);
  }
}

TEST(Informer, IsThereWithoutSharingToo) {  // CTL-08
  SourceBench bench;
  WidgetRecorder handler;
  TypedUnsharedInformer<Widget> informer(bench.loop, bench.source, handler, bench.Options());
  Signal stop;
  TaskScope scope(bench.loop);
  bench.source.Add(WidgetItem("a", "1"));
  bench.source.Add(WidgetItem("bad", "null"));
  scope.Spawn(informer.Run(stop));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(handler.calls, ElementsAre("add a=1@1 initial"));
  EXPECT_TRUE(informer.HasSynced());
  EXPECT_EQ(informer.unreadable(), 1);
}

}  // namespace informer_test
}  // namespace relist
