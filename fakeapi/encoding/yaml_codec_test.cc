#include "fakeapi/encoding/yaml_codec.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/encoding/yaml_scalar.h"

namespace relist::fakeapi {
namespace yaml_codec_test {

using nlohmann::ordered_json;

std::string JsonOf(const std::string& yaml) {
  Result<ordered_json> value = ReadYaml(yaml);
  return value.ok() ? value->dump() : "error: " + value.error().message();
}

TEST(YamlReading, PlainScalarsHaveTheirYaml11Types) {
  EXPECT_EQ(JsonOf("[1, -2, 010, 0x10, 0b11, 1_000, 1.5, 1e3, .5, yes, No, on, true, ~, null, x]"),
            "[1,-2,8,16,3,1000,1.5,1000.0,0.5,true,false,true,true,null,null,\"x\"]");
  EXPECT_EQ(JsonOf("a:\nb: 2026-01-01T00:00:00Z\nc: 1.2.3\nd: 18446744073709551615"),
            R"({"a":null,"b":"2026-01-01T00:00:00Z","c":"1.2.3","d":18446744073709551615})");
}

TEST(YamlReading, QuotedScalarsAreStrings) {
  EXPECT_EQ(JsonOf("a: \"true\"\nb: '1'\nc: !!str 5\nd: |\n  yes\ne: \"\"\n"),
            R"({"a":"true","b":"1","c":"5","d":"yes\n","e":""})");
}

TEST(YamlReading, AnchorsAreExpanded) {
  EXPECT_EQ(JsonOf("a: &x {k: 1}\nb: *x\n"), R"({"a":{"k":1},"b":{"k":1}})");
}

TEST(YamlReading, OfARepeatedKeyTheLastCountsWhereThatIsNoted) {
  EXPECT_EQ(JsonOf("a: 1\nb: 2\na: 3\n"),
            "error: yaml: unmarshal errors:\n  line 3: key \"a\" already set in map");
  std::vector<std::string> repeated;
  const Result<ordered_json> value = ReadYaml("a: 1\nb: 2\na: 3\n16: p\n0x10: q\n", &repeated);
  EXPECT_EQ(value->dump(), R"({"16":"q","a":3,"b":2})");
  EXPECT_EQ(repeated, (std::vector<std::string>{"line 3: key \"a\" already set in map",
                                                "line 5: key 16 already set in map"}));
  EXPECT_EQ(JsonOf("{1: a, \"1\": b}"), R"({"1":"b"})") << "a number and a text are two keys";
}

TEST(YamlReading, KeysHaveTypesTooBeforeTheyAreText) {
  EXPECT_EQ(JsonOf("{yes: a, 0x10: b, 1e3: c, 010: d, 1.5: e, 99999999999999999999: f, .inf: g}"),
            R"({".inf":"g","1.5":"e","1000":"c","16":"b","1e+20":"f","8":"d","true":"a"})");
  EXPECT_EQ(JsonOf("{\"yes\": a}"), R"({"yes":"a"})");
}

TEST(YamlReading, KeysComeOutSorted) {
  EXPECT_EQ(JsonOf("{b: 1, a: {d: 2, c: 3}}"), R"({"a":{"c":3,"d":2},"b":1})");
}

TEST(YamlReading, MergeKeysAreMerged) {
  const std::string base = "a: &a {k: 1}\nb: &b {k: 2, l: 3}\n";
  EXPECT_EQ(JsonOf(base + "z: {<<: *a, m: 4}"),
            R"({"a":{"k":1},"b":{"k":2,"l":3},"z":{"k":1,"m":4}})");
  std::vector<std::string> repeated;
  const Result<ordered_json> value = ReadYaml(base + "z:\n  <<: [*a, *b]\n", &repeated);
  EXPECT_EQ((*value)["z"].dump(), R"({"k":1,"l":3})") << "the first counts";
  EXPECT_EQ(repeated.size(), 1u);
  EXPECT_EQ(JsonOf("<<: 1"),
            "error: yaml: map merge requires map or sequence of maps as the value");
  EXPECT_EQ(JsonOf("\"<<\": 1"), R"({"<<":1})");
  EXPECT_EQ(JsonOf("a: &a\n  <<: *a\n"),
            "error: yaml: anchors nest too deeply, or contain themselves");
}

TEST(YamlReading, TagsThatDoNotFitAndNumbersThatJsonLacksAreRefused) {
  EXPECT_EQ(JsonOf("!!int abc"), "error: yaml: cannot decode !!str `abc` as a !!int");
  EXPECT_EQ(JsonOf("a: 1\nb: !h!x z\n"), "error: yaml: line 1: found undefined tag handle");
  EXPECT_EQ(JsonOf("!!binary aGVsbG8="), "\"hello\"");
  EXPECT_EQ(JsonOf("!!binary '*'"), "error: yaml: !!binary value contains invalid base64 data");
  EXPECT_EQ(JsonOf("[.nan]"), "error: json: unsupported value: NaN");
  EXPECT_EQ(JsonOf("a: -.Inf"), "error: json: unsupported value: -Inf");
  EXPECT_EQ(JsonOf("a: \".inf\""), R"({"a":".inf"})");
}

TEST(YamlReading, DirectivesAreThoseOfYaml11) {
  EXPECT_EQ(JsonOf("# x\n%YAML 1.1\n---\na: 1\n"), R"({"a":1})");
  EXPECT_EQ(JsonOf("%YAML 1.2\n---\na: 1\n"), "error: yaml: found incompatible YAML document");
  EXPECT_EQ(JsonOf("%FOO\n---\na: 1\n"), "error: yaml: found unknown directive name");
  EXPECT_EQ(JsonOf("%YAML 1.1\na: 1\n"),
            "error: yaml: line 1: did not find expected <document start>");
}

TEST(YamlReading, WhatIsNotUtf8IsRefused) {
  EXPECT_EQ(JsonOf("a: \xff"), "error: yaml: invalid leading UTF-8 octet");
  EXPECT_EQ(ReadYamlStream("a: \x01").error().message(),
            "yaml: control characters are not allowed");
}

TEST(YamlReading, AnAliasBombDoesNotGoOff) {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string name = "a" + std::to_string(i), of = "*a" + std::to_string(i - 1);
    bomb += name + ": &" + name + " [";
    for (int j = 0; j < 10; ++j) bomb += (j ? "," : "") + of;
    bomb += "]\n";
  }
  EXPECT_EQ(JsonOf(bomb), "error: yaml: document contains excessive aliasing");
}

TEST(YamlReading, WhatIsNoYamlAndWhatIsNotSupportedIsSaidSo) {
  EXPECT_EQ(JsonOf("a: [1").substr(0, 19), "error: yaml: line 1");
  EXPECT_EQ(JsonOf("? [a]\n: 1\n"), "error: yaml: line 1: a key that is no scalar");
}

TEST(YamlReading, NestingThatWouldOverflowIsRefused) {
  EXPECT_EQ(JsonOf("a:\n" + std::string(100000, '[')),
            "error: yaml: line 2: nests too deeply: more than 500 levels of YAML are not read");
  std::string block;
  for (int i = 0; i < 1000; ++i) block += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  EXPECT_EQ(JsonOf(block),
            "error: yaml: line 499: nests too deeply: more than 500 levels of YAML are not read");
}

// The end, which is no YAML, would be complained of if it were read.
TEST(YamlReading, WhatItsStartShowsToBeWrongIsNotReadToItsEnd) {
  const auto many = [](const std::string& what) {
    std::string text;
    while (text.size() < 100000) text += what;
    return JsonOf(text + "@");
  };
  const std::string deep = "nests too deeply: more than 500 levels of YAML are not read";
  EXPECT_EQ(many("["), "error: yaml: line 1: " + deep);
  EXPECT_EQ(many("{"), "error: yaml: line 1: " + deep);
  EXPECT_EQ(many("{a: "), "error: yaml: line 1: " + deep);
  EXPECT_EQ(many("- "), "error: yaml: line 1: " + deep);
  EXPECT_EQ(many("? "), "error: yaml: line 1: " + deep);
  EXPECT_NE(many("[\n").find(deep), std::string::npos);
  EXPECT_EQ(many("&a "), "error: yaml: line 1: cannot assign multiple anchors to the same node");
  EXPECT_EQ(many("!!str "), "error: yaml: line 1: cannot assign multiple tags to the same node");
  EXPECT_EQ(many("*a "), "error: yaml: line 1: the referenced anchor is not defined");
}

TEST(YamlReading, BracketsThatAreTextDoNotNest) {
  const std::string brackets(50000, '[');
  EXPECT_EQ(JsonOf("a: x" + brackets + "\n"), R"({"a":"x)" + brackets + "\"}");
  EXPECT_EQ(JsonOf("a: '" + brackets + "'\n"), R"({"a":")" + brackets + "\"}");
  EXPECT_EQ(JsonOf("a: |-\n  " + brackets + "\n"), R"({"a":")" + brackets + "\"}");
  EXPECT_EQ(JsonOf("# " + brackets + "\na: 1\n"), R"({"a":1})");
  std::string flat = "[";
  for (int i = 0; i < 10000; ++i) flat += "[],";
  EXPECT_TRUE(ReadYaml(flat + "]").ok());
}

