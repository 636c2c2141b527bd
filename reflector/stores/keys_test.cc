#include "reflector/stores/keys.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/choices.h"
#include "reflector/informers/resource_event_handler.h"
#include "reflector/stores/indexer.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace keys_test {

using testing::MakeObject;

TEST(Keys, AreNamespaceAndNameOrTheNameAlone) {
  EXPECT_EQ(MetaNamespaceKey(*MakeObject("web"))->ToString(), "default/web");
  EXPECT_EQ(MetaNamespaceKey(*MakeObject("node-1", "1", ""))->ToString(), "node-1");
}

TEST(Keys, AreReadBackUnlessTheyHaveTwoSlashes) {  // TestObjectNames
  SeededChoices choices(1);
  const std::string letters = "abcdefghi/";
  for (int i = 0; i < 200; ++i) {
    std::string text;
    for (int n = 0; n < 10; ++n) text += letters[choices.Below(10, "letter")];
    const Result<ObjectKey> key = ParseObjectKey(text);
    const auto slashes = std::count(text.begin(), text.end(), '/');
    ASSERT_EQ(key.ok(), slashes <= 1) << text;
    if (!key.ok()) {
      EXPECT_EQ(key.error().message(), "unexpected key format: \"" + text + "\"");
      continue;
    }
    // A namespace of no length is no namespace.
    EXPECT_EQ((text[0] == '/' ? "/" : "") + key->ToString(), text);
  }
}

TEST(Keys, SayInTheirErrorsWhichObjectAndWhy) {  // TestKeyError
  const KeyFunction fails = [](const Object&) -> Result<ObjectKey> {
    return Error::Api(410, "Expired", "no good");
  };
  const Result<ObjectKey> key = KeyOf(fails, *MakeObject("web"));
  ASSERT_FALSE(key.ok());
  EXPECT_EQ(key.error().message(), "couldn't create key for object default/web: no good");
  EXPECT_TRUE(IsKeyError(key.error()));
  EXPECT_TRUE(IsExpired(key.error()));  // what it was, it is
  const Error twice = KeyError(*MakeObject("web"), key.error());
  EXPECT_TRUE(IsKeyError(twice));
  EXPECT_TRUE(IsExpired(twice));
  EXPECT_FALSE(IsKeyError(Error::Net(Transport::kOther, "no good")));
}

TEST(Keys, CanBeWhatAnIndexFunctionGives) {  // IndexFuncToKeyFuncAdapter
  EXPECT_EQ(*KeyFromIndex(IndexByNamespace)(*MakeObject("web")), (ObjectKey{"", "default"}));
  const auto none = [](const Object&) { return std::vector<std::string>(); };
  EXPECT_EQ(KeyFromIndex(none)(*MakeObject("web")).error().message(), "unexpected empty indexKeys");
  const auto two = [](const Object&) { return std::vector<std::string>{"x", "y"}; };
  EXPECT_EQ(KeyFromIndex(two)(*MakeObject("web")).error().message(), "too many keys: x y");
}

// TestDeletionHandlingObjectToName, TestDeletedObjectGetObjectName, TestDeletedObjectGetKey
TEST(Keys, OfWhatIsDeletedStandBesideTheObject) {
  const ObjectRef object = MakeObject("testname", "1", "testnamespace");
  for (bool unknown : {false, true}) {
    const Deleted deleted{object->key(), object, unknown};
    EXPECT_EQ(deleted.key, *MetaNamespaceKey(*object));
    EXPECT_EQ(deleted.key.ToString(), "testnamespace/testname");
    EXPECT_EQ(*ParseObjectKey(deleted.key.ToString()), deleted.key);
  }
  EXPECT_EQ(Deleted{}.key, ObjectKey{});
}

}  // namespace keys_test
}  // namespace relist
