#include "fakeapi/store/selectors.h"

#include <gtest/gtest.h>

#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace selectors_test {

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
