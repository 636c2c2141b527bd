#include "fakeapi/api/resource_path.h"

#include <gtest/gtest.h>

#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace resource_path_test {

std::string Shown(const std::string& path) {
  const ResourcePath parsed = ParseResourcePath(path);
  if (parsed.kind == PathKind::kOther) return "other";
  if (parsed.kind == PathKind::kNoSuchResource) return "none";
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
  EXPECT_EQ(Shown("/api/v1/watch"), "none");
}

TEST(ResourcePath, ElsewhereIsOther) {
  for (const char* path : {"/", "", "/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1",
                           "/apis/nope.example.com/v1/things", "/api/v2/configmaps", "/version"}) {
    EXPECT_EQ(Shown(path), "other") << path;
  }
}

}  // namespace resource_path_test
}  // namespace relist::fakeapi
