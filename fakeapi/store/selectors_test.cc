#include "fakeapi/store/selectors.h"

#include <gtest/gtest.h>

#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace selectors_test {

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

std::string FieldErrorOf(const char* resource, const std::string& selector) {
  Result<FieldSelector> parsed = FieldSelector::Parse(*FindByName(resource), selector);
  return parsed.ok() ? "" : parsed.error().message();
}

TEST(FieldSelectors, TermsAreAndedAndAbsentFieldsAreEmpty) {
  const ResourceType& pods = *FindByName("pods");
  const StringMap fields = {{"metadata.name", "b"}, {"spec.nodeName", ""}};
  for (const char* yes : {"", "metadata.name=b", "metadata.name==b", "metadata.name!=a",
                          "spec.nodeName=", "metadata.name=b,spec.nodeName="}) {
    EXPECT_TRUE(FieldSelector::Parse(pods, yes)->Matches(fields)) << yes;
  }
  for (const char* no : {"metadata.name=a", "metadata.name!=b",
                         "spec.nodeName!=", "metadata.name=b,status.phase=Running"}) {
    EXPECT_FALSE(FieldSelector::Parse(pods, no)->Matches(fields)) << no;
  }
}

TEST(FieldSelectors, NameAndNamespaceAreTheKeys) {
  const ResourceType& pods = *FindByName("pods");
  const ObjectKey key{"ns", "b"};
  const StringMap fields = {{"spec.nodeName", "n1"}};
  for (const char* yes : {"metadata.name=b", "metadata.namespace=ns", "metadata.namespace!=b",
                          "metadata.name=b,spec.nodeName=n1", "status.phase="}) {
    EXPECT_TRUE(FieldSelector::Parse(pods, yes)->Matches(key, fields)) << yes;
  }
  for (const char* no : {"metadata.name=ns", "metadata.name!=b", "metadata.namespace=b",
                         "metadata.namespace=", "metadata.name=b,spec.nodeName="}) {
    EXPECT_FALSE(FieldSelector::Parse(pods, no)->Matches(key, fields)) << no;
  }
}

TEST(FieldSelectors, ATermThatNamesTheObjectNarrowsTheAnswer) {
  const ResourceType& pods = *FindByName("pods");
  Result<FieldSelector> selector =
      FieldSelector::Parse(pods, "metadata.name=b,metadata.namespace=x");
  EXPECT_EQ(selector->name(), "b");
  EXPECT_EQ(selector->ns(), "x");
  EXPECT_EQ(FieldSelector::Parse(pods, "metadata.name!=b")->name(), std::nullopt);
  EXPECT_TRUE(FieldSelector::Parse(pods, "")->everything());
}

TEST(FieldSelectors, EscapedSeparatorsBelongToTheValue) {
  const ResourceType& events = *FindByName("events");
  Result<FieldSelector> selector = FieldSelector::Parse(events, R"(reason=a\,b\=c\\d)");
  ASSERT_TRUE(selector.ok());
  EXPECT_TRUE(selector->Matches({{"reason", "a,b=c\\d"}}));
  EXPECT_EQ(FieldErrorOf("events", R"(reason=a\x)"),
            "invalid field selector: invalid escape sequence: \\x");
}

TEST(FieldSelectors, WrongOnesAreRefusedWithTheRealServersTexts) {
  EXPECT_EQ(FieldErrorOf("configmaps", "data.n=b"),
            "\"data.n\" is not a known field selector: only \"metadata.name\", "
            "\"metadata.namespace\"");
  EXPECT_EQ(FieldErrorOf("pods", "spec.nope=b"), "field label not supported: spec.nope");
  EXPECT_EQ(FieldErrorOf("configmaps", "metadata.name"),
            "invalid selector: 'metadata.name'; can't understand 'metadata.name'");
}

}  // namespace selectors_test
}  // namespace relist::fakeapi