// Wherever the start ends, what comes after it may be a key's `:`.
TEST(YamlReading, AStartThatLooksWrongIsNotTheWholeText) {
  for (size_t padding = 4000; padding < 4200; ++padding) {
    const std::string text =
        "#" + std::string(padding, 'x') + "\na: &a\n &b k m: [1, 2]\n" + std::string(100, '#');
    EXPECT_EQ(JsonOf(text), R"({"a":{"k m":[1,2]}})");
  }
  EXPECT_EQ(JsonOf("a: 1\n---\n" + std::string(100000, '[')), R"({"a":1})");
}

TEST(YamlReading, AnAnchorThatContainsItselfIsRefused) {
  const std::string padding(1 << 20, ' ');  // a large document could afford many copies of itself
  EXPECT_EQ(JsonOf("a: &a [*a]" + padding),
            "error: yaml: anchors nest too deeply, or contain themselves");
}

TEST(YamlReading, AStreamHasManyDocumentsAndEmptyOnesDoNotCount) {
  Result<std::vector<ordered_json>> documents = ReadYamlStream("---\na: 1\n---\n---\nb: 2\n");
  ASSERT_TRUE(documents.ok());
  ASSERT_EQ(documents->size(), 2u);
  EXPECT_EQ((*documents)[1].dump(), R"({"b":2})");
}

