#include "reflector/objects/secret.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reflector/testing/typed_objects.h"

namespace relist::objects {
namespace secret_test {

TEST(Secret, HoldsBytes) {
  const std::string text =
      R"({"apiVersion":"v1","data":{"empty":"","key":"AAH/"},"immutable":false,"kind":"Secret","metadata":{"name":"a"},"type":"Opaque"})";
  const TypedRef<Secret> secret = testing::ReadTyped<Secret>(text);
  ASSERT_TRUE(secret);
  EXPECT_EQ(secret->type, "Opaque");
  EXPECT_EQ(secret->data.at("key"), std::string("\0\1\xff", 3));
  nlohmann::json out;
  to_json(out, *secret);
  EXPECT_EQ(out.dump(), text);
}

TEST(Secret, OfWhatIsNoBase64IsNone) {
  EXPECT_EQ(testing::WhyUnreadable<Secret>(R"({"data":{"key":"%%%"}})"),
            "data.key: illegal base64 data at input byte 0");
}

}  // namespace secret_test
}  // namespace relist::objects
