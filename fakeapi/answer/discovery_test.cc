#include "fakeapi/answer/discovery.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace relist::fakeapi {
namespace discovery_test {

using nlohmann::json;

std::optional<Response> Ask(const std::string& path, const std::string& accept = "",
                            const std::string& method = "GET") {
  Request request{method, path, {{"Accept", accept}, {"Host", "fake:1"}}, ""};
  return AnswerDiscovery(path, {}, request);
}

json Document(const std::string& path, const std::string& accept = "application/json") {
  const std::optional<Response> response = Ask(path, accept);
  EXPECT_TRUE(response && response->status == 200) << path;
  return response ? json::parse(response->BodyText()) : json();
}

const json* Named(const json& list, const std::string& key, const std::string& name) {
  for (const json& one : list) {
    if (one[key] == name) return &one;
  }
  return nullptr;
}

TEST(Discovery, TheVersionIsIndentedAndHasNoNewline) {
  const Response response = *Ask("/version");
  EXPECT_TRUE(response.BodyText().starts_with("{\n  \"major\": \"1\",\n  \"minor\": \"37\""));
  EXPECT_TRUE(response.BodyText().ends_with("}"));
}

TEST(Discovery, VersionsAndGroupsAreAsTheRealServers) {
  EXPECT_EQ(Document("/api"),
            json::parse(R"({"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":)"
                        R"([{"clientCIDR":"0.0.0.0/0","serverAddress":"fake:1"}]})"));
  EXPECT_EQ(Document("/apis/apps"),
            json::parse(R"({"kind":"APIGroup","apiVersion":"v1","name":"apps","versions":)"
                        R"([{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":)"
                        R"({"groupVersion":"apps/v1","version":"v1"}})"));
  EXPECT_EQ(Document("/apis/")["groups"].size(), 2u);
}

TEST(Discovery, ResourceListsNameVerbsShortNamesAndSubresources) {
  const json core = Document("/api/v1");
  EXPECT_EQ(core["groupVersion"], "v1");
  EXPECT_EQ(*Named(core["resources"], "name", "configmaps"),
            json::parse(R"({"name":"configmaps","singularName":"configmap","namespaced":true,)"
                        R"("kind":"ConfigMap","verbs":["create","delete","deletecollection","get",)"
                        R"("list","patch","update","watch"],"shortNames":["cm"],)"
                        R"("storageVersionHash":"qFsyl6wFWjQ="})"));
  EXPECT_EQ(
      *Named(core["resources"], "name", "pods/eviction"),
      json::parse(R"({"name":"pods/eviction","singularName":"","namespaced":true,)"
                  R"("group":"policy","version":"v1","kind":"Eviction","verbs":["create"]})"));
  const json apps = Document("/apis/apps/v1");
  EXPECT_EQ(apps["apiVersion"], "v1");
  EXPECT_NE(Named(apps["resources"], "name", "deployments/scale"), nullptr);
}

TEST(Discovery, EverythingAtOnceForThoseWhoRatherHaveThat) {
  const std::string accept =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
  const Response response = *Ask("/apis", accept);
  const HeaderList expected = {
      {"Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"},
      {"Cache-Control", "public"},
      {"Vary", "Accept"}};
  EXPECT_EQ(response.headers, expected);
  const json list = json::parse(response.BodyText());
  EXPECT_EQ(list["items"][0]["metadata"]["name"], "apps");
  EXPECT_EQ(list["items"][0]["versions"][0]["resources"][0]["subresources"][0]["subresource"],
            "scale");
  EXPECT_EQ(Document("/apis", "application/json")["kind"], "APIGroupList");
  EXPECT_EQ(Document("/api",
                     "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as="
                     "APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v="
                     "v2beta1;as=APIGroupDiscoveryList")["apiVersion"],
            "apidiscovery.k8s.io/v2beta1");
}

TEST(Discovery, SlashesAtTheEndCountWhereTheyDoAtTheRealServer) {
  for (const char* path : {"/version/", "/version//", "/api//", "/api/v1//", "/apis/",
                           "/apis/apps//", "/apis/apps/v1/"}) {
    EXPECT_TRUE(Ask(path).has_value()) << path;
  }
  for (const char* path : {"//", "/apis//", "/openapi/v2/", "//version", "//api"}) {
    EXPECT_FALSE(Ask(path).has_value()) << path;
  }
}

TEST(Discovery, SomeOfItTakesGetAloneAndSomeAnyMethod) {
  for (const char* path : {"/version", "/api", "/api/v1", "/apis/apps/v1/"}) {
    EXPECT_EQ(Ask(path, "", "HEAD")->status, 405) << path;
    EXPECT_EQ(Ask(path, "", "POST")->status, 405) << path;
  }
  for (const char* path : {"/", "/apis", "/apis/apps", "/openapi/v2"}) {
    EXPECT_EQ(Ask(path, "", "HEAD")->status, 200) << path;
    EXPECT_EQ(Ask(path, "", "DELETE")->status, 200) << path;
  }
}

TEST(Discovery, OpenApiV2IsEmptyAndV3IsNotThere) {
  EXPECT_EQ(Ask("/openapi/v2")->status, 200);
  EXPECT_EQ(Ask("/openapi/v2")->BodySize(), 0u);
  EXPECT_FALSE(Ask("/openapi/v3").has_value());
}

TEST(Discovery, OtherPathsAreNotItsBusiness) {
  for (const char* path :
       {"/api/v2", "/apis/nope", "/apis/apps/v2", "/nothing", "/healthzz", "/api/v1/pods"}) {
    EXPECT_FALSE(Ask(path).has_value()) << path;
  }
  EXPECT_EQ(Ask("/api", "application/xml")->status, 406);
  EXPECT_TRUE(Ask("/api", "application/yaml")->BodyText().starts_with("kind: APIVersions\n"));
}

}  // namespace discovery_test
}  // namespace relist::fakeapi
