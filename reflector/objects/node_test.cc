#include "reflector/objects/node.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reflector/testing/typed_objects.h"

namespace relist::objects {
namespace node_test {

constexpr const char* kNode =
    R"({"apiVersion":"v1","kind":"Node","metadata":{"labels":{"zone":"a"},"name":"node-1"},
        "spec":{"podCIDR":"10.1.0.0/24","podCIDRs":["10.1.0.0/24"],"providerID":"x://1",
          "taints":[{"effect":"NoSchedule","key":"k","timeAdded":"2026-01-01T00:00:00Z",
                     "value":"v"}],"unschedulable":true},
        "status":{"addresses":[{"address":"10.0.0.5","type":"InternalIP"}],
          "allocatable":{"cpu":"3800m"},"capacity":{"cpu":"4","memory":"32Gi"},
          "conditions":[{"lastHeartbeatTime":"2026-01-01T00:00:00Z","status":"True","type":"Ready"}],
          "nodeInfo":{"architecture":"arm64","containerRuntimeVersion":"c","kernelVersion":"k",
            "kubeletVersion":"v1.37.2","operatingSystem":"linux","osImage":"o"}}})";

TEST(Node, IsReadAndWritten) {
  const TypedRef<Node> node = testing::ReadTyped<Node>(kNode);
  ASSERT_TRUE(node);
  EXPECT_TRUE(node->spec.unschedulable);
  EXPECT_EQ(node->spec.taints.at(0).effect, "NoSchedule");
  EXPECT_EQ(node->status.capacity.at("memory"), "32Gi");
  EXPECT_TRUE(IsTrue(node->status.conditions, "Ready"));
  EXPECT_EQ(node->status.node_info.kubelet_version, "v1.37.2");
  nlohmann::json out;
  to_json(out, *node);
  EXPECT_EQ(out, nlohmann::json::parse(kNode));
  EXPECT_EQ(Node::GetResource().Path("ignored"), "/api/v1/nodes");
}

}  // namespace node_test
}  // namespace relist::objects
