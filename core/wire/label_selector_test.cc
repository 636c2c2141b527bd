#include "core/wire/label_selector.h"

#include <gtest/gtest.h>

namespace relist {
namespace label_selector_test {

bool Selects(const std::string& selector, const StringMap& labels) {
  Result<LabelSelector> parsed = LabelSelector::Parse(selector);
  EXPECT_TRUE(parsed.ok()) << selector;
  return parsed.ok() && parsed->Matches(labels);
}

std::string LabelError(const std::string& selector) {
  Result<LabelSelector> parsed = LabelSelector::Parse(selector);
  return parsed.ok() ? "" : parsed.error().message();
}

TEST(LabelSelectors, EveryOperatorSelectsAsTheRealServerDoes) {
  const StringMap labels = {{"app", "odd"}, {"n", "5"}};
  for (const char* yes :
       {"", "app", "!tier", "app=odd", "app==odd", "app!=even", "app in (odd,none)",
        "app notin (even)", "tier notin (db)", "tier!=db", "n>4", "n<6", "app=odd,n=5", "n in (5)",
        " app  =  odd ", "app in (odd, even)"}) {
    EXPECT_TRUE(Selects(yes, labels)) << yes;
  }
  for (const char* no : {"!app", "tier", "app=even", "app!=odd", "app in (even)", "app notin (odd)",
                         "n>5", "n<5", "app>1", "app=odd,n=4", "app=", "app in ()"}) {
    EXPECT_FALSE(Selects(no, labels)) << no;
  }
}

TEST(LabelSelectors, AnEmptyValueIsAValue) {
  EXPECT_TRUE(Selects("app=", {{"app", ""}}));
  EXPECT_TRUE(Selects("app in (,x)", {{"app", ""}}));
  EXPECT_FALSE(Selects("app=", {}));
}

TEST(LabelSelectors, InAndNotinAreLabelsWhereNoOperatorIsExpected) {
  EXPECT_TRUE(Selects("in", {{"in", "x"}}));
  EXPECT_TRUE(Selects("notin=in", {{"notin", "in"}}));
}

TEST(LabelSelectors, WrongOnesAreRefusedWithTheRealServersTexts) {
  EXPECT_EQ(LabelError("app===odd"),
            "unable to parse requirement: found '=', expected: identifier");
  EXPECT_EQ(LabelError("app in odd"), "unable to parse requirement: found 'odd' expected: '('");
  EXPECT_EQ(LabelError("app in (odd"),
            "unable to parse requirement: found '', expected: ',' or ')'");
  EXPECT_EQ(LabelError("app,"), "found '', expected: identifier after ','");
  EXPECT_EQ(LabelError(",app"), "found ',', expected: !, identifier, or 'end of string'");
  EXPECT_EQ(LabelError("app=a b"), "found 'b', expected: ',' or 'end of string'");
  EXPECT_EQ(LabelError("app(x)"),
            "unable to parse requirement: found '(', expected: in, notin, =, ==, !=, gt, lt");
  EXPECT_EQ(LabelError("n>x"),
            "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' "
            "operators, the value must be an integer");
  EXPECT_EQ(LabelError("-bad-").substr(0, 69),
            "unable to parse requirement: <nil>: Invalid value: \"-bad-\": name part");
  EXPECT_EQ(LabelSelector::Parse("=").error().status.code, 400);
}

TEST(LabelSelectors, EverythingNothingAndASetNeedNoText) {
  const StringMap labels = {{"app", "odd"}, {"n", "5"}};
  EXPECT_TRUE(LabelSelector::Everything().Matches({}));
  EXPECT_TRUE(LabelSelector::Everything().everything());
  EXPECT_FALSE(LabelSelector::Nothing().Matches(labels));
  EXPECT_FALSE(LabelSelector::Nothing().Matches({}));
  EXPECT_FALSE(LabelSelector::Nothing().everything());
  EXPECT_TRUE(LabelSelector::Nothing().nothing());
  EXPECT_TRUE(LabelSelector::FromSet({}).everything());
  EXPECT_TRUE(LabelSelector::FromSet({{"app", "odd"}}).Matches(labels));
  EXPECT_FALSE(LabelSelector::FromSet({{"app", "odd"}, {"n", "6"}}).Matches(labels));
  EXPECT_FALSE(LabelSelector::FromSet({{"app", "odd"}}).Matches({}));
}

}  // namespace label_selector_test
}  // namespace relist
