#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/write/write_bench.h"

namespace relist::fakeapi {
namespace write_create_test {

using Json = WriteBench::Json;

TEST(Creating, GivesIdentityAndStoresInTheRealServersOrder) {
  WriteBench bench;
  bench.Create("cm", R"({"data":{"b":"2","a":"1"},"metadata":{"annotations":{"z":"1","y":"2"},)"
                     R"("labels":{"l":"1"},"name":"a","generation":7},"immutable":false})");
  EXPECT_EQ(bench.status(), 201);
  const StoredRef stored = bench.Find("cm", "a");
  EXPECT_EQ(stored->bytes,
            R"({"metadata":{"name":"a","namespace":"default","uid":")" + stored->uid +
                R"(","resourceVersion":")" + std::to_string(stored->revision) +
                R"(","generation":7,"creationTimestamp":"2026-01-01T00:00:00Z","labels":{"l":"1"},)"
                R"("annotations":{"y":"2","z":"1"}},"immutable":false,"data":{"a":"1","b":"2"}})");
  EXPECT_EQ(bench.TakeEvents(), std::vector<std::string>{"ADDED configmaps default/a"});
}

TEST(Creating, WhatAClientMayNotSetIsDropped) {
  WriteBench bench;
  const Json made = bench.Create(
      "cm",
      R"({"metadata":{"name":"a","uid":"x","selfLink":"/x","deletionTimestamp":"2001-01-01T00:00:00Z",)"
      R"("deletionGracePeriodSeconds":5,"managedFields":[{}],"creationTimestamp":null}})");
  EXPECT_NE(made["metadata"]["uid"], "x");
  for (const char* field :
       {"selfLink", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields"}) {
    EXPECT_FALSE(made["metadata"].contains(field)) << field;
  }
}

TEST(Creating, NullsAndEmptyOptionalFieldsAreNotStored) {
  WriteBench bench;
  const Json made = bench.Create(
      "cm", R"({"metadata":{"name":"a","labels":{},"annotations":null,"finalizers":[],)"
            R"("generateName":""},"data":{},"binaryData":null})");
  EXPECT_FALSE(made.contains("data"));
  EXPECT_EQ(made["metadata"].size(), 5u) << made;
}

TEST(Creating, GeneratedNamesAreFreeAndKeepTheirPrefix) {
  WriteBench bench;
  for (int i = 0; i < 20; ++i) {
    const Json made = bench.Create("cm", R"({"metadata":{"generateName":"pre-"}})");
    EXPECT_EQ(bench.status(), 201);
    EXPECT_EQ(made["metadata"]["name"].get<std::string>().size(), 9u);
    EXPECT_EQ(made["metadata"]["generateName"], "pre-");
  }
  EXPECT_EQ(bench.store.All(*FindByName("cm")).size(), 20u);
}

TEST(Creating, NeedsANamespaceThatIsThereAndStays) {
  WriteBench bench;
  bench.ns = "nope";
  EXPECT_EQ(bench.Create("cm", R"({"metadata":{"name":"a"}})")["message"],
            "namespaces \"nope\" not found");
  bench.Create("ns", R"({"metadata":{"name":"nope"}})");
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(bench.status(), 201);
  bench.Delete("ns", "nope");
  bench.Create("cm", R"({"metadata":{"name":"b"}})");
  EXPECT_EQ(bench.status(), 403);
}

TEST(Creating, WhatIsInTheWayMayBeOnItsWayOut) {
  WriteBench bench;
  const std::string held =
      R"({"metadata":{"name":"a","annotations":{"deletionTimestamp":""},"finalizers":["x/1"]}})";
  bench.Create("cm", held);
  EXPECT_EQ(bench.Create("cm", held)["message"], "configmaps \"a\" already exists");
  bench.Delete("cm", "a");
  EXPECT_EQ(bench.Create("cm", held)["message"],
            "object is being deleted: configmaps \"a\" already exists");
}

TEST(Creating, MetadataThatIsNullIsNone) {
  WriteBench bench;
  const std::string message = bench.Create("cm", R"({"metadata":null})")["message"];
  EXPECT_EQ(bench.status(), 422);
  EXPECT_EQ(message,
            "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is "
            "required");
}

TEST(Creating, APlainStringIsNoBody) {
  WriteBench bench;
  const std::pair<const char*, const char*> kCases[] = {
      {"\"abc\"", "cannot unmarshal string into Go value of type struct"},
      {"7", "cannot unmarshal number into Go value of type struct"},
      {"true", "cannot unmarshal bool into Go value of type struct"},
      {R"({"kind":7})", "cannot unmarshal number into Go struct field .kind of type string"}};
  for (const auto& [body, text] : kCases) {
    const std::string message = bench.Create("cm", body)["message"];
    EXPECT_EQ(bench.status(), 400);
    EXPECT_NE(message.find(text), std::string::npos) << message;
  }
}

TEST(Creating, ATypeThatDoesNotFitIsRefusedInGosWords) {
  WriteBench bench;
  const std::pair<const char*, const char*> kCases[] = {
      {R"({"metadata":{"name":1}})",
       "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type "
       "string"},
      {R"({"metadata":"x"})",
       "json: cannot unmarshal string into Go struct field ConfigMap.metadata of type "
       "v1.ObjectMeta"},
      {R"({"metadata":{"labels":{"a":true}}})",
       "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type "
       "string"},
      {R"({"metadata":{"finalizers":"x"}})",
       "json: cannot unmarshal string into Go struct field ObjectMeta.metadata.finalizers of type "
       "string"},
      {R"({"data":["x"]})",
       "json: cannot unmarshal array into Go struct field ConfigMap.data of type "
       "map[string]string"},
      {R"({"immutable":"yes"})",
       "json: cannot unmarshal string into Go struct field ConfigMap.immutable of type bool"}};
  for (const auto& [body, text] : kCases) {
    EXPECT_EQ(bench.Create("cm", body)["message"],
              "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: " + std::string(text));
    EXPECT_EQ(bench.status(), 400);
  }
}

TEST(Creating, UnknownFieldsWarnOnceEachAndStrictRefusesThemAll) {
  WriteBench bench;
  const std::string body =
      R"({"metadata":{"name":"a","colour":1},"surprise":1,"data":{"a":"1","a":"2","a":"3"}})";
  bench.Create("cm", body);
  EXPECT_EQ(bench.status(), 201);
  int warnings = 0;
  for (const auto& [name, value] : bench.last.headers) warnings += name == "Warning";
  EXPECT_EQ(warnings, 3);
  EXPECT_EQ(bench.Create("cm", body, {{"fieldValidation", "Strict"}})["message"],
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
            "duplicate field \"data.a\", unknown field \"metadata.colour\", unknown field "
            "\"surprise\"");
  EXPECT_EQ(bench.status(), 400);
}

TEST(Creating, AHundredComplaintsAreEnough) {
  WriteBench bench;
  std::string body = R"({"metadata":{"name":"a"})";
  for (int i = 0; i < 300; ++i) body += ",\"x" + std::to_string(i) + "\":1";
  bench.Create("cm", body + "}");
  EXPECT_EQ(bench.status(), 201);
  EXPECT_EQ(bench.last.headers.size(), 101u);
}

TEST(Creating, WhatAYamlBodyRepeatsIsToldAndIsAnErrorWhereThatIsAsked) {
  WriteBench bench;
  const std::string body = "metadata: {name: a}\ndata: {k: b, k: c, k: d}\nx: 1\n";
  const Json refused =
      bench.Create("cm", body, {{"fieldValidation", "Strict"}}, "application/yaml");
  EXPECT_EQ(bench.status(), 400);
  EXPECT_EQ(refused["message"],
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
            "yaml: unmarshal errors:\n  line 2: key \"k\" already set in map\n  line 2: key \"k\" "
            "already set in map, unknown field \"x\"");
  const Json made = bench.Create("cm", body, {}, "application/yaml");
  EXPECT_EQ(bench.status(), 201);
  EXPECT_EQ(made["data"]["k"], "d");
  ASSERT_EQ(bench.last.headers.size(), 3u) << "a line is told once";
  EXPECT_EQ(bench.last.headers[1].second, R"(299 - "line 2: key \"k\" already set in map")");
}

TEST(Creating, YamlBodiesAreRead) {
  WriteBench bench;
  const Json made =
      bench.Create("cm", "metadata:\n  name: a\ndata:\n  k: \"1\"\n", {}, "application/yaml");
  EXPECT_EQ(bench.status(), 201);
  EXPECT_EQ(made["data"]["k"], "1");
  bench.Create("cm", "metadata: {name: b}\ndata: {k: \xff}\n", {}, "application/yaml");
  EXPECT_EQ(bench.status(), 400);
  bench.Create("cm", R"({"metadata":{"name":"d"}})", {}, "application/json; charset=utf-8");
  EXPECT_EQ(bench.status(), 201);
  bench.Create("cm", R"({"metadata":{"name":"e"}})", {}, "");
  EXPECT_EQ(bench.status(), 201);
}

TEST(Creating, ADryRunLeavesNothingAndTakesNoLaterUid) {
  WriteBench bench;
  const uint64_t before = bench.store.revision();
  const Json dry = bench.Create("cm", R"({"metadata":{"name":"a"}})", {{"dryRun", "All"}});
  EXPECT_EQ(bench.status(), 201);
  EXPECT_FALSE(dry["metadata"].contains("resourceVersion"));
  EXPECT_EQ(bench.store.revision(), before);
  EXPECT_NE(bench.Create("cm", R"({"metadata":{"name":"a"}})")["metadata"]["uid"],
            dry["metadata"]["uid"]);
}

TEST(Creating, SecretsFoldStringDataAndCheckBase64) {
  WriteBench bench;
  const Json made =
      bench.Create("secrets", R"({"metadata":{"name":"a"},"data":{"b":"Mg==","a":"MQ=="},)"
                              R"("stringData":{"b":"3","c":"4"}})");
  EXPECT_EQ(made["data"], Json::parse(R"({"a":"MQ==","b":"Mw==","c":"NA=="})"));
  EXPECT_EQ(made["type"], "Opaque");
  EXPECT_FALSE(made.contains("stringData"));
  bench.Create("secrets", R"({"metadata":{"name":"b"},"data":{"a":"%"}})");
  EXPECT_EQ(bench.status(), 400);
}

TEST(Creating, AServicesPortGoesToItselfWhereNoneIsSetAsTypedClientsSendIt) {
  WriteBench bench;
  for (const char* target : {"", R"(,"targetPort":0)", R"(,"targetPort":"")"}) {
    const Json made = bench.Create(
        "svc", std::string(R"({"metadata":{"generateName":"a"},"spec":{"ports":[{"port":80)") +
                   target + "}]}}");
    EXPECT_EQ(made["spec"]["ports"][0]["targetPort"], 80) << target;
  }
  const Json named = bench.Create(
      "svc", R"({"metadata":{"name":"b"},"spec":{"ports":[{"port":80,"targetPort":"web"}]}})");
  EXPECT_EQ(named["spec"]["ports"][0]["targetPort"], "web");
}

TEST(Creating, NodesAndServicesHaveTheirZeroValues) {
  WriteBench bench;
  const Json node =
      bench.Create("nodes", R"({"metadata":{"name":"n"},"status":{"nodeInfo":{"bootID":"b"}}})");
  EXPECT_EQ(node["status"]["nodeInfo"]["bootID"], "b");
  EXPECT_EQ(node["status"]["nodeInfo"]["osImage"], "");
  EXPECT_EQ(node["status"]["daemonEndpoints"]["kubeletEndpoint"]["Port"], 0);
  EXPECT_EQ(node["spec"], Json::object());
  bench.Create("svc", R"({"metadata":{"name":"9bad"}})");
  EXPECT_EQ(bench.status(), 422);
  const Json service = bench.Create(
      "svc", R"({"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]},"status":{"x":1}})");
  EXPECT_EQ(service["status"], Json::parse(R"({"loadBalancer":{}})"));
  EXPECT_EQ(service["spec"]["type"], "ClusterIP");
}

