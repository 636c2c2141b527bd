#include "fakeapi/api/resource_path.h"

#include <gtest/gtest.h>

#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace resource_path_test {

std::string Shown(const std::string& path) {
  const ResourcePath parsed = ParseResourcePath(path);
  if (parsed.kind == PathKind::kOther) return "other";
  if (parsed.kind == PathKind::kNoSuchResource) return "none";
  if (parsed.kind == PathKind::kNoVerb) return "of what";
  if (parsed.kind == PathKind::kIncomplete) return "lacks " + parsed.key.ToString();
  return (parsed.legacy_watch ? "watch " : "") + parsed.resource->resource.GroupResource() + " " +
         parsed.key.ToString() + (parsed.key.name.empty() ? "" : "!") +
         (parsed.subresource.empty() ? "" : " " + parsed.subresource);
}

TEST(ResourcePath, MeansACollectionAnObjectOrASubresource) {
  EXPECT_EQ(Shown("/api/v1/configmaps"), "configmaps ");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns/configmaps"), "configmaps ns/");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns/configmaps/a"), "configmaps ns/a!");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns/pods/a/status"), "pods ns/a! status");
  EXPECT_EQ(Shown("/apis/apps/v1/namespaces/ns/deployments/a/scale"),
            "deployments.apps ns/a! scale");
  EXPECT_EQ(Shown("/api/v1/nodes/n1"), "nodes n1!");
}

TEST(ResourcePath, OfANamespaceIsTheNamespaceItself) {
  EXPECT_EQ(Shown("/api/v1/namespaces"), "namespaces ");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns"), "namespaces ns!");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns/status"), "namespaces ns! status");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns/finalize"), "namespaces ns! finalize");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns/"), "namespaces ns!");
}

TEST(ResourcePath, OfTheLegacyWatchIsKnown) {
  EXPECT_EQ(Shown("/api/v1/watch/configmaps"), "watch configmaps ");
  EXPECT_EQ(Shown("/api/v1/watch/namespaces/ns/configmaps/a"), "watch configmaps ns/a!");
  EXPECT_EQ(Shown("/api/v1/watch/namespaces"), "watch namespaces ");
  EXPECT_EQ(Shown("/apis/apps/v1/watch/deployments"), "watch deployments.apps ");
}

TEST(ResourcePath, UnderAServedVersionButWithoutAResourceIsNone) {
  EXPECT_EQ(Shown("/api/v1/nosuchthings"), "none");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns/nodes"), "none") << "cluster-scoped";
  EXPECT_EQ(Shown("/api/v1/configmaps/a"), "none") << "an object without a namespace";
  EXPECT_EQ(Shown("/apis/apps/v1/namespaces/ns"), "none");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns/namespaces"), "none");
}

TEST(ResourcePath, OfAnotherVersionOfWhatIsServedIsNone) {
  for (const char* path : {"/api/v2", "/api/v2/configmaps", "/api/V1", "/api/v1x", "/apis/apps/v2",
                           "/apis/apps/v2/deployments"}) {
    EXPECT_EQ(Shown(path), "none") << path;
  }
}

TEST(ResourcePath, WithSlashesAtTheEndIsTheSame) {
  EXPECT_EQ(Shown("/api/v1/configmaps/"), "configmaps ");
  EXPECT_EQ(Shown("/api/v1/configmaps//"), "configmaps ");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns/pods/a/status/"), "pods ns/a! status");
  EXPECT_EQ(Shown("/api/v1//"), "other");
}

TEST(ResourcePath, WithASlashTooManyHasAnEmptyName) {
  for (const char* path : {"/api//v1", "/api/v1//pods", "/apis/apps//v1", "/api/v1/watch//pods",
                           "/apis/apps/v1//deployments", "/api/v1/namespaces/ns//pods",
                           "/api/v1/namespaces/ns/configmaps//a", "/api/v1/namespaces//nodes",
                           "/api/v1/namespaces//namespaces", "/api/v1/namespaces/ns/pods//nope"}) {
    EXPECT_EQ(Shown(path), "none") << path;
  }
  EXPECT_EQ(Shown("/api/v1/namespaces//pods"), "pods ") << "of all namespaces";
  EXPECT_EQ(Shown("/api/v1/namespaces//pods/a"), "lacks a");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns/pods//status"), "lacks ns/");
  EXPECT_EQ(Shown("/api/v1/namespaces//status"), "lacks ");
}

TEST(ResourcePath, GoesNoStepUpForADot) {
  EXPECT_EQ(Shown("/api/v1/namespaces/a/../b/pods"), "none");
  EXPECT_EQ(Shown("/api/./v1/pods"), "none");
  EXPECT_EQ(Shown("/api/v1/namespaces/ns/configmaps/.."), "configmaps ns/..!");
}

TEST(ResourcePath, OfAVerbAloneSaysNotOfWhat) {
  for (const char* path :
       {"/api/v1/watch", "/api/v1/watch/", "/api/v2/proxy", "/apis/nope.example.com/v1/watch"}) {
    EXPECT_EQ(Shown(path), "of what") << path;
  }
}

TEST(ResourcePath, ElsewhereIsOther) {
  for (const char* path : {"/", "", "/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1",
                           "/apis/nope.example.com/v1/things", "//api/v1/pods", "/./api/v1/pods",
                           "/../api/v1/pods", "/apis//apps", "/API/v1/pods", "/version"}) {
    EXPECT_EQ(Shown(path), "other") << path;
  }
}

}  // namespace resource_path_test
}  // namespace relist::fakeapi
