#include "core/wire/names.h"

#include <gtest/gtest.h>

namespace relist {
namespace names_test {

TEST(Names, EachRuleTakesItsOwnAndRefusesItsNeighbours) {
  EXPECT_TRUE(Dns1123LabelErrors("my-name").empty());
  EXPECT_FALSE(Dns1123LabelErrors("my.name").empty());
  EXPECT_TRUE(Dns1123SubdomainErrors("example.com").empty());
  EXPECT_FALSE(Dns1123SubdomainErrors("a..b").empty());
  EXPECT_FALSE(Dns1123SubdomainErrors("Bad_Name").empty());
  EXPECT_FALSE(Dns1123SubdomainErrors("-a").empty());
  EXPECT_TRUE(Dns1035LabelErrors("abc-123").empty());
  EXPECT_FALSE(Dns1035LabelErrors("123-abc").empty());
  EXPECT_TRUE(QualifiedNameErrors("example.com/My_Name.x").empty());
  EXPECT_FALSE(QualifiedNameErrors("a/b/c").empty());
  EXPECT_FALSE(QualifiedNameErrors("/b").empty());
  EXPECT_FALSE(QualifiedNameErrors("example.com/").empty());
  EXPECT_TRUE(LabelValueErrors("").empty());
  EXPECT_FALSE(LabelValueErrors("not allowed!").empty());
  EXPECT_TRUE(ConfigKeyErrors("KEY_NAME.1").empty());
  EXPECT_FALSE(ConfigKeyErrors("not a key").empty());
  EXPECT_FALSE(ConfigKeyErrors("..").empty());
}

TEST(Names, LengthsAreBounded) {
  EXPECT_TRUE(Dns1123LabelErrors(std::string(63, 'a')).empty());
  EXPECT_EQ(Dns1123LabelErrors(std::string(64, 'a')),
            NameErrors{"must be no more than 63 characters"});
  EXPECT_EQ(Dns1123SubdomainErrors(std::string(254, 'a')),
            NameErrors{"must be no more than 253 characters"});
  EXPECT_EQ(QualifiedNameErrors(std::string(64, 'a')),
            NameErrors{"name part must be no more than 63 bytes"});
  EXPECT_EQ(QualifiedNameErrors(std::string(254, 'a') + "/b"),
            NameErrors{"prefix part must be no more than 253 bytes"});
  EXPECT_EQ(LabelValueErrors(std::string(64, 'a')), NameErrors{"must be no more than 63 bytes"});
}

TEST(Names, AKeyWithTwoSlashesIsToldTheWholeRule) {
  EXPECT_EQ(QualifiedNameErrors("x/y/z"),
            NameErrors{"a valid label key must consist of alphanumeric characters, '-', '_' or '.',"
                       " and must start and end with an alphanumeric character (e.g. 'MyName',  or "
                       "'my.name',  or '123-abc', regex used for validation is "
                       "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain "
                       "prefix and '/' (e.g. 'example.com/MyName')"});
}

}  // namespace names_test
}  // namespace relist
