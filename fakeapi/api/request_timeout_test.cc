#include "fakeapi/api/request_timeout.h"

#include <gtest/gtest.h>

namespace relist::fakeapi {
namespace request_timeout_test {

std::string ProblemOf(const std::string& timeout) {
  const Result<void> checked = CheckRequestTimeout({{"timeout", timeout}, {"timeout", "abc"}});
  if (checked.ok()) return "good";
  EXPECT_EQ(checked.error().status.code, 400);
  const std::string prefix = "invalid timeout specified in the request URL - time: ";
  EXPECT_TRUE(checked.error().message().starts_with(prefix));
  return checked.error().message().substr(prefix.size());
}

TEST(RequestTimeout, DurationsAreGos) {
  for (const char* good : {"", "0", "-1s", "+5s", "10s", "1h", "1.5m", ".5s", "100ms", "1h2m3.4s",
                           "1us", "1\u00b5s", "2562047h"}) {
    EXPECT_EQ(ProblemOf(good), "good") << good;
  }
  EXPECT_EQ(ProblemOf("abc"), "invalid duration \"abc\"");
  EXPECT_EQ(ProblemOf("-"), "invalid duration \"-\"");
  EXPECT_EQ(ProblemOf(".s"), "invalid duration \".s\"");
  EXPECT_EQ(ProblemOf("9999999h"), "invalid duration \"9999999h\"");
  EXPECT_EQ(ProblemOf("1"), "missing unit in duration \"1\"");
  EXPECT_EQ(ProblemOf("1s2"), "missing unit in duration \"1s2\"");
  EXPECT_EQ(ProblemOf("1d"), "unknown unit \"d\" in duration \"1d\"");
  EXPECT_EQ(ProblemOf("1e3s"), "unknown unit \"e\" in duration \"1e3s\"");
}

TEST(RequestTimeout, ThatIsNotThereIsGood) {
  EXPECT_TRUE(CheckRequestTimeout({{"limit", "1"}}).ok());
}

}  // namespace request_timeout_test
}  // namespace relist::fakeapi
