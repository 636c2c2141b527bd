#include "fakeapi/encoding/age.h"

#include <gtest/gtest.h>

namespace relist::fakeapi {
namespace age_test {

TEST(Age, HasTwoUnitsAtMost) {
  const std::pair<int64_t, const char*> kAges[] = {
      {-5, "<invalid>"}, {-1, "0s"},         {0, "0s"},         {119, "119s"},    {120, "2m"},
      {125, "2m5s"},     {600, "10m"},       {10799, "179m"},   {10800, "3h"},    {11100, "3h5m"},
      {28800, "8h"},     {172799, "47h"},    {172800, "2d"},    {266400, "3d2h"}, {864000, "10d"},
      {63072000, "2y"},  {63158400, "2y1d"}, {315360000, "10y"}};
  for (const auto& [seconds, text] : kAges) EXPECT_EQ(HumanDuration(Seconds(seconds)), text);
  EXPECT_EQ(AgeOf("nonsense", kSimulationEpoch), "<unknown>");
}

}  // namespace age_test
}  // namespace relist::fakeapi
