#include "fakeapi/encoding/rfc3339.h"

#include <gtest/gtest.h>

namespace relist::fakeapi {
namespace rfc3339_test {

TEST(Times, AreReadAsTheyAreWritten) {
  EXPECT_EQ(ParseRfc3339("2026-01-01T00:00:00Z"), kSimulationEpoch);
  EXPECT_EQ(ParseRfc3339("2026-01-01T02:00:00.000250+02:00"),
            kSimulationEpoch + std::chrono::microseconds(250));
  EXPECT_EQ(ParseRfc3339(FormatRfc3339(kSimulationEpoch + Seconds(86399))),
            kSimulationEpoch + Seconds(86399));
  for (const char* wrong : {"", "2026", "2026-01-01", "2026-13-01T00:00:00Z",
                            "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00",
                            "2026-01-01T00:00:00Zx", "2026-01-01T00:00:00.Z"}) {
    EXPECT_EQ(ParseRfc3339(wrong), std::nullopt) << wrong;
  }
}

TEST(Times, AgesHaveTwoUnitsAtMost) {
  const std::pair<int64_t, const char*> kAges[] = {
      {-5, "<invalid>"}, {-1, "0s"},         {0, "0s"},         {119, "119s"},    {120, "2m"},
      {125, "2m5s"},     {600, "10m"},       {10799, "179m"},   {10800, "3h"},    {11100, "3h5m"},
      {28800, "8h"},     {172799, "47h"},    {172800, "2d"},    {266400, "3d2h"}, {864000, "10d"},
      {63072000, "2y"},  {63158400, "2y1d"}, {315360000, "10y"}};
  for (const auto& [seconds, text] : kAges) EXPECT_EQ(HumanDuration(Seconds(seconds)), text);
  EXPECT_EQ(AgeOf("nonsense", kSimulationEpoch), "<unknown>");
}

}  // namespace rfc3339_test
}  // namespace relist::fakeapi
