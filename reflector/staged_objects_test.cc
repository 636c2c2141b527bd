#include "reflector/staged_objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace relist {
namespace {

using ::testing::ElementsAre;

ObjectRef Make(const std::string& name, const std::string& version = "1") {
  return std::make_shared<Object>("{}", Object::Head{{"default", name}, "", version, "", ""});
}

std::vector<std::string> Names(StagedObjects staged) {
  std::vector<std::string> names;
  for (const ObjectRef& object : std::move(staged).Take()) {
    names.push_back(object->key().name + "@" + object->resource_version());
  }
  return names;
}

TEST(StagedObjects, ComeOutInKeyOrderHoweverTheyCame) {
  StagedObjects staged;
  for (const char* name : {"b", "d", "a", "c", "e"}) staged.Set(Make(name));
  EXPECT_THAT(Names(std::move(staged)), ElementsAre("a@1", "b@1", "c@1", "d@1", "e@1"));
  EXPECT_THAT(Names({}), ElementsAre());
}

TEST(StagedObjects, TheLastVersionStays) {
  StagedObjects staged;
  for (const char* name : {"b", "d", "a"}) staged.Set(Make(name));
  for (const char* name : {"a", "b", "d"}) staged.Set(Make(name, "2"));
  EXPECT_THAT(Names(std::move(staged)), ElementsAre("a@2", "b@2", "d@2"));
}

TEST(StagedObjects, WhatIsErasedIsGoneUntilItComesAgain) {
  StagedObjects staged;
  for (const char* name : {"b", "d", "a", "c"}) staged.Set(Make(name));
  for (const char* name : {"a", "d", "b", "x"}) staged.Erase({"default", name});
  staged.Set(Make("b", "2"));
  EXPECT_THAT(Names(std::move(staged)), ElementsAre("b@2", "c@1"));
}

TEST(StagedObjects, OnesBehindAnErasedLastOneAreInOrder) {
  StagedObjects staged;
  staged.Set(Make("m"));
  staged.Erase({"default", "m"});
  staged.Set(Make("c"));
  staged.Set(Make("z"));
  EXPECT_THAT(Names(std::move(staged)), ElementsAre("c@1", "z@1"));
}

}  // namespace
}  // namespace relist
