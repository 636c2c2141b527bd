// Objects from files beside a scenario.
#include "scenarios/script/manifests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scenarios/script/scenario.h"

namespace relist {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// A folder with a scenario and an object file; gone with the test.
class Folder {
 public:
  Folder() {
    path_ = ::testing::TempDir() + "/relist-manifests-" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(In(name), std::ios::binary) << text;
  }
  std::string In(const std::string& name) const { return path_ + "/" + name; }

  Result<Scenario> Load(const std::string& objects) const {
    Write("objects.yaml", objects);
    Write("s.yaml", "name: x\nobjects:\n- {file: objects.yaml}\n");
    return LoadScenario(In("s.yaml"));
  }
  std::string MistakesWith(const std::string& objects) const {
    const Result<Scenario> scenario = Load(objects);
    return scenario.ok() ? "" : scenario.error().message();
  }

 private:
  std::string path_;
};

TEST(ManifestsTest, AFileHoldsDocumentsAndLists) {
  const Folder folder;
  const Result<Scenario> scenario = folder.Load(R"(# what kubectl wrote
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
# nothing
--- {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop}}
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: p}
  spec: {volumes: [{name: v, configMap: {name: a, defaultMode: 0644}}]}
---
apiVersion: v1
kind: ConfigMapList
items:
- metadata: {name: b}
)");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  const std::vector<ObjectSpec>& objects = scenario->objects;
  ASSERT_EQ(objects.size(), 4u);
  EXPECT_EQ(objects[0].name, "a");
  EXPECT_EQ(objects[0].line, 3);
  EXPECT_EQ(objects[0].file, folder.In("objects.yaml"));
  EXPECT_EQ(objects[1].resource, "secrets");
  EXPECT_EQ(objects[1].ns, "shop");
  EXPECT_EQ(objects[2].resource, "pods");
  EXPECT_EQ(objects[2].line, 13);
  EXPECT_THAT(objects[2].body_json, HasSubstr(R"("defaultMode":420)")) << "as kubectl reads it";
  EXPECT_EQ(objects[3].resource, "configmaps") << "items of typed lists do not say what they are";
}

TEST(ManifestsTest, JsonIsFineToo) {
  const Folder folder;
  const Result<Scenario> scenario =
      folder.Load(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}})");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  EXPECT_EQ(scenario->objects.at(0).resource, "nodes");
}

TEST(ManifestsTest, WhatIsWrongIsToldWithTheFileAndItsLine) {
  const Folder folder;
  const std::string file = folder.In("objects.yaml");
  EXPECT_THAT(folder.MistakesWith("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n"
                                  "apiVersion: v1\nkind: Widget\nmetadata: {name: b}\n"),
              StartsWith(file + ":5:1: kind \"Widget\" of v1 is not served"));
  EXPECT_THAT(folder.MistakesWith("---\na: [\n"), StartsWith(file + ":3:1: this is not YAML"));
  EXPECT_THAT(folder.MistakesWith("# nothing\n---\n"),
              StartsWith(file + ":1:1: this file holds no objects"));
  EXPECT_THAT(folder.MistakesWith("kind: List\napiVersion: v1\nitems: 3\n"),
              StartsWith(file + ":1:1: the \"items\" of a List are a list"));
  EXPECT_THAT(folder.MistakesWith("kind: List\napiVersion: v1\nitems:\n- {kind: Pod}\n"),
              StartsWith(file + ":4:3: an object has \"apiVersion\""));
  EXPECT_THAT(folder.MistakesWith("{apiVersion: v1, kind: Pod, metadata: {name: Up}}\n"),
              StartsWith(file + ":1:1: pods cannot be called \"Up\""));
  EXPECT_THAT(folder.MistakesWith(std::string((1 << 20) + 1, '#')),
              StartsWith(file + ":1:1: this file has more than 1048576 bytes"));
  const std::string twice = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n";
  EXPECT_THAT(folder.MistakesWith(twice + "---\n" + twice),
              StartsWith(file + ":3:1: configmaps default/a stands twice among the objects: it is "
                                "in line 1 already"));
}

TEST(ManifestsTest, MoreObjectsThanAllowedAreToldOnce) {
  const Folder folder;
  std::string text = "kind: ConfigMapList\napiVersion: v1\nitems:\n";
  for (int i = 0; i < 1003; ++i) text += "- {metadata: {name: o" + std::to_string(i) + "}}\n";
  EXPECT_EQ(folder.MistakesWith(text), folder.In("objects.yaml") +
                                           ":1004:3: with this one there are more than 1000 "
                                           "objects");
}

TEST(ManifestsTest, EmptyDocumentsTakeNoMemory) {  // each with all lines before it: 34 GB
  const Folder folder;
  std::string text;
  while (text.size() + 4 <= size_t{1} << 20) text += "---\n";
  EXPECT_THAT(folder.MistakesWith(text),
              StartsWith(folder.In("objects.yaml") + ":1:1: this file holds no objects"));
}

TEST(ManifestsTest, AFileThatIsNotThereIsToldWhereItIsNamed) {
  const Folder folder;
  for (const char* name : {"none.yaml", "."}) {
    folder.Write("s.yaml", std::string("name: x\nobjects:\n- {file: ") + name + "}\n");
    const Result<Scenario> scenario = LoadScenario(folder.In("s.yaml"));
    ASSERT_FALSE(scenario.ok());
    EXPECT_THAT(scenario.error().message(),
                StartsWith(folder.In("s.yaml") + ":3:10: " + folder.In(name) + ": cannot be read"));
  }
}

}  // namespace
}  // namespace relist
