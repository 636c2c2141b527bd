#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/write/write_bench.h"

namespace relist::fakeapi {
namespace write_update_test {

using Json = WriteBench::Json;

std::string RevisionOf(const Json& object) {
  return object["metadata"]["resourceVersion"];
}

TEST(Replacing, WhatIsTheSameChangesNothingAndTellsNobody) {
  WriteBench bench;
  const std::string body =
      R"({"metadata":{"name":"a","labels":{"x":"1","y":"2"}},"data":{"k":"v"}})";
  const Json made = bench.Create("cm", body);
  bench.TakeEvents();
  const Json same = bench.Replace(
      "cm", "a", R"({"data":{"k":"v"},"metadata":{"labels":{"y":"2","x":"1"},"name":"a"}})");
  EXPECT_EQ(RevisionOf(same), RevisionOf(made));
  EXPECT_TRUE(bench.TakeEvents().empty());
  const Json other = bench.Replace("cm", "a", R"({"metadata":{"name":"a"},"data":{"k":"w"}})");
  EXPECT_NE(RevisionOf(other), RevisionOf(made));
  EXPECT_EQ(other["metadata"]["uid"], made["metadata"]["uid"]);
  EXPECT_FALSE(other["metadata"].contains("labels"));
  EXPECT_EQ(bench.TakeEvents(), std::vector<std::string>{"MODIFIED configmaps default/a"});
}

TEST(Replacing, TheSamePodManifestTwiceChangesNothing) {
  WriteBench bench;
  const std::string body =
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}],"nodeName":"n"}})";
  const Json made = bench.Create("pods", body);
  EXPECT_EQ(RevisionOf(bench.Replace("pods", "p", body)), RevisionOf(made));
}

TEST(Replacing, ARevisionThatIsNotTheCurrentOneIsAConflict) {
  WriteBench bench;
  const Json made = bench.Create("cm", R"({"metadata":{"name":"a"}})");
  const auto body = [](const std::string& revision, const std::string& value) {
    return R"({"metadata":{"name":"a","resourceVersion":")" + revision + R"("},"data":{"k":")" +
           value + "\"}}";
  };
  bench.Replace("cm", "a", body(RevisionOf(made), "1"));
  EXPECT_EQ(bench.status(), 200);
  bench.Replace("cm", "a", body(RevisionOf(made), "2"));
  EXPECT_EQ(bench.status(), 409);
  bench.Replace("cm", "a", body("x", "2"));
  EXPECT_EQ(bench.status(), 500);
}

TEST(Replacing, ALeaseNeedsItsRevisionAndIsMadeWhereItIsMissing) {
  WriteBench bench;
  const std::string body = R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"one"}})";
  bench.Replace("leases", "l", body);
  EXPECT_EQ(bench.status(), 201);
  EXPECT_EQ(bench.Replace("leases", "l", body)["details"]["kind"], "leases");
  EXPECT_EQ(bench.Replace("leases", "l", body)["details"]["causes"][0]["field"],
            "metadata.resourceVersion");
  EXPECT_EQ(bench.status(), 422);
  bench.Replace("cm", "nope", R"({"metadata":{"name":"nope"}})");
  EXPECT_EQ(bench.status(), 404);
}

TEST(Replacing, WithoutANameInTheBodyItIsNotKnownWhatIsMeant) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(bench.Replace("cm", "a", R"({"metadata":{}})")["message"],
            "the name of the object (a based on URL) was undeterminable: name must be provided");
}

TEST(Replacing, CreationTimeAndDeletionTimeAreNotTheClients) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  const Json refused = bench.Replace(
      "cm", "a",
      R"({"metadata":{"name":"a","creationTimestamp":"2001-01-01T00:00:00Z","deletionTimestamp":"2001-01-01T00:00:00Z"}})");
  EXPECT_EQ(bench.status(), 422);
  EXPECT_EQ(refused["details"]["causes"].size(), 2u);
}

TEST(Replacing, StatusIsIgnoredAndGenerationFollowsTheSpec) {
  WriteBench bench;
  const std::string metadata = R"({"metadata":{"name":"d"},"spec":{"replicas":)";
  bench.Create("deploy", metadata + "1}}");
  Json now = bench.Replace("deploy", "d", metadata + R"(1},"status":{"replicas":9}})");
  EXPECT_EQ(now["metadata"]["generation"], 1);
  EXPECT_EQ(now["status"], Json::object());
  now = bench.Replace("deploy", "d", metadata + "2}}");
  EXPECT_EQ(now["metadata"]["generation"], 2);
  bench.subresource = "status";
  now = bench.Replace("deploy", "d", metadata + R"(7},"status":{"replicas":2}})");
  EXPECT_EQ(now["metadata"]["generation"], 2);
  EXPECT_EQ(now["spec"]["replicas"], 2);
  EXPECT_EQ(now["status"]["replicas"], 2);
}

