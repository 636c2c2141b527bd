#include "fakeapi/write/patch.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace relist::fakeapi {
namespace patch_test {

using nlohmann::ordered_json;

std::string Patched(PatchType type, const std::string& value, const std::string& patch,
                    const char* resource = "pods") {
  ordered_json patched = ordered_json::parse(value);
  Result<void> done = ApplyPatch(type, *FindByName(resource), patch, &patched);
  if (!done.ok()) return std::to_string(done.error().status.code) + " " + done.error().message();
  return patched.dump();
}

std::string Merged(const std::string& value, const std::string& patch) {
  return Patched(PatchType::kMerge, value, patch);
}

std::string Strategic(const std::string& value, const std::string& patch,
                      const char* resource = "pods") {
  return Patched(PatchType::kStrategic, value, patch, resource);
}

TEST(MergePatch, MergesObjectsTakesNullsAwayAndReplacesTheRest) {
  EXPECT_EQ(Merged(R"({"a":"b","c":{"d":"e","f":"g"}})", R"({"a":"z","c":{"f":null}})"),
            R"({"a":"z","c":{"d":"e"}})");
  EXPECT_EQ(Merged(R"({"a":[1,2]})", R"({"a":[3]})"), R"({"a":[3]})");
  EXPECT_EQ(Merged(R"({"a":"x"})", R"({"a":{"b":1}})"), R"({"a":{"b":1}})");
  EXPECT_EQ(Merged(R"({})", R"({"a":{"bb":{"ccc":null}}})"), R"({"a":{"bb":{}}})");
  EXPECT_EQ(Merged(R"({"e":null})", R"({"a":1})"), R"({"e":null,"a":1})");
}

TEST(MergePatch, IsTheSameForObjectsOfManyFields) {
  std::string value = "{", patch = "{";
  for (int i = 0; i < 2000; ++i) {
    value += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
    patch += (i ? ",\"k" : "\"k") + std::to_string(i) + (i % 2 ? "\":null" : "\":2");
  }
  const ordered_json merged =
      ordered_json::parse(Merged(value + "}", patch + R"(,"new":{"x":3}})"));
  EXPECT_EQ(merged.size(), 1001u);
  EXPECT_EQ(merged["k10"], 2);
  EXPECT_EQ(merged["new"]["x"], 3);
}

TEST(MergePatch, WhatIsNoObjectIsNoPatch) {
  EXPECT_EQ(Merged("{}", "[]"), "400 invalid JSON patch");
  EXPECT_EQ(Merged("{}", "nonsense"), "400 invalid JSON patch");
}

TEST(JsonPatch, DoesAllSixOperations) {
  EXPECT_EQ(
      Patched(
          PatchType::kJson, R"({"a":{"b":[1,2]},"x":1})",
          R"([{"op":"test","path":"/x","value":1},{"op":"add","path":"/a/b/1","value":9},)"
          R"({"op":"add","path":"/a/b/-","value":7},{"op":"remove","path":"/x"},)"
          R"({"op":"replace","path":"/a/b/0","value":0},{"op":"copy","from":"/a/b","path":"/c"},)"
          R"({"op":"move","from":"/a","path":"/d~1e"}])"),
      R"({"c":[0,9,2,7],"d/e":{"b":[0,9,2,7]}})");
}

TEST(JsonPatch, WhatCantBeAppliedIsInvalid) {
  for (const char* patch :
       {R"([{"op":"test","path":"/a","value":2}])", R"([{"op":"remove","path":"/zzz"}])",
        R"([{"op":"replace","path":"/zzz","value":1}])", R"([{"op":"dance","path":"/a"}])",
        R"([{"op":"add","path":"a","value":1}])", R"([{"op":"copy","from":"/zzz","path":"/b"}])",
        R"([7])"}) {
    EXPECT_EQ(Patched(PatchType::kJson, R"({"a":1})", patch).substr(0, 14), "422 the server")
        << patch;
  }
  EXPECT_EQ(Patched(PatchType::kJson, "{}", "{}").substr(0, 3), "400");
}

TEST(JsonPatch, CopiesThatDoubleDoNotFillTheMemory) {
  std::string patch = "[";
  for (int i = 0; i < 60; ++i) {
    patch += std::string(i ? "," : "") + R"({"op":"copy","from":"","path":"/k)" +
             std::to_string(i) + "\"}";
  }
  EXPECT_EQ(Patched(PatchType::kJson, R"({"a":"0123456789"})", patch + "]").substr(0, 3), "422");
  std::string many = "[";
  for (int i = 0; i <= 10000; ++i) {
    many += std::string(i ? "," : "") + R"({"op":"test","path":"/a","value":1})";
  }
  EXPECT_EQ(Patched(PatchType::kJson, R"({"a":1})", many + "]").substr(0, 3), "413");
}

