#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kGoneC9 = R"(
  5 server event id=2 type=ERROR resource=configmaps code=410
  5 server end id=2 how=last_chunk
)";

const std::string kListC9 = R"(
  7 client request n=3 verb=LIST target=/api/v1/namespaces/default/configmaps?resourceVersion=6
  7 client answer n=3 status=200 rv=6 items=2
)";

std::string EmptyWatchC9(int n) {
  return WatchFrom(n, 6, n * 10) + std::to_string(n * 10) +
         ".1 server end id=" + std::to_string(n) + " how=last_chunk\n";
}

TEST(ExpiryTest, AVersionThatExpiredInTheStreamIsNotResumed) {
  const auto found = Found(CheckExpiry, kGoodStart + kGoneC9 + WatchFrom(3, 6));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("resumes 6 without a list"), std::string::npos);
}

TEST(ExpiryTest, AListInBetweenMakesItAGoodVersionAgain) {
  EXPECT_TRUE(Found(CheckExpiry, kGoodStart + kGoneC9 + kListC9 + WatchFrom(4, 6)).empty());
}

TEST(ExpiryTest, AListThatExpiredItselfIsNoList) {
  EXPECT_EQ(Found(CheckExpiry, kGoodStart + kGoneC9 + R"(
    7 client request n=3 verb=LIST target=/api/v1/namespaces/default/configmaps?resourceVersion=6
    7 client answer n=3 status=410
  )" + WatchFrom(4, 6))
                .size(),
            1u);
}

TEST(ExpiryTest, A410AsHttpStatusCounts) {
  const std::string target = "/api/v1/namespaces/default/configmaps?resourceVersion=6&watch=true";
  EXPECT_EQ(Found(CheckExpiry, kGoodStart + "5 client request n=3 verb=WATCH target=" + target +
                                   "\n5 client answer n=3 status=410\n" + WatchFrom(4, 6))
                .size(),
            1u);
}

TEST(ExpiryTest, AnErrorLineThatAFaultKeptFromTheClientDoesNotCount) {
  EXPECT_TRUE(Found(CheckExpiry, kGoodStart +
                                     "4 server fault id=2 point=open verdict=stall_after_3\n" +
                                     kGoneC9 + WatchFrom(3, 6))
                  .empty());
}

// Found by 200,000 lives: the same time-out was drawn twice, and the first of two watches never got
// through.
TEST(ExpiryTest, AWatchThatNeverArrivedIsNotTheOneThatTheServerHadLater) {
  const std::string target = "/api/v1/namespaces/default/configmaps?resourceVersion=6&watch=true";
  for (const char* error : {"refused", "tls", "reset"}) {
    const std::string text = kGoodStart + "5 client request n=3 verb=WATCH target=" + target +
                             "\n5 client answer n=3 error=" + error +
                             "\n6 client request n=4 verb=WATCH target=" + target +
                             "\n6 server request id=3 verb=WATCH target=" + target + R"(
      6 server fault id=3 point=request verdict=split
      6 server open id=3 status=200
      6 server event id=3 type=ERROR resource=configmaps code=410
      6 server end id=3 how=last_chunk
      6 client answer n=4 status=200
    )";
    EXPECT_TRUE(Found(CheckExpiry, text).empty()) << error;
    EXPECT_EQ(Found(CheckExpiry, text + WatchFrom(5, 6)).size(), 1u) << error;
  }
}

// The answer to the first was lost on its way; the second was asked later than the server had it.
TEST(ExpiryTest, AWatchIsNotOneThatTheServerHadBefore) {
  const std::string target =
      "/api/v1/namespaces/default/configmaps?allowWatchBookmarks=true&resourceVersion=6&watch=true";
  const std::string text = kGoodStart + "5 client request n=3 verb=WATCH target=" + target +
                           "\n5 server request id=3 verb=WATCH target=" + target + R"(
    5 server fault id=3 point=open verdict=stall_after_3
    5 server open id=3 status=200
    6 client answer n=3 error=reset
  )" + WatchFrom(4, 6, 7) + "7 server event id=4 type=ERROR code=410\n" +
                           WatchFrom(5, 6, 8);
  EXPECT_EQ(Found(CheckExpiry, text).size(), 1u);
}

TEST(ExpiryTest, WatchesThatEndAtOnceMeanExpiredSooner) {
  std::string text = kGoodStart;
  for (int n = 3; n <= 5; ++n) text += EmptyWatchC9(n);
  EXPECT_TRUE(Found(CheckExpiry, text).empty()) << "a little patience is legal";
  for (int n = 6; n <= 7; ++n) text += EmptyWatchC9(n);
  EXPECT_FALSE(Found(CheckExpiry, text).empty());
}

TEST(ExpiryTest, AListThatLeadsBackToTheDeadVersionForEverIsClientGosOwn) {
  std::string text = kGoodStart;
  for (int n = 3; n <= 13; n += 2) {
    const std::string t = std::to_string(n * 10), id = std::to_string(n);
    text += WatchFrom(n, 6, n * 10) + t + " server event id=" + id + " type=ERROR code=410\n";
    text += t + " client request n=" + std::to_string(n + 1) +
            " verb=LIST target=/api/v1/namespaces/default/configmaps?resourceVersion=6\n";
    text += t + " client answer n=" + std::to_string(n + 1) + " status=200 rv=6 items=2\n";
  }
  const auto found = Found(CheckExpiry, text);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].find("faithful: WCH-06"), 0u);
}

}  // namespace
}  // namespace relist
