#include "reflector/objects/service.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reflector/testing/typed_objects.h"

namespace relist::objects {
namespace service_test {

constexpr const char* kService =
    R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"default"},
        "spec":{"clusterIP":"10.0.0.1","clusterIPs":["10.0.0.1"],"externalIPs":["1.2.3.4"],
          "externalName":"x.example.com","externalTrafficPolicy":"Local",
          "loadBalancerClass":"l","ports":[
            {"appProtocol":"http","name":"http","nodePort":30080,"port":80,"protocol":"TCP",
             "targetPort":"web"},
            {"port":443,"targetPort":8443}],
          "publishNotReadyAddresses":true,"selector":{"app":"web"},"sessionAffinity":"None",
          "type":"LoadBalancer"},
        "status":{"conditions":[{"status":"True","type":"Ready"}],
          "loadBalancer":{"ingress":[{"ip":"5.6.7.8"},{"hostname":"h"}]}}})";

TEST(Service, IsReadAndWritten) {
  const TypedRef<Service> service = testing::ReadTyped<Service>(kService);
  ASSERT_TRUE(service);
  EXPECT_EQ(service->spec.type, "LoadBalancer");
  EXPECT_EQ(service->spec.selector.at("app"), "web");
  ASSERT_EQ(service->spec.ports.size(), 2u);
  EXPECT_EQ(service->spec.ports[0].target_port->text, "web");
  EXPECT_EQ(service->spec.ports[1].target_port->number, 8443);
  EXPECT_EQ(service->status.ingress.at(0).ip, "5.6.7.8");
  nlohmann::json out;
  to_json(out, *service);
  EXPECT_EQ(out, nlohmann::json::parse(kService));
}

TEST(Service, OfWrongFieldsIsNone) {
  EXPECT_EQ(testing::WhyUnreadable<Service>(R"({"spec":{"ports":[{"port":80},{"port":"http"}]}})"),
            "spec.ports[1].port: text where an integer belongs");
  EXPECT_EQ(testing::WhyUnreadable<Service>(R"({"spec":{"ports":[{"targetPort":true}]}})"),
            "spec.ports[0].targetPort: neither an integer nor text");
}

}  // namespace service_test
}  // namespace relist::objects
