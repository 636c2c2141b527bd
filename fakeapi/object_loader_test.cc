#include "fakeapi/object_loader.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/write/write_bench.h"

namespace relist::fakeapi {
namespace object_loader_test {

struct Loading {
  Result<Loaded> Load(const std::string& text) {
    return LoadObjects(bench.store, text, bench.now, bench.choices);
  }
  std::string ErrorOf(const std::string& text) {
    const uint64_t before = bench.store.revision();
    Result<Loaded> loaded = Load(text);
    EXPECT_EQ(bench.store.revision(), before) << "something was stored";
    return loaded.ok() ? "" : loaded.error().message();
  }
  WriteBench bench;
};

// As kubectl get -A -o yaml prints it.
constexpr const char* kDump = R"(apiVersion: v1
items:
- apiVersion: v1
  data:
    k: "true"
  kind: ConfigMap
  metadata:
    creationTimestamp: "2024-05-06T07:08:09Z"
    labels:
      app: x
    name: a
    namespace: shop
    resourceVersion: "812"
    uid: 11111111-1111-1111-1111-111111111111
- apiVersion: v1
  kind: Pod
  metadata:
    generation: 3
    name: p
    namespace: shop
  spec:
    containers:
    - image: i
      name: c
    nodeName: n1
  status:
    phase: Running
- apiVersion: v1
  kind: Namespace
  metadata:
    name: late
    uid: 22222222-2222-2222-2222-222222222222
  spec:
    finalizers:
    - kubernetes
  status:
    phase: Terminating
kind: List
metadata:
  resourceVersion: ""
)";

TEST(ObjectLoader, WhatWasDumpedIsKeptAndRevisionsAreNew) {
  Loading loading;
  ASSERT_EQ(loading.Load(kDump)->objects, 3);
  loading.bench.ns = "shop";
  const StoredRef map = loading.bench.Find("cm", "a");
  ASSERT_NE(map, nullptr);
  EXPECT_EQ(map->uid, "11111111-1111-1111-1111-111111111111");
  EXPECT_EQ(map->labels.at("app"), "x");
  EXPECT_NE(map->bytes.find("\"creationTimestamp\":\"2024-05-06T07:08:09Z\""), std::string::npos);
  EXPECT_NE(map->bytes.find("\"k\":\"true\""), std::string::npos);
  EXPECT_NE(map->revision, 812u);
  const StoredRef pod = loading.bench.Find("pods", "p");
  EXPECT_EQ(pod->fields.at("status.phase"), "Running");
  EXPECT_EQ(pod->fields.at("spec.nodeName"), "n1");
  EXPECT_NE(pod->bytes.find("\"generation\":3"), std::string::npos);
  EXPECT_EQ(loading.bench.Find("ns", "late")->fields.at("status.phase"), "Terminating");
  EXPECT_NE(loading.bench.Find("ns", "shop"), nullptr) << "a missing namespace is made";
}

TEST(ObjectLoader, JsonOneObjectTypedListsAndStreamsAreRead) {
  Loading loading;
  EXPECT_EQ(
      loading.Load(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"one"}})")->objects,
      1);
  EXPECT_EQ(loading
                .Load(R"({"apiVersion":"v1","kind":"ConfigMapList","items":[)"
                      R"({"metadata":{"name":"two"}},{"metadata":{"name":"three"}}]})")
                ->objects,
            2);
  EXPECT_EQ(loading
                .Load("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: four}\n---\n"
                      "apiVersion: v1\nkind: Node\nmetadata: {name: five}\n")
                ->objects,
            2);
  EXPECT_EQ(loading.Load("{apiVersion: v1, kind: ConfigMap, metadata: {name: flow}}")->objects, 1);
  EXPECT_EQ(loading.Load(R"({"apiVersion":"v1","kind":"List","items":[]})")->objects, 0);
  for (const char* name : {"one", "two", "three", "four", "flow"}) {
    EXPECT_NE(loading.bench.Find("cm", name), nullptr) << name;
  }
}

TEST(ObjectLoader, ANamespaceThatIsThereTakesTheDumpsPlace) {
  Loading loading;
  ASSERT_TRUE(loading
                  .Load("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: default\n  uid: "
                        "33333333-3333-3333-3333-333333333333\n")
                  .ok());
  EXPECT_EQ(loading.bench.Find("ns", "default")->uid, "33333333-3333-3333-3333-333333333333");
}

std::string ListOf(const std::string& items) {
  return R"({"apiVersion":"v1","kind":"List","items":[)" + items + "]}";
}

constexpr const char* kGood = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})";

