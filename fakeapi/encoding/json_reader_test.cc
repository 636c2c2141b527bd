#include "fakeapi/encoding/json_reader.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/encoding/go_json_error.h"

namespace relist::fakeapi {
namespace json_reader_test {

std::string Dumped(const std::string& text) {
  Result<JsonDocument> document = ReadJson(text);
  return document.ok() ? document->value->dump() : "error: " + document.error().message();
}

TEST(JsonReader, KeepsTheOrderOfFields) {
  EXPECT_EQ(Dumped(R"({"b":1,"a":[true,null,-2,1.5,"x"],"c":{}})"),
            R"({"b":1,"a":[true,null,-2,1.5,"x"],"c":{}})");
  EXPECT_EQ(Dumped("7"), "7");
}

// Short bodies are read by another parser than long ones: what they say is the same.
TEST(JsonReader, ReadsShortAndLongBodiesAlike) {
  const std::string texts[] = {
      R"({})",
      R"({"b":1,"a":[true,null,-2,1.5,"x",[],{}],"c":{"":{}}})",
      R"({"n":[0,-0,-0.0,1.0,1e2,5e-324,1.7976931348623157e308,0.1,3.0000000000000004]})",
      R"({"n":[9007199254740993,9223372036854775807,9223372036854775808,18446744073709551615]})",
      R"({"n":[18446744073709551616,-9223372036854775808,-9223372036854775809,1e400,1e-400]})",
      R"({"a":"1","b":{"x":1,"x":2,"y":[{"k":1,"k":2}]},"a":"3"})",
      R"({"s":["\"\\\/\b\f\n\r\t","\u0041\ud83d\ude00","\ud800","\udc00x","é😀"]})",
      "{\"s\":\"\xff\xc3y\"}",
      "{\"s\":\"a\tb\"}",
      "{\"s\":\"a\0b\"}",
      R"({"a":1,})",
      R"({"a":01})",
      R"({"a":+1})",
      R"({"a":.5})",
      R"({"a":1}{)",
      R"({"a":tru})",
      R"({"a" 1})",
      R"({a:1})",
      R"({"a":)" + std::string(1500, '[') + std::string(1500, ']') + "}",
  };
  for (const std::string& text : texts) {
    const std::string longer = std::string(70000, ' ') + text;
    EXPECT_EQ(Dumped(text), Dumped(longer)) << text.substr(0, 80);
    const Result<JsonDocument> one = ReadJson(text), other = ReadJson(longer);
    if (!one.ok()) continue;
    EXPECT_EQ(one->duplicates, other->duplicates) << text;
    EXPECT_EQ(nlohmann::ordered_json::to_cbor(*one->value),
              nlohmann::ordered_json::to_cbor(*other->value))
        << text.substr(0, 80) << ": the types differ";
  }
}

TEST(JsonReader, TheLastOfDuplicateKeysCountsAndIsReported) {
  Result<JsonDocument> document =
      ReadJson(R"({"data":{"a":"1","b":"2","a":"3"},"list":[{},{"x":[{"k":1,"k":2}]}],"data2":1})");
  EXPECT_EQ(document->value->dump(),
            R"({"data":{"b":"2","a":"3"},"list":[{},{"x":[{"k":2}]}],"data2":1})");
  EXPECT_EQ(document->duplicates, (std::vector<std::string>{"data.a", "list[1].x[0].k"}));
}

TEST(JsonReader, DuplicatesAmongManyFieldsAreFoundWithoutComparingAllWithAll) {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  text += "\"k77\":2}";
  Result<JsonDocument> document = ReadJson(text);
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(document->duplicates, std::vector<std::string>{"k77"});
  EXPECT_EQ(document->value->size(), 200000u);
  EXPECT_EQ((*document->value)["k77"], 2);
}

TEST(JsonReader, InvalidUtf8AndLoneSurrogatesBecomeReplacementCharacters) {
  EXPECT_EQ(Dumped("{\"a\":\"x\xff\xc3y\"}"), "{\"a\":\"x\xef\xbf\xbd\xef\xbf\xbdy\"}");
  EXPECT_EQ(Dumped("{\"a\":\"\xc3\xa4\xff\"}"), "{\"a\":\"\xc3\xa4\xef\xbf\xbd\"}");
  EXPECT_EQ(Dumped(R"({"a":"\ud800x\udc00"})"), "{\"a\":\"\xef\xbf\xbdx\xef\xbf\xbd\"}");
  EXPECT_EQ(Dumped(R"(["\ud83d\ude00","\\ud800",)"
                   "\"\xff\"]"),
            "[\"\xf0\x9f\x98\x80\",\"\\\\ud800\",\"\xef\xbf\xbd\"]");
}

TEST(JsonReader, ErrorsHaveGosTexts) {
  const std::pair<const char*, const char*> kCases[] = {
      {"", "unexpected end of JSON input"},
      {"  ", "unexpected end of JSON input"},
      {"{not json", "invalid character 'n' looking for beginning of object key string"},
      {"nonsense", "invalid character 'o' in literal null (expecting 'u')"},
      {"hello", "invalid character 'h' looking for beginning of value"},
      {"{\"a\" 1}", "invalid character '1' after object key"},
      {"{\"a\":1 2}", "invalid character '2' after object key:value pair"},
      {"{\"a\":1,}", "invalid character '}' looking for beginning of object key string"},
      {"[1 2]", "invalid character '2' after array element"},
      {"[1,]", "invalid character ']' looking for beginning of value"},
      {"{} x", "invalid character 'x' after top-level value"},
      {"\"a\nb\"", "invalid character '\\n' in string literal"},
      {"\"\\x\"", "invalid character 'x' in string escape code"},
      {"\"\\u12g4\"", "invalid character 'g' in \\u hexadecimal character escape"},
      {"-x", "invalid character 'x' in numeric literal"},
      {"1.x", "invalid character 'x' after decimal point in numeric literal"},
      {"1ex", "invalid character 'x' in exponent of numeric literal"},
      {"01", "invalid character '1' after top-level value"},
      {"{\"a\":", "unexpected end of JSON input"},
      {"[{}", "unexpected end of JSON input"},
      {"'", "invalid character '\\'' looking for beginning of value"},
  };
  for (const auto& [text, error] : kCases) {
    EXPECT_EQ(Dumped(text), "error: " + std::string(error)) << text;
  }
}

TEST(JsonReader, TheJudgeAcceptsWhatTheParserAccepts) {
  for (const char* good : {"{}", "[]", " [ ] ", R"({"a":[1,{"b":[]}],"c":-0.5e+3})", "null", "\"\"",
                           "[[],{},[[]]]", "-0"}) {
    EXPECT_EQ(GoJsonError(good), std::nullopt) << good;
    EXPECT_TRUE(ReadJson(good).ok()) << good;
  }
}

TEST(JsonReader, TooDeepIsSaidAsGoSaysIt) {
  const std::string deep(10001, '[');
  EXPECT_EQ(GoJsonError(deep), "invalid character '[' exceeded max depth");
}

}  // namespace json_reader_test
}  // namespace relist::fakeapi
