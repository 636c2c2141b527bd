#include "reflector/objects/common.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reflector/objects/json_fields.h"

namespace relist::objects {
namespace common_test {

template <class T>
T Read(const std::string& text) {
  T value;
  from_json(Json::parse(text), value);
  return value;
}
template <class T>
std::string Again(const std::string& text) {
  Json out;
  to_json(out, Read<T>(text));
  return out.dump();
}

TEST(Conditions, AreFoundByType) {
  const std::vector<Condition> conditions = {{.type = "Ready", .status = "True"},
                                             {.type = "Progressing", .status = "False"}};
  EXPECT_EQ(FindCondition(conditions, "Progressing")->status, "False");
  EXPECT_EQ(FindCondition(conditions, "Nope"), nullptr);
  EXPECT_TRUE(IsTrue(conditions, "Ready"));
  EXPECT_FALSE(IsTrue(conditions, "Progressing"));
  EXPECT_FALSE(IsTrue(conditions, "Nope"));
}

TEST(Conditions, HaveTheTimesOfTheirKind) {
  const std::string all =
      R"({"lastHeartbeatTime":"1","lastProbeTime":"2","lastTransitionTime":"3","lastUpdateTime":"4","message":"m","observedGeneration":5,"reason":"r","status":"True","type":"Ready"})";
  EXPECT_EQ(Again<Condition>(all), all);
  EXPECT_EQ(Again<Condition>(R"({"type":"Ready","status":"True","lastProbeTime":null})"),
            R"({"status":"True","type":"Ready"})");
}

TEST(IntOrString, IsEither) {
  EXPECT_EQ(Read<IntOrString>("80").number, 80);
  EXPECT_EQ(Read<IntOrString>("\"25%\"").text, "25%");
  EXPECT_EQ(Again<IntOrString>("80"), "80");
  EXPECT_EQ(Again<IntOrString>("\"25%\""), "\"25%\"");
  EXPECT_THROW(Read<IntOrString>("1.5"), WrongField);
  EXPECT_THROW(Read<IntOrString>("[]"), WrongField);
}

std::optional<LabelSelectorSpec> Spec(const std::string& text) {
  return Read<LabelSelectorSpec>(text);
}

TEST(LabelSelectorSpec, MatchesAsItsPartsSay) {
  const LabelSelector selector = *AsSelector(Spec(
      R"({"matchLabels":{"app":"web"},"matchExpressions":[
          {"key":"tier","operator":"NotIn","values":["db","cache"]},
          {"key":"env","operator":"In","values":["prod"]},
          {"key":"x","operator":"Exists"},{"key":"y","operator":"DoesNotExist"}]})"));
  const StringMap good = {{"app", "web"}, {"env", "prod"}, {"x", ""}};
  EXPECT_TRUE(selector.Matches(good));
  for (const auto& [key, value] : {std::pair("app", "db"), std::pair("tier", "db"),
                                   std::pair("env", "test"), std::pair("y", "1")}) {
    StringMap bad = good;
    bad[key] = value;
    EXPECT_FALSE(selector.Matches(bad)) << key;
  }
  EXPECT_FALSE(selector.Matches({{"app", "web"}, {"env", "prod"}}));
}

TEST(LabelSelectorSpec, IsNothingWhereItIsAbsentAndEverythingWhereItIsEmpty) {
  EXPECT_TRUE(AsSelector(std::nullopt)->nothing());
  EXPECT_TRUE(AsSelector(Spec("{}"))->everything());
}

TEST(LabelSelectorSpec, IsRefusedWhereItIsNoGood) {
  for (const char* text : {R"({"matchExpressions":[{"key":"a","operator":"Like","values":["b"]}]})",
                           R"({"matchExpressions":[{"key":"a","operator":"In"}]})",
                           R"({"matchLabels":{"-a":"b"}})", R"({"matchLabels":{"a":"b c"}})"}) {
    EXPECT_FALSE(AsSelector(Spec(text)).ok()) << text;
  }
}

TEST(LabelSelectorSpec, IsWrittenAsItWasRead) {
  const std::string text =
      R"({"matchExpressions":[{"key":"a","operator":"In","values":["b"]},{"key":"c","operator":"Exists"}],"matchLabels":{"d":"e"}})";
  EXPECT_EQ(Again<LabelSelectorSpec>(text), text);
}

}  // namespace common_test
}  // namespace relist::objects
