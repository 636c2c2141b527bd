#include "reflector/objects/write_back.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reflector/objects/deployment.h"
#include "reflector/objects/pod.h"
#include "reflector/testing/typed_objects.h"

namespace relist::objects {
namespace write_back_test {

using nlohmann::json;

std::string Applied(const std::string& before, const std::string& after, const std::string& base) {
  json out = json::parse(base);
  ApplyChanges(json::parse(before), json::parse(after), &out);
  return out.dump();
}

TEST(WriteBack, TouchesWhatChangedAndNothingElse) {
  EXPECT_EQ(Applied(R"({"a":1})", R"({"a":1})", R"({"a":1,"x":2})"), R"({"a":1,"x":2})");
  EXPECT_EQ(Applied(R"({"a":1})", R"({"a":2})", R"({"a":1,"x":2})"), R"({"a":2,"x":2})");
  EXPECT_EQ(Applied(R"({"a":1})", "{}", R"({"a":1,"x":2})"), R"({"x":2})");
  EXPECT_EQ(Applied("{}", R"({"a":1})", R"({"x":2})"), R"({"a":1,"x":2})");
  EXPECT_EQ(Applied(R"({"a":{"b":1}})", R"({"a":{"b":2}})", R"({"a":{"b":1,"x":3}})"),
            R"({"a":{"b":2,"x":3}})");
  // What T took for absent stays what it was.
  EXPECT_EQ(Applied(R"({"a":{"b":1}})", R"({"a":{"b":2}})", R"({"a":null})"), R"({"a":{"b":2}})");
  EXPECT_EQ(Applied("{}", "{}", R"({"a":0})"), R"({"a":0})");
}

TEST(WriteBack, TellsItemsApartByWhatNamesThem) {
  const std::string base = R"([{"name":"a","v":1,"x":7},{"name":"b","v":2,"x":8}])";
  const std::string before = R"([{"name":"a","v":1},{"name":"b","v":2}])";
  EXPECT_EQ(Applied(before, R"([{"name":"b","v":3},{"name":"a","v":1}])", base),
            R"([{"name":"b","v":3,"x":8},{"name":"a","v":1,"x":7}])");
  EXPECT_EQ(Applied(before, R"([{"name":"b","v":2}])", base), R"([{"name":"b","v":2,"x":8}])");
  EXPECT_EQ(Applied(before, R"([{"name":"a","v":1},{"name":"n","v":9},{"name":"b","v":2}])", base),
            R"([{"name":"a","v":1,"x":7},{"name":"n","v":9},{"name":"b","v":2,"x":8}])");
}

TEST(WriteBack, TellsOtherItemsApartByTheirPlace) {
  EXPECT_EQ(
      Applied(R"([{"v":1},{"v":2}])", R"([{"v":1},{"v":3}])", R"([{"v":1,"x":7},{"v":2,"x":8}])"),
      R"([{"v":1,"x":7},{"v":3,"x":8}])");
  // One more or less: nobody knows which is which.
  EXPECT_EQ(Applied(R"([{"v":1},{"v":2}])", R"([{"v":2}])", R"([{"v":1,"x":7},{"v":2,"x":8}])"),
            R"([{"v":2}])");
  EXPECT_EQ(Applied(R"(["a","b"])", R"(["b"])", R"(["a","b"])"), R"(["b"])");
  EXPECT_EQ(Applied(R"([{"name":"a","v":1},{"name":"a","v":2}])",
                    R"([{"name":"a","v":1},{"name":"a","v":3}])",
                    R"([{"name":"a","v":1,"x":7},{"name":"a","v":2,"x":8}])"),
            R"([{"name":"a","v":1,"x":7},{"name":"a","v":3,"x":8}])");
}

TEST(WriteBack, KeepsWhatADeploymentDoesNotKnow) {
  const TypedRef<Deployment> read = testing::ReadTyped<Deployment>(
      R"({"metadata":{"name":"web","resourceVersion":"7","managedFields":[{"manager":"m"}]},
          "spec":{"replicas":1,"newField":{"deep":[1,2]},"template":{"spec":{"containers":[
            {"name":"web","image":"web:1","securityContext":{"privileged":false}}],
            "volumes":[{"name":"v","emptyDir":{}}]}}},
          "status":{"replicas":1}})");
  Deployment changed = *read;
  changed.spec.replicas = 3;
  changed.spec.pod_template.spec.containers[0].image = "web:2";
  changed.metadata.finalizers.push_back("mine");
  json expected = json::parse(read.object()->bytes());
  expected["spec"]["replicas"] = 3;
  expected["spec"]["template"]["spec"]["containers"][0]["image"] = "web:2";
  expected["metadata"]["finalizers"] = {"mine"};
  expected["kind"] = "Deployment";
  expected["apiVersion"] = "apps/v1";
  const std::string body = WriteBack(read, changed);
  EXPECT_EQ(json::parse(body), expected);
}

TEST(WriteBack, GivesAnItemOfAListItsKind) {
  Object::Head head;
  head.kind = "Pod";
  head.api_version = "v1";
  const ObjectRef item = std::make_shared<Object>(
      R"({"metadata":{"name":"a"},"status":{"phase":"Pending","extra":1}})", std::move(head));
  ASSERT_TRUE(TypedReader::Of<Pod>("pods", nullptr)->Read(*item));
  const TypedRef<Pod> read(item);
  Pod changed = *read;
  changed.status.phase = "Running";
  EXPECT_EQ(
      WriteBack(read, changed),
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"status":{"extra":1,"phase":"Running"}})");
}

}  // namespace write_back_test
}  // namespace relist::objects
