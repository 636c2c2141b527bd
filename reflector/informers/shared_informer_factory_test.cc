#include "reflector/informers/shared_informer_factory.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "reflector/objects/config_map.h"
#include "reflector/objects/pod.h"
#include "reflector/testing/source_world.h"

namespace relist {
namespace shared_informer_factory_test {

using objects::ConfigMap;
using objects::Pod;
using ::testing::ElementsAre;
using testing::FakeSource;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using testing::RecordingHandler;
using testing::SourceBench;

const Resource kDeployments{"apps", "v1", "deployments", "Deployment", true};
const Resource kWidgets{"example.com", "v1", "widgets", "Widget", true};

// Gives the factory the bench's source for everything, and writes down what it was asked for.
class Forwarding : public ListerWatcher {
 public:
  explicit Forwarding(FakeSource& source) : source_(source) {}
  Task<Result<ListPage>> List(ListOptions options, Signal& stop) override {
    return source_.List(std::move(options), stop);
  }
  Task<Result<std::unique_ptr<WatchStream>>> Watch(ListOptions options, Signal& stop) override {
    return source_.Watch(std::move(options), stop);
  }
  bool SupportsStreamingList() const override { return false; }

 private:
  FakeSource& source_;
};

struct Bench : SourceBench {
  explicit Bench(SharedInformerFactoryOptions options = {})
      : factory(loop, Maker(), Completed(std::move(options))), scope(loop) {}

  SharedInformerFactory::MakeLister Maker() {
    return [this](const Resource& resource, const std::string& ns, bool metadata_only) {
      made.push_back(resource.plural + " of " + (ns.empty() ? "all" : ns) +
                     (metadata_only ? ", metadata" : ""));
      return std::make_unique<Forwarding>(source);
    };
  }
  SharedInformerFactoryOptions Completed(SharedInformerFactoryOptions options) {
    options.informer.reflector.choices = &boring;
    options.informer.log = log;
    return options;
  }
  SyncResult Wait(WaitLimits limits) {
    scope.Spawn(Keep(factory.WaitForCacheSync(std::move(limits))));
    loop.RunUntil([this] { return result.has_value(); }, loop.Now() + Seconds(60));
    EXPECT_TRUE(result.has_value());
    return std::exchange(result, std::nullopt).value_or(SyncResult{});
  }
  Task<void> Keep(Task<SyncResult> waiting) { result = co_await waiting; }
  Task<void> NoteShutdown() {
    Task<void> shutdown = factory.Shutdown();
    co_await shutdown;
    shut_down = true;
  }

