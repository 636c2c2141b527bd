#include "fakeapi/encoding/json_writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/wire/json_text.h"

namespace relist::fakeapi {
namespace json_writer_test {

using nlohmann::ordered_json;

std::string Reference(const ordered_json& value) {
  return EscapeAsGo(value.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

// As a real server v1.37.2 answered.
TEST(JsonWriter, EscapesWhatGoEscapes) {
  EXPECT_EQ(WriteJson({{"a<", "<&> \u2028\u2029\b\f\x7f\x01é"}}),
            "{\"a\\u003c\":\"\\u003c\\u0026\\u003e \\u2028\\u2029\\b\\f\x7f\\u0001é\"}");
  EXPECT_EQ(WriteJson("\u2027\u202a"), "\"\u2027\u202a\"") << "their neighbours stay";
}

TEST(JsonWriter, LongTextsAreLookedAtToTheirEnds) {
  for (size_t size = 1; size < 50; ++size) {
    for (size_t at = 0; at < size; ++at) {
      for (const char c : {'"', '<', '\n', '\xff'}) {
        std::string text(size, 'x');
        text[at] = c;
        EXPECT_EQ(WriteJson(text), Reference(text)) << size << ' ' << at;
      }
    }
  }
}

TEST(JsonWriter, EveryByteIsWrittenAsTheLibraryWritesIt) {
  for (int c = 0; c < 256; ++c) {
    for (const char* around : {"", "a", "é", "\""}) {
      const std::string text = around + std::string(1, static_cast<char>(c)) + around;
      const ordered_json value = {{text, text}};
      EXPECT_EQ(WriteJson(value), Reference(value)) << c;
    }
  }
}

TEST(JsonWriter, WhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(WriteJson("a\xff"), "\"a\xef\xbf\xbd\"");
  for (const char* text : {"\xe2\x82", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82z"})
    EXPECT_EQ(WriteJson(text), Reference(text)) << text;
}

TEST(JsonWriter, EveryKindOfValue) {
  const ordered_json value = {{"null", nullptr},
                              {"true", true},
                              {"int", -3},
                              {"large", UINT64_MAX},
                              {"half", 0.5},
                              {"whole", 2.0},
                              {"empty", ""},
                              {"list", {1, 2}},
                              {"none", ordered_json::array()},
                              {"map", {{"é", "€😀"}}},
                              {"nothing", ordered_json::object()}};
  EXPECT_EQ(WriteJson(value),
            R"({"null":null,"true":true,"int":-3,"large":18446744073709551615,"half":0.5,)"
            R"("whole":2.0,"empty":"","list":[1,2],"none":[],"map":{"é":"€😀"},"nothing":{}})");
  EXPECT_EQ(WriteJson(value), Reference(value));
}

// Bodies of a real server, with all that is in them.
TEST(JsonWriter, RecordingsAreWrittenAsTheLibraryWritesThem) {
  size_t files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(RELIST_SOURCE_DIR "/fakeapi/testdata/real")) {
    if (file.path().extension() != ".json") continue;
    std::ifstream in(file.path());
    const auto value = ordered_json::parse(in);
    EXPECT_TRUE(WriteJson(value) == Reference(value)) << file.path();
    ++files;
  }
  EXPECT_GT(files, 0u);
}

}  // namespace json_writer_test
}  // namespace relist::fakeapi
