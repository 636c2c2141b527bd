#include "reflector/objects/json_fields.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace relist::objects {
namespace json_fields_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

struct Leaf {
  int32_t number = 5;
  std::vector<std::string> texts;
};
void from_json(const Json& from, Leaf& into) {
  ReadField(from, "number", &into.number);
  ReadField(from, "texts", &into.texts);
}
void to_json(Json& into, const Leaf& from) {
  WriteField(&into, "number", from.number);
  WriteField(&into, "texts", from.texts);
}

struct Tree {
  std::string text;
  bool flag = false;
  int64_t large = 0;
  StringMap map, quantities;
  Leaf leaf;
  std::vector<Leaf> leaves;
  std::optional<Leaf> maybe;
  std::optional<std::string> maybe_text;
  std::optional<int32_t> maybe_number;
};
void from_json(const Json& from, Tree& into) {
  ReadField(from, "text", &into.text);
  ReadField(from, "flag", &into.flag);
  ReadField(from, "large", &into.large);
  ReadField(from, "map", &into.map);
  ReadQuantities(from, "quantities", &into.quantities);
  ReadField(from, "leaf", &into.leaf);
  ReadField(from, "leaves", &into.leaves);
  ReadField(from, "maybe", &into.maybe);
  ReadField(from, "maybeText", &into.maybe_text);
  ReadField(from, "maybeNumber", &into.maybe_number);
}
void to_json(Json& into, const Tree& from) {
  WriteField(&into, "text", from.text);
  WriteField(&into, "flag", from.flag);
  WriteField(&into, "large", from.large);
  WriteField(&into, "map", from.map);
  WriteField(&into, "leaf", from.leaf);
  WriteField(&into, "leaves", from.leaves);
  WriteField(&into, "maybe", from.maybe);
  WriteField(&into, "maybeText", from.maybe_text);
  WriteField(&into, "maybeNumber", from.maybe_number);
}

Tree Read(const std::string& text) {
  Tree tree;
  from_json(Json::parse(text), tree);
  return tree;
}

std::string Wrong(const std::string& text) {
  try {
    Read(text);
    return "";
  } catch (const WrongField& wrong) {
    return wrong.what();
  }
}

TEST(JsonFields, AreReadWhereTheyAreThere) {
  const Tree tree = Read(
      R"({"text":"t","flag":true,"large":9007199254740993,"map":{"a":"1","b":null},
          "quantities":{"cpu":"500m","memory":1073741824},"leaf":{"number":-1,"texts":["x",null]},
          "leaves":[{},{"number":2},null],"maybe":{},"maybeText":"","maybeNumber":0,"unknown":[1]})");
  EXPECT_EQ(tree.text, "t");
  EXPECT_TRUE(tree.flag);
  EXPECT_EQ(tree.large, 9007199254740993);
  EXPECT_THAT(tree.map, ElementsAre(Pair("a", "1"), Pair("b", "")));
  EXPECT_THAT(tree.quantities, ElementsAre(Pair("cpu", "500m"), Pair("memory", "1073741824")));
  EXPECT_EQ(tree.leaf.number, -1);
  EXPECT_THAT(tree.leaf.texts, ElementsAre("x", ""));
  ASSERT_EQ(tree.leaves.size(), 3u);
  EXPECT_EQ(tree.leaves[1].number, 2);
  ASSERT_TRUE(tree.maybe.has_value());
  EXPECT_EQ(tree.maybe->number, 5);
  EXPECT_EQ(tree.maybe_text, "");
  EXPECT_EQ(tree.maybe_number, 0);
}

TEST(JsonFields, StayAsTheyAreWhereTheyAreAbsentOrNull) {
  for (const char* text : {"null", "{}",
                           R"({"text":null,"flag":null,"large":null,"map":null,"quantities":null,
                           "leaf":null,"leaves":null,"maybe":null,"maybeText":null})"}) {
    const Tree tree = Read(text);
    EXPECT_EQ(tree.text, "");
    EXPECT_EQ(tree.leaf.number, 5);
    EXPECT_THAT(tree.leaves, IsEmpty());
    EXPECT_FALSE(tree.maybe.has_value());
    EXPECT_FALSE(tree.maybe_text.has_value());
  }
}

TEST(JsonFields, OfAWrongTypeAreNamedByTheirPath) {
  EXPECT_EQ(Wrong("[]"), "an array where an object belongs");
  EXPECT_EQ(Wrong(R"({"text":1})"), "text: a number where text belongs");
  EXPECT_EQ(Wrong(R"({"flag":"true"})"), "flag: text where a boolean belongs");
  EXPECT_EQ(Wrong(R"({"large":1.5})"), "large: a number where an integer belongs");
  EXPECT_EQ(Wrong(R"({"map":{"a":{}}})"), "map.a: an object where text belongs");
  EXPECT_EQ(Wrong(R"({"map":[]})"), "map: an array where an object belongs");
  EXPECT_EQ(Wrong(R"({"quantities":{"cpu":true}})"),
            "quantities.cpu: a boolean where a quantity belongs");
  EXPECT_EQ(Wrong(R"({"leaf":{"number":"1"}})"), "leaf.number: text where an integer belongs");
  EXPECT_EQ(Wrong(R"({"leaf":7})"), "leaf: a number where an object belongs");
  EXPECT_EQ(Wrong(R"({"leaves":{}})"), "leaves: an object where an array belongs");
  EXPECT_EQ(Wrong(R"({"leaves":[{},{"texts":["a",2]}]})"),
            "leaves[1].texts[1]: a number where text belongs");
  EXPECT_EQ(Wrong(R"({"maybe":{"number":[]}})"), "maybe.number: an array where an integer belongs");
}

TEST(JsonFields, ThatDoNotFitTheirIntegerAreWrong) {
  EXPECT_EQ(Wrong(R"({"leaf":{"number":2147483648}})"), "leaf.number: 2147483648 is out of range");
  EXPECT_EQ(Wrong(R"({"leaf":{"number":-2147483649}})"),
            "leaf.number: -2147483649 is out of range");
  EXPECT_EQ(Wrong(R"({"large":9223372036854775808})"),
            "large: 9223372036854775808 is out of range");
  EXPECT_EQ(Read(R"({"large":9223372036854775807})").large, INT64_MAX);
}

TEST(JsonFields, ThatSayNothingAreNotWritten) {
  Tree tree;
  tree.leaf.number = 0;
  Json out;
  to_json(out, tree);
  EXPECT_EQ(out.dump(), "null");
  tree.maybe.emplace().number = 0;
  tree.maybe_text = "";
  tree.maybe_number = 0;
  tree.leaves.resize(2);
  tree.leaves[0].number = 0;
  out = {};
  to_json(out, tree);
  EXPECT_EQ(out.dump(),
            R"({"leaves":[{},{"number":5}],"maybe":{},"maybeNumber":0,"maybeText":""})");
}

}  // namespace json_fields_test
}  // namespace relist::objects
