#include "scenarios/script/yaml_hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/script/yaml_text.h"

namespace relist {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string ComplaintOf(const std::string& text) {
  const Result<YAML::Node> root = ReadYamlText(text, "s.yaml");
  return root.ok() ? "" : root.error().message();
}

TEST(YamlHintsTest, ABracketThatIsNotClosedIsToldWhereItOpens) {
  EXPECT_THAT(ComplaintOf("name: x\nfaults: [{on: list, fault: cut}\nexpect: {}\n"),
              EndsWith("; the \"[\" in line 2, column 9 is not closed"));
  EXPECT_THAT(ComplaintOf("name: x\nsteps:\n- {at: 1s, do: evict\n- {at: 2s, do: evict}\n"),
              EndsWith("; the \"{\" in line 3, column 3 is not closed"));
  EXPECT_THAT(ComplaintOf("name: ["), StartsWith("s.yaml:1:7: "));
  EXPECT_THAT(ComplaintOf("name: ["), EndsWith("; the \"[\" in line 1, column 7 is not closed"));
  EXPECT_THAT(ComplaintOf("\xef\xbb\xbfname: ["), HasSubstr("\"[\" in line 1, column "));
}

TEST(YamlHintsTest, TheInnermostIsToldWhateverQuotesAndCommentsHold) {
  EXPECT_THAT(ComplaintOf("name: x\nfaults: [ # ]\n  {on: 'li]st', fault: don't, a: [\"}\"}\n]\n"),
              EndsWith("; the \"[\" in line 3, column 34 is not closed"));
  EXPECT_THAT(ComplaintOf("name: x\nfaults: [{on: list}, {on: watch]\n"),
              EndsWith("; the \"{\" in line 2, column 22 is not closed"));
}

TEST(YamlHintsTest, AQuoteThatIsNotClosedIsToldWhereItOpens) {
  EXPECT_THAT(ComplaintOf("name: x\nfaults: [{on: \"list, fault: cut}]\nexpect: {}\n"),
              HasSubstr("the quote in line 2, column 15 is never closed"));
  EXPECT_THAT(ComplaintOf("about: \"oops\nseed: 1\nname: \"x\"\n"),
              EndsWith("; the quote in line 1, column 8 goes on to line 3"));
}

TEST(YamlHintsTest, WhereNothingIsOpenNothingIsAdded) {
  const std::string text = ComplaintOf("name: x\n about: y\n");
  EXPECT_THAT(text, HasSubstr("this is not YAML"));
  EXPECT_THAT(text, Not(HasSubstr("closed")));
}

}  // namespace
}  // namespace relist
