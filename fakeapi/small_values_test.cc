// Base64, times, uids and generated names, and the stack for deep values.
#include <gtest/gtest.h>
#include <pthread.h>

#include <set>
#include <stdexcept>
#include <vector>

#include "fakeapi/base64.h"
#include "fakeapi/deep_stack.h"
#include "fakeapi/identity.h"
#include "fakeapi/rfc3339.h"

namespace relist::fakeapi {
namespace small_values_test {

std::string Base64ErrorOf(std::string_view text) {
  Result<std::string> bytes = DecodeBase64(text);
  return bytes.ok() ? "" : bytes.error().message();
}

TEST(Base64, ComesBackAsItWent) {
  for (const std::string& text :
       std::vector<std::string>{"", "1", "12", "123", "1234", std::string("\0\xff\x80", 3)}) {
    EXPECT_EQ(*DecodeBase64(EncodeBase64(text)), text);
  }
  EXPECT_EQ(EncodeBase64("1"), "MQ==");
  EXPECT_EQ(*DecodeBase64("MT\nIz\r\n"), "123");
}

TEST(Base64, TheByteThatIsWrongIsNamed) {
  EXPECT_EQ(Base64ErrorOf("%%%"), "illegal base64 data at input byte 0");
  EXPECT_EQ(Base64ErrorOf("MT%z"), "illegal base64 data at input byte 2");
  EXPECT_EQ(Base64ErrorOf("MTI"), "illegal base64 data at input byte 3");
  EXPECT_EQ(Base64ErrorOf("M==="), "illegal base64 data at input byte 1");
  EXPECT_EQ(Base64ErrorOf("MQ=="
                          "MQ=="),
            "illegal base64 data at input byte 4");
}

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

TEST(Identity, UidsAreVersion4AndUniqueEvenWithoutChance) {
  BoringChoices choices;
  std::set<std::string> uids;
  for (uint64_t revision = 0; revision < 1000; ++revision) {
    const std::string uid = MakeUid(revision, choices);
    EXPECT_EQ(uid.size(), 36u);
    EXPECT_EQ(uid[14], '4');
    uids.insert(uid);
  }
  EXPECT_EQ(uids.size(), 1000u);
}

TEST(Identity, SuffixesDifferFromAttemptToAttempt) {
  BoringChoices choices;
  const std::string first = NameSuffix(7, 0, choices);
  EXPECT_EQ(first.size(), 5u);
  EXPECT_NE(first, NameSuffix(7, 1, choices));
}

TEST(DeepStack, RunsWhatNeedsMoreThanAThreadHas) {
  // 64 KB a level: 2,000 levels are 128 MB.
  struct Frame {
    static int Down(int depth) {
      volatile char space[65536];
      space[0] = static_cast<char>(depth);
      return depth == 0 ? space[0] : 1 + Down(depth - 1);
    }
  };
  int reached = 0;
  RunOnDeepStack([&] { reached = Frame::Down(2000); });
  EXPECT_EQ(reached, 2000);
}

TEST(DeepStack, WhatIsThrownReachesTheCaller) {
  EXPECT_THROW(RunOnDeepStack([] { throw std::runtime_error("out"); }), std::runtime_error);
}

TEST(DeepStack, ShallowBytesNeedNoThread) {
  const auto here = pthread_self();
  bool same = false;
  WithStackFor("{\"a\":[1]}", [&] { same = pthread_equal(here, pthread_self()) != 0; });
  EXPECT_TRUE(same);
  WithStackFor(std::string(600, '['), [&] { same = pthread_equal(here, pthread_self()) != 0; });
  EXPECT_FALSE(same);
}

}  // namespace small_values_test
}  // namespace relist::fakeapi
