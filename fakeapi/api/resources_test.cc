#include "fakeapi/api/resources.h"

#include <gtest/gtest.h>

namespace relist::fakeapi {
namespace resources_test {

TEST(Resources, AKindIsFoundByEveryNameThatAPersonTypes) {
  const ResourceType* deployments = FindResource("apps", "v1", "deployments");
  ASSERT_NE(deployments, nullptr);
  for (const char* name : {"deployments", "deployment", "deploy", "deployments.apps"}) {
    EXPECT_EQ(FindByName(name), deployments) << name;
  }
  EXPECT_EQ(FindKind("apps/v1", "Deployment"), deployments);
  EXPECT_EQ(deployments->list_kind(), "DeploymentList");
}

TEST(Resources, WhatIsNotServedIsNotFound) {
  EXPECT_EQ(FindResource("", "v1", "deployments"), nullptr);
  EXPECT_EQ(FindResource("apps", "v1beta1", "deployments"), nullptr);
  EXPECT_EQ(FindKind("v1", "Widget"), nullptr);
  EXPECT_EQ(FindByName("widgets"), nullptr);
}

TEST(Resources, NamespacesCantBeDeletedAsACollection) {
  EXPECT_FALSE(FindByName("ns")->Allows("deletecollection"));
  EXPECT_TRUE(FindByName("cm")->Allows("deletecollection"));
  EXPECT_NE(FindByName("po")->FindSubresource("status"), nullptr);
  EXPECT_EQ(FindByName("cm")->FindSubresource("status"), nullptr);
}

}  // namespace resources_test
}  // namespace relist::fakeapi
