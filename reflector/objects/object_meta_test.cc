#include "reflector/objects/object_meta.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace relist::objects {
namespace object_meta_test {

using ::testing::ElementsAre;

constexpr const char* kAll =
    R"({"annotations":{"note":"x"},"creationTimestamp":"2026-01-01T00:00:00Z",
        "deletionGracePeriodSeconds":0,"deletionTimestamp":"2026-01-01T00:01:00Z",
        "finalizers":["a/b","c/d"],"generateName":"web-","generation":3,"labels":{"app":"web"},
        "name":"web-1","namespace":"default",
        "ownerReferences":[
          {"apiVersion":"v1","kind":"Pod","name":"p","uid":"u1"},
          {"apiVersion":"apps/v1","blockOwnerDeletion":true,"controller":true,"kind":"ReplicaSet",
           "name":"web","uid":"u2"}],
        "resourceVersion":"42","uid":"u0"})";

ObjectMeta Read(const std::string& text) {
  ObjectMeta metadata;
  from_json(nlohmann::json::parse(text), metadata);
  return metadata;
}

TEST(ObjectMeta, HasAllThatEveryObjectHas) {
  const ObjectMeta metadata = Read(kAll);
  EXPECT_EQ(metadata.name, "web-1");
  EXPECT_EQ(metadata.generate_name, "web-");
  EXPECT_EQ(metadata.ns, "default");
  EXPECT_EQ(metadata.uid, "u0");
  EXPECT_EQ(metadata.resource_version, "42");
  EXPECT_EQ(metadata.generation, 3);
  EXPECT_EQ(metadata.creation_timestamp, "2026-01-01T00:00:00Z");
  EXPECT_EQ(metadata.deletion_timestamp, "2026-01-01T00:01:00Z");
  EXPECT_EQ(metadata.deletion_grace_period_seconds, 0);
  EXPECT_EQ(metadata.labels.at("app"), "web");
  EXPECT_EQ(metadata.annotations.at("note"), "x");
  EXPECT_THAT(metadata.finalizers, ElementsAre("a/b", "c/d"));
  ASSERT_EQ(metadata.owner_references.size(), 2u);
  EXPECT_EQ(metadata.owner_references[1].uid, "u2");
  EXPECT_EQ(metadata.owner_references[0].controller, std::nullopt);
}

TEST(ObjectMeta, IsWrittenAsItWasRead) {
  nlohmann::json out;
  to_json(out, Read(kAll));
  EXPECT_EQ(out, nlohmann::json::parse(kAll));
  to_json(out = {}, ObjectMeta{});
  EXPECT_TRUE(out.is_null());
}

TEST(ObjectMeta, KnowsItsControllerAndItsFinalizers) {
  const ObjectMeta metadata = Read(kAll);
  ASSERT_NE(ControllerOf(metadata), nullptr);
  EXPECT_EQ(ControllerOf(metadata)->name, "web");
  EXPECT_EQ(ControllerOf(ObjectMeta{}), nullptr);
  EXPECT_TRUE(HasFinalizer(metadata, "c/d"));
  EXPECT_FALSE(HasFinalizer(metadata, "e/f"));
}

}  // namespace object_meta_test
}  // namespace relist::objects
