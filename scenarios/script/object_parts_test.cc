// The objects of a scenario: in short, as manifests, from files, many at once.
#include "scenarios/script/object_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/script/object_bodies.h"
#include "scenarios/script/scenario.h"
#include "scenarios/script/scenario_test_support.h"

namespace relist {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<ObjectSpec> ObjectsIn(const std::string& text) {
  const Result<Scenario> scenario = ParseScenario("name: x\nobjects:\n" + text, "s.yaml");
  if (scenario.ok()) return scenario->objects;
  ADD_FAILURE() << scenario.error().message();
  return {};
}

std::string MistakesInObjects(const std::string& text) {
  return MistakesIn("name: x\nobjects:\n" + text);
}

TEST(ObjectPartsTest, AManifestIsTheWholeObject) {
  const auto objects = ObjectsIn(R"(
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: d, namespace: shop, labels: {app: web}, resourceVersion: "12", uid: u}
  spec: {replicas: 2}
- {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: "1"}}
)");
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[0].resource, "deployments.apps");
  EXPECT_EQ(objects[0].ns, "shop");
  EXPECT_EQ(objects[0].name, "d");
  EXPECT_EQ(objects[0].body_json, R"({"metadata":{"labels":{"app":"web"}},"spec":{"replicas":2}})");
  EXPECT_EQ(objects[0].line, 4);
  EXPECT_EQ(objects[1].ns, "");
  EXPECT_EQ(objects[2].ns, "default") << "as with kubectl";
}

TEST(ObjectPartsTest, AManifestThatIsNoneIsTold) {
  EXPECT_THAT(MistakesInObjects("- {apiVersion: v1, kind: Widget, metadata: {name: a}}\n"),
              StartsWith("s.yaml:3:3: kind \"Widget\" of v1 is not served"));
  EXPECT_THAT(MistakesInObjects("- {kind: Pod, metadata: {name: a}}\n"),
              StartsWith("s.yaml:3:3: an object has \"apiVersion\" and \"kind\""));
  EXPECT_THAT(MistakesInObjects("- {apiVersion: v1, kind: Pod, metadata: {labels: {a: b}}}\n"),
              StartsWith("s.yaml:3:3: this Pod has no \"metadata: {name: ...}\""));
  EXPECT_THAT(MistakesInObjects("- {apiVersion: v1, kind: Pod, metadata: {name: Up}}\n"),
              HasSubstr("pods cannot be called \"Up\""));
}

TEST(ObjectPartsTest, AStepMayWriteAManifest) {
  const Result<Scenario> scenario = ParseScenario(
      "name: x\nsteps:\n- {at: 1s, do: write, manifest: {apiVersion: v1, kind: Pod, metadata: "
      "{name: p}}}\n",
      "s.yaml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  EXPECT_EQ(scenario->steps[0].object.resource, "pods");
  EXPECT_EQ(scenario->steps[0].object.ns, "default");
  EXPECT_THAT(MistakesIn("name: x\nsteps:\n- {at: 1s, do: write, manifest: {kind: Pod}}\n"),
              StartsWith("s.yaml:3:33: an object has \"apiVersion\""));
}

TEST(ObjectPartsTest, ManyAreNumberedAndAsLargeAsTheyAreToBe) {
  const auto objects = ObjectsIn(R"(
- many: 12
  resource: pods
  object: default/p-{n}
  labels: {app: web}
  bytes: 1024
)");
  ASSERT_EQ(objects.size(), 12u);
  EXPECT_EQ(objects[0].name, "p-1");
  EXPECT_EQ(objects[11].name, "p-12");
  for (const ObjectSpec& object : objects) EXPECT_EQ(BodyOf(object).size(), 1024u);
  EXPECT_THAT(objects[0].body_json, HasSubstr(R"("containers")")) << "what a pod cannot do without";
  EXPECT_THAT(objects[0].body_json, HasSubstr(R"("labels":{"app":"web"})"));
}

TEST(ObjectPartsTest, HowManyAndHowLargeHasItsBounds) {
  EXPECT_THAT(MistakesInObjects("- {many: 2, object: default/a}\n"),
              StartsWith("s.yaml:3:21: of \"many\" objects each has its number in its name"));
  EXPECT_THAT(MistakesInObjects("- {many: 1001, object: \"default/a{n}\"}\n"),
              HasSubstr("at most 1000"));
  EXPECT_THAT(MistakesInObjects("- {many: 600, object: \"default/a{n}\"}\n- {many: 600, object: "
                                "\"default/b{n}\"}\n"),
              StartsWith("s.yaml:4:10: with these there are more than 1000 objects"));
  EXPECT_THAT(MistakesInObjects("- {many: 2, object: \"default/a{n}\", bytes: 10}\n"),
              HasSubstr("such an object has at least 113 bytes"));
  EXPECT_THAT(MistakesInObjects("- {many: 2, object: \"default/a{n}\", bytes: 200001}\n"),
              HasSubstr("at most 200000"));
  EXPECT_THAT(MistakesInObjects("- {many: 900, object: \"default/a{n}\", bytes: 9999}\n"),
              StartsWith("s.yaml:3:10: with these the objects have 8999100 bytes together: at most "
                         "4194304"))
      << "before they are made";
  EXPECT_THAT(
      MistakesInObjects("- {many: 90, object: \"default/a{n}\", bytes: 40000}\n- {many: 20, "
                        "object: \"default/b{n}\", bytes: 40000}\n"),
      StartsWith("s.yaml:4:10: with these the objects have 4393529 bytes"));
  EXPECT_THAT(MistakesInObjects("- {many: 2, object: \"default/a{n}\"}\n- {object: default/a2}\n"),
              StartsWith("s.yaml:4:3: configmaps default/a2 stands twice"));
}

}  // namespace
}  // namespace relist
