#include "reflector/objects/config_map.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reflector/testing/typed_objects.h"

namespace relist::objects {
namespace config_map_test {

TEST(ConfigMap, IsReadAndWritten) {
  const std::string text =
      R"({"apiVersion":"v1","binaryData":{"b":"AAE="},"data":{"colour":"red"},"immutable":true,"kind":"ConfigMap","metadata":{"name":"a","namespace":"default"}})";
  const TypedRef<ConfigMap> map = testing::ReadTyped<ConfigMap>(text);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->data.at("colour"), "red");
  EXPECT_EQ(map->binary_data.at("b"), "AAE=");
  EXPECT_EQ(map->immutable, true);
  nlohmann::json out;
  to_json(out, *map);
  EXPECT_EQ(out.dump(), text);
  EXPECT_EQ(ConfigMap::GetResource().Path(""), "/api/v1/configmaps");
}

TEST(ConfigMap, OfWrongFieldsIsNone) {
  EXPECT_EQ(testing::WhyUnreadable<ConfigMap>(R"({"data":{"n":1}})"),
            "data.n: a number where text belongs");
  EXPECT_EQ(testing::WhyUnreadable<ConfigMap>(R"({"metadata":[]})"),
            "metadata: an array where an object belongs");
  EXPECT_TRUE(testing::ReadTyped<ConfigMap>("{}"));
  EXPECT_TRUE(testing::ReadTyped<ConfigMap>(R"({"metadata":null,"data":null})"));
}

}  // namespace config_map_test
}  // namespace relist::objects
