#include "fakeapi/controllers/controller_set.h"

#include <gtest/gtest.h>

namespace relist::fakeapi {
namespace controller_set_test {

TEST(ParseControllers, TakesAllNoneAndNames) {
  EXPECT_EQ(*ParseControllers("all"), kAllControllers);
  EXPECT_EQ(*ParseControllers("none"), ControllerSet());
  EXPECT_EQ(*ParseControllers("namespace-controller"), (ControllerSet{true, false}));
  EXPECT_EQ(*ParseControllers("garbage-collector-controller"), (ControllerSet{false, true}));
  EXPECT_EQ(*ParseControllers(" namespace-controller,  garbage-collector-controller "),
            kAllControllers);
  EXPECT_EQ(*ParseControllers("namespace-controller,garbage-collector-controller"),
            kAllControllers);
}

TEST(ParseControllers, RefusesWhatIsNone) {
  for (const char* text : {"", "All", "namespace-controller,", ",", "all,none", "namespace"}) {
    const Result<ControllerSet> set = ParseControllers(text);
    ASSERT_FALSE(set.ok()) << text;
    EXPECT_NE(set.error().message().find("there are all, none"), std::string::npos);
  }
}

}  // namespace controller_set_test
}  // namespace relist::fakeapi