TEST(Creating, PodsAreDefaultedAndWeighed) {
  WriteBench bench;
  const Json pod = bench.Create(
      "pods",
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"r:5000/i:1",)"
      R"("resources":{"limits":{"cpu":"1","memory":"1Gi"}}}]},"status":{"phase":"Running"}})");
  EXPECT_EQ(pod["status"], Json::parse(R"({"phase":"Pending","qosClass":"Guaranteed"})"));
  EXPECT_EQ(pod["spec"]["containers"][0]["imagePullPolicy"], "IfNotPresent");
  EXPECT_EQ(pod["spec"]["restartPolicy"], "Always");
  EXPECT_EQ(bench.Find("pods", "p")->fields.at("spec.schedulerName"), "default-scheduler");
}

TEST(Creating, TenThousandLevelsAreStoredAndOneMoreIsRefused) {
  WriteBench bench;
  const auto body = [](int levels) {
    return R"({"metadata":{"name":"deep"},"spec":{"containers":)" + std::string(levels, '[') +
           std::string(levels, ']') + "}}";
  };
  bench.Create("pods", body(9998));
  EXPECT_EQ(bench.status(), 201);
  const Json refused = bench.Create("pods", body(9999));
  EXPECT_EQ(bench.status(), 400);
  EXPECT_NE(refused["message"].get<std::string>().find("exceeded max depth"), std::string::npos);
  bench.Patch("pods", "deep", R"({"metadata":{"labels":{"a":"b"}}})");
  EXPECT_EQ(bench.status(), 200);
  bench.Send(WriteVerb::kDeleteCollection, "pods", "", "", {}, "");
  EXPECT_EQ(bench.status(), 200);
  EXPECT_EQ(bench.Find("pods", "deep"), nullptr);
}