TEST(Replacing, ImmutableSecretsAndTypesStay) {
  WriteBench bench;
  bench.Create("secrets", R"({"metadata":{"name":"s"},"data":{"a":"MQ=="},"immutable":true})");
  const Json refused = bench.Replace(
      "secrets", "s", R"({"metadata":{"name":"s"},"data":{"a":"Mg=="},"type":"x/y"})");
  EXPECT_EQ(bench.status(), 422);
  EXPECT_EQ(refused["details"]["causes"].size(), 3u) << refused;
}

TEST(Replacing, ADryRunAnswersAndLeavesNothing) {
  WriteBench bench;
  const Json made = bench.Create("cm", R"({"metadata":{"name":"a"}})");
  const Json dry = bench.Replace("cm", "a", R"({"metadata":{"name":"a"},"data":{"k":"v"}})",
                                 {{"dryRun", "All"}});
  EXPECT_EQ(dry["data"]["k"], "v");
  EXPECT_EQ(RevisionOf(dry), RevisionOf(made));
  EXPECT_EQ(bench.Find("cm", "a")->bytes.find("\"data\":"), std::string::npos);
}

TEST(Patching, AnUnknownFieldWarnsAndStrictRefuses) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  bench.Patch("cm", "a", R"({"surprise":1,"data":{"k":"v"}})");
  EXPECT_EQ(bench.status(), 200);
  EXPECT_EQ(bench.Header("Warning"), "299 - \"unknown field \\\"surprise\\\"\"");
  bench.Patch("cm", "a", R"({"surprise":1})", "merge-patch+json", {{"fieldValidation", "Strict"}});
  EXPECT_EQ(bench.status(), 422);
}

TEST(Patching, WhatALabelCommandSendsWorksInEveryForm) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  bench.Patch("cm", "a", R"({"metadata":{"labels":{"a":"1"}}})");
  bench.Patch("cm", "a", R"({"metadata":{"labels":{"b":"2"}}})", "strategic-merge-patch+json");
  const Json now = bench.Patch(
      "cm", "a", R"([{"op":"add","path":"/metadata/labels/c","value":"3"}])", "json-patch+json");
  EXPECT_EQ(now["metadata"]["labels"], Json::parse(R"({"a":"1","b":"2","c":"3"})"));
}

TEST(Patching, NeitherNameNorNamespaceNorKindCanBePatched) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(bench.Patch("cm", "a", R"({"metadata":{"namespace":"other"}})")["message"],
            "the namespace of the object (other) does not match the namespace on the request "
            "(default)");
  bench.Patch("cm", "a", R"({"kind":"Secret"})");
  EXPECT_EQ(bench.status(), 422);
  bench.Patch("cm", "a", R"({"metadata":null})");
  EXPECT_EQ(bench.status(), 400);
  bench.Patch("cm", "a", R"([])");
  EXPECT_EQ(bench.status(), 400);
  bench.Patch("cm", "a", R"({})", "merge-patch+json", {{"force", "true"}});
  EXPECT_EQ(bench.status(), 422);
}

TEST(Patching, StatusOfAPodKeepsItsSpecAndQuality) {
  WriteBench bench;
  bench.Create("pods", R"({"metadata":{"name":"p"},"spec":{"containers":[]}})");
  bench.subresource = "status";
  const Json now = bench.Patch(
      "pods", "p", R"({"spec":{"nodeName":"x"},"status":{"phase":"Running","qosClass":"x"}})");
  EXPECT_EQ(now["status"], Json::parse(R"({"phase":"Running","qosClass":"BestEffort"})"));
  EXPECT_FALSE(now["spec"].contains("nodeName"));
}

TEST(Patching, TheNamespacesOwnLabelComesBack) {
  WriteBench bench;
  bench.Create("ns", R"({"metadata":{"name":"n"}})");
  const Json now = bench.Patch("ns", "n", R"({"metadata":{"labels":null}})");
  EXPECT_EQ(now["metadata"]["labels"], Json::parse(R"({"kubernetes.io/metadata.name":"n"})"));
}

}  // namespace write_update_test
}  // namespace relist::fakeapi