TEST(ObjectLoader, ABrokenItemIsNamedByItsIndexAndNothingIsStored) {
  Loading loading;
  const std::string good = kGood;
  EXPECT_EQ(loading.ErrorOf(ListOf(good + R"(,{"apiVersion":"v1","kind":"Widget"})")),
            "items[1]: kind \"Widget\" of v1 is not served; there are ConfigMap (v1), Event (v1), "
            "Namespace (v1), Node (v1), Pod (v1), Secret (v1), Service (v1), Deployment (apps/v1), "
            "Lease (coordination.k8s.io/v1)");
  for (const char* items : {"", R"(,"items":null)", R"(,"items":{})"}) {
    EXPECT_EQ(loading.ErrorOf(fmt::format(R"({{"apiVersion":"v1","kind":"List"{}}})", items)),
              "object: a List has its objects under `items`, as a list");
  }
  EXPECT_EQ(loading.ErrorOf(ListOf(good + ",7")), "items[1]: not an object");
  EXPECT_EQ(loading.ErrorOf(ListOf(good + R"(,{"metadata":{}})")),
            "items[1]: kind or apiVersion is missing");
  EXPECT_EQ(loading.ErrorOf(ListOf(good + "," + good)),
            "items[1]: configmaps default/a is there already");
  EXPECT_EQ(loading.ErrorOf(ListOf(
                R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":7})")),
            "items[0]: json: cannot unmarshal number into Go struct field ConfigMap.data of type "
            "map[string]string");
  EXPECT_EQ(loading
                .ErrorOf(ListOf(
                    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"Bad_Name"}})"))
                .substr(0, 62),
            "items[0]: ConfigMap \"Bad_Name\" is invalid: metadata.name: Inva");
  EXPECT_EQ(loading.ErrorOf("kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n---\nkind: X\n"),
            "document 2: kind or apiVersion is missing");
}

TEST(ObjectLoader, WhatIsNoBase64IsNamedWithItsObjectAndKey) {
  Loading loading;
  EXPECT_EQ(loading.ErrorOf(ListOf(R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},)"
                                   R"("data":{"good":"YQ==","bad":"%"}})")),
            "items[0]: Secret \"s\": data[\"bad\"]: illegal base64 data at input byte 0");
  EXPECT_EQ(
      loading.ErrorOf(ListOf(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},)"
                             R"("data":{"text":"%"},"binaryData":{"bad":"YQ="}})")),
      "items[0]: ConfigMap \"c\": binaryData[\"bad\"]: illegal base64 data at input byte 3");
}

TEST(ObjectLoader, FieldsThatNobodyKnowsAreDroppedAndCounted) {
  Loading loading;
  const auto map = [](const std::string& name, const std::string& more) {
    return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + "\"" + more;
  };
  const Result<Loaded> loaded = loading.Load(ListOf(
      map("a", R"(,"colour":1},"wheels":4},)") + map("b", R"(,"colour":2,"selfLink":"/x"}},)") +
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","colour":3},"spec":{)"
      R"("selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},)"
      R"("spec":{"containers":[{"name":"c","image":"i"}]}}}})"));
  ASSERT_TRUE(loaded.ok()) << loaded.error().message();
  const std::map<std::pair<std::string, std::string>, int> dropped = {
      {{"configmaps", "metadata.colour"}, 2},
      {{"configmaps", "wheels"}, 1},
      {{"deployments.apps", "metadata.colour"}, 1}};
  EXPECT_EQ(loaded->dropped, dropped);
  EXPECT_EQ(loading.bench.Find("cm", "a")->bytes.find("colour"), std::string::npos);
}

TEST(ObjectLoader, TextThatIsNothingIsRefused) {
  Loading loading;
  for (const char* nothing : {"", " \n", "# a comment\n", "---\n---\n# a comment\n", "null\n"}) {
    EXPECT_EQ(loading.ErrorOf(nothing), "holds no objects; an empty List would be fine") << nothing;
  }
  EXPECT_EQ(loading.ErrorOf("a: [1").substr(0, 11), "yaml: line ");
  EXPECT_EQ(loading.ErrorOf(R"({"kind":"List","apiVersion":"v1","items":[],"items":[]})"),
            "duplicate field \"items\"");
  EXPECT_EQ(loading.ErrorOf("{\"a\":" + std::string(20000, '[')), "the file nests too deeply");
}

TEST(ObjectLoader, WhatIsLoadedCanBeCreatedBesideWithoutSharingUids) {
  Loading loading;
  ASSERT_TRUE(loading.Load(ListOf(kGood)).ok());
  loading.bench.Create("cm", R"({"metadata":{"name":"b"}})");
  EXPECT_NE(loading.bench.Find("cm", "a")->uid, loading.bench.Find("cm", "b")->uid);
  EXPECT_NE(loading.bench.Find("cm", "a")->uid, loading.bench.Find("ns", "default")->uid);
}

}  // namespace object_loader_test
}  // namespace relist::fakeapi