TEST(Creating, WhatIsKnownAndNotDoneIsRefusedLoudly) {
  WriteBench bench;
  bench.Create("pods", R"({"metadata":{"name":"p"},"spec":{"containers":[]}})");
  for (const char* subresource : {"eviction", "binding", "exec"}) {
    bench.subresource = subresource;
    const Json refused = bench.Send(WriteVerb::kCreate, "pods", "p", "{}", {}, "application/json");
    EXPECT_EQ(bench.status(), 501) << subresource;
    EXPECT_EQ(refused["reason"], "NotImplemented");
  }
  bench.subresource = "log";
  bench.Send(WriteVerb::kCreate, "pods", "p", "{}", {}, "application/json");
  EXPECT_EQ(bench.status(), 405);
  bench.subresource = "nonsense";
  bench.Send(WriteVerb::kCreate, "pods", "p", "{}", {}, "application/json");
  EXPECT_EQ(bench.status(), 404);
  bench.Patch("pods", "p", "{}", "apply-patch+yaml");
  EXPECT_EQ(bench.status(), 501);
  bench.Send(WriteVerb::kDeleteCollection, "ns", "", "", {}, "");
  EXPECT_EQ(bench.status(), 405);
}

}  // namespace write_create_test
}  // namespace relist::fakeapi