  std::vector<std::string> made;
  std::optional<SyncResult> result;
  bool shut_down = false;
  Signal stop;
  SharedInformerFactory factory;
  TaskScope scope;
};

TEST(SharedInformerFactory, MakesOneInformerForEachCollectionAndFace) {  // FAC-01
  Bench bench({.ns = "team"});
  Informer<ConfigMap>& maps = bench.factory.For<ConfigMap>();
  EXPECT_EQ(&maps, &bench.factory.For<ConfigMap>());
  GenericInformer raw = bench.factory.ForResource(ConfigMap::GetResource());
  EXPECT_EQ(&raw.informer(), &bench.factory.ForResource({"", "v1", "configmaps"}).informer());
  EXPECT_NE(&raw.informer(), &maps.raw());
  EXPECT_NE(&bench.factory.ForMetadata(ConfigMap::GetResource()).informer(), &raw.informer());
  bench.factory.For<Pod>();
  EXPECT_THAT(bench.made, ElementsAre("configmaps of team", "configmaps of team",
                                      "configmaps of team, metadata", "pods of team"));
}

TEST(SharedInformerFactory,
     TellsHandlersOfTypedAndRawInformers) {  // TestDynamicSharedInformerFactory
  Bench bench;
  std::vector<std::string> colours;
  TypedResourceEventHandlerFuncs<ConfigMap> typed({.add_func = [&](const TypedRef<ConfigMap>& map) {
    colours.push_back(map->data.at("colour"));
  }});
  RecordingHandler raw;
  ASSERT_TRUE(bench.factory.For<ConfigMap>().AddEventHandler(typed).ok());
  ASSERT_TRUE(bench.factory.ForResource(kWidgets).informer().AddEventHandler(raw).ok());
  bench.source.Add({.name = "a", .fields = R"("data":{"colour":"red"})"});
  bench.factory.Start(bench.stop);
  bench.RunFor(Seconds(1));
  bench.source.Modify({.name = "a", .fields = R"("data":{"colour":"blue"})"});
  bench.source.Delete({.name = "a", .fields = R"("data":{"colour":"blue"})"});
  bench.RunFor(Seconds(1));
  EXPECT_THAT(colours, ElementsAre("red"));
  EXPECT_THAT(raw.calls, ElementsAre("add a@1 initial", "update a@1->2", "delete a@3"));
}

TEST(SharedInformerFactory, StartsWhatIsNewEachTime) {  // FAC-02
  Bench bench;
  SharedInformer& first = bench.factory.ForResource(kWidgets).informer();
  bench.factory.Start(bench.stop);
  bench.RunFor(Seconds(1));
  EXPECT_TRUE(first.HasSynced());
  SharedInformer& second = bench.factory.ForResource(kDeployments).informer();
  bench.RunFor(Seconds(1));
  EXPECT_FALSE(second.started());
  bench.factory.Start(bench.stop);
  bench.RunFor(Seconds(1));
  EXPECT_TRUE(second.HasSynced());
  EXPECT_THAT(bench.log->lines(), IsEmpty());  // of a second run
}

TEST(SharedInformerFactory, ShutsDownWhenAllHaveEndedAndStartsNothingAfterwards) {  // FAC-03
  Bench bench;
  SharedInformer& informer = bench.factory.ForResource(kWidgets).informer();
  bench.factory.Start(bench.stop);
  bench.RunFor(Seconds(1));
  bench.scope.Spawn(bench.NoteShutdown());
  bench.RunFor(Seconds(60));
  EXPECT_FALSE(bench.shut_down);  // nobody has stopped them
  SharedInformer& late = bench.factory.ForResource(kDeployments).informer();
  bench.factory.Start(bench.stop);
  bench.stop.Set();
  bench.RunFor(Seconds(1));
  EXPECT_TRUE(bench.shut_down);
  EXPECT_TRUE(informer.stopped());
  EXPECT_FALSE(late.started());
  bench.shut_down = false;
  bench.scope.Spawn(bench.NoteShutdown());
  EXPECT_TRUE(bench.shut_down);
}

TEST(SharedInformerFactory, WaitsForThoseThatWereStarted) {  // FAC-04
  Bench bench;
  bench.factory.For<Pod>();
  bench.factory.ForMetadata(kDeployments);
  bench.factory.Start(bench.stop);
  bench.factory.ForResource(kWidgets);
  const SyncResult synced = bench.Wait({.deadline = bench.loop.Now() + Seconds(30)});
  EXPECT_TRUE(synced.AsError().ok());
  EXPECT_THAT(synced.synced,
              ElementsAre(Pair("deployments.apps (metadata)", true), Pair("pods", true)));
}

TEST(SharedInformerFactory, SaysWhichCouldNotSyncAndWhy) {  // INF-15, FAC-04
  Bench bench;
  bench.source.list_error = Error::Api(403, "Forbidden", "no");
  bench.factory.For<Pod>();
  bench.factory.ForResource(kWidgets);
  bench.factory.Start(bench.stop);
  const SyncResult late = bench.Wait({.deadline = bench.loop.Now() + Seconds(30)});
  EXPECT_EQ(
      late.AsError().error().message(),
      "failed to sync all caches: pods, widgets.example.com (raw): context deadline exceeded");
  bench.stop.Set();
  const SyncResult stopped = bench.Wait({.stop = &bench.stop, .stop_cause = "shutting down"});
  EXPECT_THAT(stopped.AsError().error().message(), HasSubstr(": shutting down"));
}

TEST(SharedInformerFactory, GivesItsInformersANamespaceIndexAndListers) {  // FAC-05
  Bench bench;
  bench.source.Add({.name = "a", .ns = "x", .labels = {{"app", "web"}}});
  bench.source.Add({.name = "b", .ns = "y"});
  GenericInformer widgets = bench.factory.ForResource(kWidgets);
  Informer<ConfigMap>& maps = bench.factory.For<ConfigMap>();
  bench.factory.Start(bench.stop);
  bench.RunFor(Seconds(1));
  EXPECT_EQ(widgets.informer().indexer().ByIndex(kNamespaceIndex, "x")->size(), 1u);
  const auto everything = LabelSelector::Everything();
  EXPECT_EQ(widgets.lister().Namespace("y").List(everything).size(), 1u);
  EXPECT_EQ(maps.lister().List(LabelSelector::FromSet({{"app", "web"}})).size(), 1u);
  EXPECT_EQ(widgets.lister().Get("x/nope").error().message(),
            "widgets.example.com \"x/nope\" not found");
  EXPECT_THAT(bench.log->lines(), IsEmpty());
}

TEST(SharedInformerFactory, ResyncsByCollection) {  // FAC-01
  SharedInformerFactoryOptions options;
  options.informer.resync_check_period = Seconds(10);
  options.custom_resync = {{"deployments.apps", Seconds(3)}};
  Bench bench(std::move(options));
  RecordingHandler handler;
  const auto period = [&](const Resource& resource) {
    return (*bench.factory.ForResource(resource).informer().AddEventHandler(handler))
        ->resync_period;
  };
  EXPECT_EQ(period(kDeployments), Seconds(3));
  EXPECT_EQ(period(kWidgets), Seconds(10));
}

TEST(SharedInformerFactory, TweaksWhatIsAskedForAndTransformsWhatComes) {  // FAC-01
  SharedInformerFactoryOptions options;
  options.tweak_list_options = [](ListOptions& asked) {
    asked.field_selector = "metadata.name=name-foo";
    asked.label_selector = "environment=test";
  };
  int transformed = 0;
  options.informer.transform = [&transformed](const ObjectRef& object) -> Result<ObjectRef> {
    ++transformed;
    return object;
  };
  Bench bench(std::move(options));
  bench.source.Add({.name = "name-foo"});
  bench.factory.ForResource(kWidgets);
  bench.factory.Start(bench.stop);
  bench.RunFor(Seconds(1));
  ASSERT_EQ(bench.source.asked.size(), 2u);
  for (const ListOptions& asked : bench.source.asked) {
    EXPECT_EQ(asked.field_selector, "metadata.name=name-foo");
    EXPECT_EQ(asked.label_selector, "environment=test");
  }
  EXPECT_EQ(transformed, 1);
}

TEST(SharedInformerFactory, ReleasesItsNameWhenItShutsDown) {  // INF-16
  InformerNames names;
  SharedInformerFactoryOptions options;
  options.informer_name = *names.Reserve("mine");
  Bench bench(std::move(options));
  SharedInformer& informer = bench.factory.ForResource(kWidgets).informer();
  EXPECT_TRUE(informer.identifier().Reserved());
  EXPECT_EQ(informer.identifier().name(), "mine");
  bench.scope.Spawn(bench.NoteShutdown());
  EXPECT_TRUE(bench.shut_down);
  EXPECT_FALSE(informer.identifier().Reserved());
  EXPECT_TRUE(names.Reserve("mine").ok());
}

// The whole of it over HTTP.
struct RestBench {
  explicit RestBench(SharedInformerFactoryOptions options)
      : loop(port),
        server(port),
        rest(loop, {.endpoint = {"server", 80, nullptr}, .keep_alive = false}),
        factory(loop, rest, Completed(std::move(options))) {}
  SharedInformerFactoryOptions Completed(SharedInformerFactoryOptions options) {
    options.informer.reflector.choices = &boring;
    options.informer.reflector.streaming_list = false;
    return options;
  }
  void RunFor(Duration d) {
    factory.Start(stop);
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }

