#include "reflector/decoding/json_tree.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace relist {
namespace json_tree_test {

using nlohmann::json;

// What came out, or the error's words.
std::string Tree(const std::string& bytes) {
  JsonTreeReader reader;
  json value = "untouched";
  const Result<void> read = reader.Read(bytes, &value);
  if (read.ok()) return value.dump();
  EXPECT_EQ(value, "untouched");
  return read.error().message();
}

TEST(JsonTree, IsWhatNlohmannWouldHaveRead) {
  for (const char* text :
       {R"({"b":[1,-2,3.5,true,false,null,"x\u00e9\n"],"a":{"c":{}},"d":[]})", "[]", "{}", "null",
        "17", "18446744073709551615", "-9223372036854775808", "\"text\"", "1e3"}) {
    EXPECT_EQ(Tree(text), json::parse(text).dump()) << text;
  }
}

TEST(JsonTree, KeepsTheKindsOfNumbersApart) {
  JsonTreeReader reader;
  json value;
  ASSERT_TRUE(reader.Read("[1,-1,1.0,18446744073709551615]", &value).ok());
  EXPECT_TRUE(value[0].is_number_integer());
  EXPECT_TRUE(value[1].is_number_integer());
  EXPECT_TRUE(value[2].is_number_float());
  EXPECT_TRUE(value[3].is_number_unsigned());
}

TEST(JsonTree, LetsTheLastOfDuplicateKeysWin) {
  EXPECT_EQ(Tree(R"({"a":{"old":1},"b":2,"a":{"new":3}})"), R"({"a":{"new":3},"b":2})");
}

TEST(JsonTree, TakesNumbersThatFitNoInteger) {
  EXPECT_EQ(Tree(R"({"n":123456789012345678901234567890})"), R"({"n":1.2345678901234568e+29})");
}

TEST(JsonTree, MendsTextThatIsNoUtf8) {
  EXPECT_EQ(Tree("{\"a\":\"x\xff\"}"), "{\"a\":\"x\xef\xbf\xbd\"}");
}

TEST(JsonTree, RefusesWhatIsNoJsonAndWhatIsTooDeep) {
  EXPECT_EQ(Tree("{\"a\":").substr(0, 6), "JSON: ");
  EXPECT_EQ(Tree(""), "JSON: Empty: no JSON found");
  const std::string deep(1000, '[');
  EXPECT_EQ(Tree(deep + std::string(1000, ']')).size(), 2000u);
  const std::string deeper(10000, '[');
  EXPECT_EQ(Tree(deeper + std::string(10000, ']')), "JSON: nests deeper than 1,024 levels");
}

}  // namespace json_tree_test
}  // namespace relist