TEST(YamlWriting, KeysAreSortedAndListsStandUnderTheirKeys) {
  const ordered_json value = ordered_json::parse(
      R"({"kind":"X","apiVersion":"v1","items":[{"b":1,"a":[1,2]},[],[[3]],"s"],"none":{},"nil":null})");
  EXPECT_EQ(WriteYaml(value),
            "apiVersion: v1\n"
            "items:\n"
            "- a:\n"
            "  - 1\n"
            "  - 2\n"
            "  b: 1\n"
            "- []\n"
            "- - - 3\n"
            "- s\n"
            "kind: X\n"
            "nil: null\n"
            "none: {}\n");
  EXPECT_EQ(WriteYaml(ordered_json::object()), "{}\n");
}

TEST(YamlWriting, StringsThatWouldReadAsSomethingElseAreQuoted) {
  for (const char* text :
       {"true", "yes", "off", "1", "1.5", "0x1", "null", "~", "", "2026-01-01T00:00:00Z", "1:20"}) {
    EXPECT_EQ(YamlString(text), "\"" + std::string(text) + "\"");
  }
  EXPECT_EQ(YamlString("a: b"), "'a: b'");
  EXPECT_EQ(YamlString("it's#1"), "it's#1");
  EXPECT_EQ(YamlString("x #1"), "'x #1'");
  EXPECT_EQ(YamlString("- a"), "'- a'");
  EXPECT_EQ(YamlString("-a"), "-a");
  EXPECT_EQ(YamlString("{a}"), "'{a}'");
  EXPECT_EQ(YamlString("a\tb"), "\"a\\tb\"");
  EXPECT_EQ(YamlString("plain text"), "plain text");
}

TEST(YamlWriting, EveryStringComesBackAsItWent) {
  for (const char* text : {"two\nlines",
                           "ends in\n",
                           "ends in two\n\n",
                           "\nstarts empty",
                           " starts blank\nx",
                           "blank before \nbreak",
                           "tab\there\nx",
                           "a\n\n\nb",
                           "\n",
                           "-",
                           "?",
                           ":",
                           "a:",
                           "#",
                           "%x",
                           "@x",
                           "'",
                           "\"",
                           "\\",
                           "\x01",
                           "\xc3\xa4",
                           "y",
                           "=",
                           "<<",
                           "---",
                           "!x",
                           "&x",
                           "*x",
                           "|",
                           ">",
                           "key: |",
                           " x",
                           "x ",
                           "-\n-",
                           ".nan",
                           "1_0",
                           "+1",
                           "0o7",
                           "012"}) {
    ordered_json value = {{text, text}, {"list", {text, {{"k", text}}}}};
    const std::string yaml = WriteYaml(value);
    Result<ordered_json> back = ReadYaml(yaml);
    ASSERT_TRUE(back.ok()) << yaml << back.error().message();
    EXPECT_EQ(nlohmann::json(*back), nlohmann::json(value)) << yaml;
  }
}

}  // namespace yaml_codec_test
}  // namespace relist::fakeapi
