#include "reflector/objects/pod.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reflector/testing/typed_objects.h"

namespace relist::objects {
namespace pod_test {

constexpr const char* kPod =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"default"},
        "spec":{"activeDeadlineSeconds":60,"containers":[
            {"args":["-v"],"command":["/web"],"env":[{"name":"A","value":"1"},{"name":"B"}],
             "image":"web:1","imagePullPolicy":"Always","name":"web",
             "ports":[{"containerPort":80,"hostPort":8080,"name":"http","protocol":"TCP"}],
             "resources":{"limits":{"cpu":"1"},"requests":{"cpu":"500m"}},"workingDir":"/"}],
          "hostNetwork":true,"hostname":"h","initContainers":[{"name":"i","restartPolicy":"Always"}],
          "nodeName":"node-1","nodeSelector":{"zone":"a"},"priority":0,"priorityClassName":"p",
          "restartPolicy":"Always","schedulerName":"s","serviceAccountName":"sa","subdomain":"sub",
          "terminationGracePeriodSeconds":30,
          "tolerations":[{"effect":"NoExecute","key":"k","operator":"Exists",
                          "tolerationSeconds":300,"value":"v"}]},
        "status":{"conditions":[{"status":"True","type":"Ready"}],"containerStatuses":[
            {"containerID":"c","image":"web:1","imageID":"id",
             "lastState":{"terminated":{"containerID":"c0","exitCode":137,
                "finishedAt":"2","message":"m","reason":"OOMKilled","signal":9,"startedAt":"1"}},
             "name":"web","ready":true,"restartCount":2,"started":true,
             "state":{"running":{"startedAt":"3"}}}],
          "hostIP":"10.0.0.5","initContainerStatuses":[
            {"image":"","imageID":"","name":"i","ready":false,"restartCount":0,
             "state":{"waiting":{"message":"m","reason":"PodInitializing"}}}],
          "message":"m","nominatedNodeName":"node-2","phase":"Running","podIP":"10.1.0.7",
          "podIPs":[{"ip":"10.1.0.7"},{"ip":"fd00::7"}],"qosClass":"Burstable","reason":"r",
          "startTime":"2026-01-01T00:00:00Z"}})";

TEST(Pod, IsReadAndWritten) {
  const TypedRef<Pod> pod = testing::ReadTyped<Pod>(kPod);
  ASSERT_TRUE(pod);
  EXPECT_EQ(pod->spec.node_name, "node-1");
  EXPECT_EQ(pod->spec.priority, 0);
  const Container& container = pod->spec.containers.at(0);
  EXPECT_EQ(container.image, "web:1");
  EXPECT_EQ(container.requests.at("cpu"), "500m");
  EXPECT_EQ(pod->status.phase, "Running");
  EXPECT_EQ(pod->status.pod_ip, "10.1.0.7");
  EXPECT_EQ(pod->status.pod_ips.at(1), "fd00::7");
  EXPECT_TRUE(IsTrue(pod->status.conditions, "Ready"));
  const ContainerStatus& status = pod->status.container_statuses.at(0);
  EXPECT_TRUE(status.state.running.has_value());
  EXPECT_EQ(status.last_state.terminated->exit_code, 137);
  EXPECT_EQ(pod->status.init_container_statuses.at(0).state.waiting->reason, "PodInitializing");
  nlohmann::json out;
  to_json(out, *pod);
  EXPECT_EQ(out, nlohmann::json::parse(kPod));
}

TEST(Pod, MayLackNearlyEverything) {
  const TypedRef<Pod> pod = testing::ReadTyped<Pod>(
      R"({"spec":{"containers":[null,{}]},"status":{"containerStatuses":[{"state":{"running":{}}}]}})");
  ASSERT_TRUE(pod);
  EXPECT_EQ(pod->spec.containers.size(), 2u);
  EXPECT_TRUE(pod->status.container_statuses.at(0).state.running.has_value());
}

TEST(Pod, OfWrongFieldsIsNone) {
  EXPECT_EQ(testing::WhyUnreadable<Pod>(R"({"spec":{"containers":[{"image":7}]}})"),
            "spec.containers[0].image: a number where text belongs");
  EXPECT_EQ(testing::WhyUnreadable<Pod>(R"({"spec":[]})"),
            "spec: an array where an object belongs");
  EXPECT_EQ(testing::WhyUnreadable<Pod>(
                R"({"status":{"containerStatuses":[{"state":{"running":{"startedAt":1}}}]}})"),
            "status.containerStatuses[0].state.running.startedAt: a number where text belongs");
  EXPECT_EQ(
      testing::WhyUnreadable<Pod>(R"({"metadata":{"ownerReferences":[{"controller":"yes"}]}})"),
      "metadata.ownerReferences[0].controller: text where a boolean belongs");
}

}  // namespace pod_test
}  // namespace relist::objects