TEST(StrategicPatch, ListsWithAMergeKeyAreMergedByIt) {
  EXPECT_EQ(
      Strategic(
          R"({"spec":{"containers":[{"name":"a","image":"1","env":[{"name":"X","value":"1"}]},{"name":"b"}]}})",
          R"({"spec":{"containers":[{"name":"a","image":"2","env":[{"name":"Y","value":"2"}]},{"name":"c"}]}})"),
      R"({"spec":{"containers":[{"name":"a","image":"2","env":[{"name":"X","value":"1"},)"
      R"({"name":"Y","value":"2"}]},{"name":"b"},{"name":"c"}]}})");
  EXPECT_EQ(Strategic(R"({"spec":{"ports":[{"port":80,"name":"x"}]}})",
                      R"({"spec":{"ports":[{"port":80,"name":"y"},{"port":81}]}})", "svc"),
            R"({"spec":{"ports":[{"port":80,"name":"y"},{"port":81}]}})");
}

TEST(StrategicPatch, FinalizersAreAddedAndOtherListsReplaced) {
  EXPECT_EQ(Strategic(R"({"metadata":{"finalizers":["a","b"]},"spec":{"args":["1","2"]}})",
                      R"({"metadata":{"finalizers":["b","c"]},"spec":{"args":["3"]}})"),
            R"({"metadata":{"finalizers":["a","b","c"]},"spec":{"args":["3"]}})");
}

TEST(StrategicPatch, DirectivesAreObeyedAndLeaveNoTrace) {
  EXPECT_EQ(Strategic(R"({"containers":[{"name":"a"},{"name":"b"}]})",
                      R"({"containers":[{"name":"a","$patch":"delete"}]})"),
            R"({"containers":[{"name":"b"}]})");
  EXPECT_EQ(Strategic(R"({"containers":[{"name":"a"},{"name":"b"}]})",
                      R"({"containers":[{"name":"c"},{"$patch":"replace"}]})"),
            R"({"containers":[{"name":"c"}]})");
  EXPECT_EQ(Strategic(R"({"m":{"a":1,"b":2}})", R"({"m":{"$patch":"replace","c":3}})"),
            R"({"m":{"c":3}})");
  EXPECT_EQ(Strategic(R"({"m":{"a":1}})", R"({"m":{"$patch":"delete"}})"), R"({"m":{}})");
  EXPECT_EQ(Strategic(R"({"m":{"a":1,"b":2,"c":3}})", R"({"m":{"$retainKeys":["a","d"],"d":4}})"),
            R"({"m":{"a":1,"d":4}})");
  EXPECT_EQ(
      Strategic(R"({"finalizers":["a","b"]})", R"({"$deleteFromPrimitiveList/finalizers":["a"]})"),
      R"({"finalizers":["b"]})");
  EXPECT_EQ(Strategic(R"({})", R"({"containers":[{"name":"a","$patch":"delete"},{"name":"b"}]})"),
            R"({"containers":[{"name":"b"}]})");
}

TEST(StrategicPatch, ElementsTakeTheOrderThatThePatchNames) {
  EXPECT_EQ(Strategic(R"({"containers":[{"name":"a"},{"name":"x"},{"name":"b"}]})",
                      R"({"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]})"),
            R"({"containers":[{"name":"b"},{"name":"a"},{"name":"x"}]})");
}

TEST(StrategicPatch, AnElementWithoutItsMergeKeyIsRefused) {
  EXPECT_EQ(Strategic(R"({"containers":[]})", R"({"containers":[{"image":"x"}]})"),
            "400 map: {\"image\":\"x\"} does not contain declared merge key: name");
  EXPECT_EQ(Strategic(R"({"m":{}})", R"({"m":{"$patch":"dance"}})"),
            "400 unknown patch type found: dance");
  EXPECT_EQ(Strategic("{}", "[]").substr(0, 3), "400");
}

TEST(PatchTypes, AreToldByTheirMediaType) {
  EXPECT_EQ(*PatchTypeOf("application/merge-patch+json"), PatchType::kMerge);
  EXPECT_EQ(*PatchTypeOf("application/json-patch+json; charset=utf-8"), PatchType::kJson);
  EXPECT_EQ(*PatchTypeOf("application/strategic-merge-patch+json"), PatchType::kStrategic);
  EXPECT_EQ(PatchTypeOf("application/apply-patch+yaml").error().status.code, 501);
  EXPECT_EQ(PatchTypeOf("application/json").error().status.code, 415);
  EXPECT_EQ(PatchTypeOf("").error().status.code, 415);
}

}  // namespace patch_test
}  // namespace relist::fakeapi