  BoringChoices boring;
  SimPort port;
  Loop loop;
  testing::ScriptedServer server;
  RestClient rest;
  Signal stop;
  SharedInformerFactory factory;
};

TEST(SharedInformerFactory, AsksForMetadataOnly) {  // TestMetadataSharedInformerFactory
  RestBench bench({.ns = "default"});
  RecordingHandler handler;
  ASSERT_TRUE(bench.factory.ForMetadata(kDeployments).informer().AddEventHandler(handler).ok());
  bench.server.Then(testing::Answer(
      200,
      R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"10"},"items":[{"metadata":{"name":"a","namespace":"default","resourceVersion":"7"}}]})"));
  bench.server.Then(testing::WatchOf(
      {R"({"type":"ADDED","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"b","namespace":"default","resourceVersion":"11"}}})"}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(handler.calls, ElementsAre("add a@7 initial", "add b@11"));
  ASSERT_EQ(bench.server.requests().size(), 2u);
  EXPECT_THAT(bench.server.requests()[0].head,
              HasSubstr("Accept: application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
                        "application/json\r\n"));
  EXPECT_THAT(bench.server.requests()[1].head,
              HasSubstr("Accept: application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
                        "application/json\r\n"));
}

TEST(SharedInformerFactory, AsksForItsNamespaceOnlyWhereThereAreSome) {
  // TestFilteredDynamicSharedInformerFactory
  SharedInformerFactoryOptions options;
  options.ns = "team";
  options.tweak_list_options = [](ListOptions& asked) { asked.label_selector = "a=b"; };
  RestBench bench(std::move(options));
  bench.factory.ForResource(kDeployments);
  bench.factory.ForResource({"", "v1", "nodes", "Node", false});
  bench.RunFor(Seconds(1));
  ASSERT_EQ(bench.server.requests().size(), 2u);
  EXPECT_EQ(bench.server.requests()[0].target,
            "/apis/apps/v1/namespaces/team/deployments?labelSelector=a%3Db&limit=500&"
            "resourceVersion=0");
  EXPECT_THAT(bench.server.requests()[1].target, HasSubstr("/api/v1/nodes?labelSelector=a%3Db"));
  EXPECT_THAT(bench.server.requests()[1].head, HasSubstr("Accept: application/json, */*\r\n"));
}

}  // namespace shared_informer_factory_test
}  // namespace relist
