#include "scenarios/script/yaml_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace relist {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// What is wrong with a text; "" if nothing is.
std::string FlawIn(const std::string& text) {
  const Result<YAML::Node> root = ReadYamlText(text, "s.yaml");
  return root.ok() ? "" : root.error().message();
}

TEST(YamlTextTest, OneDocumentIsRead) {
  const Result<YAML::Node> root = ReadYamlText("--- # a comment\nname: x\n...\n", "s.yaml");
  ASSERT_TRUE(root.ok()) << root.error().message();
  EXPECT_EQ((*root)["name"].Scalar(), "x");
  EXPECT_EQ(FlawIn("\xef\xbb\xbfname: x\r\nabout: \xf0\x9d\x84\x9e\n"), "");
  EXPECT_EQ(FlawIn("name: |\n  one\n  \ttwo\n"), "") << "a tab within a text";
}

TEST(YamlTextTest, ASecondDocumentIsToldWhereItBegins) {
  EXPECT_THAT(FlawIn("name: x\n---\nname: y\n"),
              StartsWith("s.yaml:2:1: a second document begins here"));
  EXPECT_THAT(FlawIn("name: x\n---\n"), StartsWith("s.yaml:2:1: a second document"));
  EXPECT_THAT(FlawIn("name: x\n...\nname: y\n"), StartsWith("s.yaml:3:1: a second document"));
}

TEST(YamlTextTest, AQuoteThatIsNeverClosedDoesNotSwallowTheRest) {
  EXPECT_EQ(FlawIn("name: x\nabout: \"oops\nsteps:\n  - {at: 1s, do: evict}\n"),
            "s.yaml:2:8: this quote is never closed");
  EXPECT_EQ(FlawIn("name: 'x\n"), "s.yaml:1:7: this quote is never closed");
  EXPECT_EQ(FlawIn("name: |+\n  \"x\n\n"), "");
  EXPECT_EQ(FlawIn("name: x\n...\n"), "");
  EXPECT_EQ(FlawIn("name: x # don't\n# don't"), "");
}

TEST(YamlTextTest, AnEmptyFileIsToldAsSuch) {
  for (const char* text : {"", "\n\n", "# nothing\n", "---\n", "~\n"})
    EXPECT_THAT(FlawIn(text), StartsWith("s.yaml:1:1: this file is empty")) << text;
}

TEST(YamlTextTest, WhatIsNoUtf8IsToldWithItsPlace) {
  EXPECT_THAT(FlawIn("name: x\nabout: \xc3\xa4\xff\n"),
              StartsWith("s.yaml:2:9: this file is not UTF-8: the byte 0xff"));
  EXPECT_THAT(FlawIn("name: \xc3"), StartsWith("s.yaml:1:7: this file is not UTF-8"));
  EXPECT_THAT(FlawIn("name: \xed\xa0\x80\n"), StartsWith("s.yaml:1:7:")) << "a surrogate";
  EXPECT_NE(FlawIn("name: \"\\ud800\"\n"), "") << "the same as an escape";
}

TEST(YamlTextTest, ControlCharactersAreToldWithTheirPlace) {
  EXPECT_THAT(FlawIn("name: a\abc\n"), StartsWith("s.yaml:1:8: the control character U+0007"));
  EXPECT_THAT(FlawIn(std::string("name: a\0b\n", 10)), HasSubstr("U+0000"));
  EXPECT_THAT(FlawIn("name: a\xef\xbf\xbe\n"), HasSubstr("U+FFFE"));
}

TEST(YamlTextTest, ATabThatIndentsIsNamed) {
  EXPECT_THAT(FlawIn("name: x\n\tseed: 1\n"), StartsWith("s.yaml:2:1: a tab indents this line"));
  EXPECT_THAT(FlawIn("server:\n  window: 5\n \tx: 1\n"),
              StartsWith("s.yaml:3:2: a tab indents this line"));
}

TEST(YamlTextTest, WhatNestsTooDeeplyIsToldWithItsPlaceAndTheLimit) {
  const std::string flow = "name: x\nabout: " + std::string(10000, '[') + std::string(10000, ']');
  EXPECT_THAT(FlawIn(flow), StartsWith("s.yaml:2:71: this nests too deeply: at most 64"));
  std::string block = "name: x\n";
  for (int i = 0; i < 300; ++i) block += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  EXPECT_THAT(FlawIn(block), HasSubstr(": this nests too deeply: at most 64"));
  std::string dashes;
  for (int i = 0; i < 10000; ++i) dashes += "- ";
  EXPECT_THAT(FlawIn(dashes), HasSubstr(": this nests too deeply: at most 64"));
  EXPECT_NE(FlawIn(std::string(kYamlBytesMax / 8, '[')), "");
  EXPECT_NE(FlawIn(std::string(kYamlBytesMax / 8, '{')), "");
}

TEST(YamlTextTest, TagsThatWouldBeOfNoEffectAreRefused) {
  EXPECT_THAT(FlawIn("name: x\nabout: !!binary YQ==\n"),
              StartsWith("s.yaml:2:8: tags (\"tag:yaml.org,2002:binary\") are not taken"));
  EXPECT_THAT(FlawIn("name: x\nseed: !!int \"7\"\n"), StartsWith("s.yaml:2:7: tags"));
  EXPECT_THAT(FlawIn("name: !mine x\n"), StartsWith("s.yaml:1:7: tags (\"!mine\")"));
  EXPECT_THAT(FlawIn("name: x\nsteps: !!set {a: }\n"), StartsWith("s.yaml:2:8: tags"));
  EXPECT_THAT(FlawIn("name: x\nsteps: !!omap [a]\n"), StartsWith("s.yaml:2:8: tags"));
  EXPECT_EQ(FlawIn("!!map\nname: !!str x\nabout: \"!y\"\nsteps: !!seq [! z, '!w']\n"), "");
}

TEST(YamlTextTest, WhatIsTooLargeIsTold) {
  EXPECT_THAT(FlawIn("name: " + std::string(kYamlBytesMax, 'x')), HasSubstr("at most 1048576"));
  std::string many = "[";
  for (int i = 0; i < 100001; ++i) many += "x,";
  EXPECT_THAT(FlawIn(many + "]"), HasSubstr("too many parts: at most 100000"));
}

TEST(YamlTextTest, WhatNoReportCanHoldIsFound) {
  EXPECT_EQ(UnprintableIn("a\tb\n\xc3\xa4"), std::nullopt);
  EXPECT_EQ(UnprintableIn("a\x1b["), "U+001B");
}

}  // namespace
}  // namespace relist
