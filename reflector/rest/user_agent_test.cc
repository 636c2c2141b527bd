#include "reflector/rest/user_agent.h"

#include <gmock/gmock.h>

namespace relist {
namespace user_agent_test {

TEST(UserAgent, HasTheFormOfClientGos) {
  EXPECT_THAT(DefaultUserAgent(), ::testing::MatchesRegex("reflector[a-z_-]*test/v[0-9.]+ "
                                                          "\\(linux/[a-z0-9]+\\) relist/[0-9.]+"));
}

}  // namespace user_agent_test
}  // namespace relist
