#include "reflector/objects/deployment.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reflector/testing/typed_objects.h"

namespace relist::objects {
namespace deployment_test {

constexpr const char* kDeployment =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"generation":2,"name":"web"},
        "spec":{"minReadySeconds":5,"paused":true,"progressDeadlineSeconds":600,"replicas":0,
          "revisionHistoryLimit":10,"selector":{"matchLabels":{"app":"web"}},
          "strategy":{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":1},"type":"RollingUpdate"},
          "template":{"metadata":{"labels":{"app":"web"}},
            "spec":{"containers":[{"image":"web:1","name":"web"}]}}},
        "status":{"availableReplicas":1,"collisionCount":0,
          "conditions":[{"lastUpdateTime":"2026-01-01T00:00:00Z","status":"True",
                         "type":"Available"}],
          "observedGeneration":2,"readyReplicas":1,"replicas":2,"unavailableReplicas":1,
          "updatedReplicas":2}})";

TEST(Deployment, IsReadAndWritten) {
  const TypedRef<Deployment> deployment = testing::ReadTyped<Deployment>(kDeployment);
  ASSERT_TRUE(deployment);
  EXPECT_EQ(deployment->spec.replicas, 0);
  EXPECT_EQ(deployment->spec.selector->match_labels.at("app"), "web");
  EXPECT_EQ(deployment->spec.pod_template.metadata.labels.at("app"), "web");
  EXPECT_EQ(deployment->spec.strategy.max_surge->text, "25%");
  EXPECT_EQ(deployment->status.available_replicas, 1);
  nlohmann::json out;
  to_json(out, *deployment);
  EXPECT_EQ(out, nlohmann::json::parse(kDeployment));
}

TEST(Deployment, KeepsAnEmptySelectorApartFromNone) {
  const auto empty = testing::ReadTyped<Deployment>(R"({"spec":{"selector":{}}})");
  const auto none = testing::ReadTyped<Deployment>(R"({"spec":{}})");
  EXPECT_TRUE(AsSelector(empty->spec.selector)->everything());
  EXPECT_TRUE(AsSelector(none->spec.selector)->nothing());
  nlohmann::json out;
  to_json(out, *empty);
  EXPECT_EQ(out["spec"].dump(), R"({"selector":{}})");
}

}  // namespace deployment_test
}  // namespace relist::objects
