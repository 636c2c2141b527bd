#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

std::string StreamingListC12(int n, double at) {
  const std::string target =
      "/api/v1/configmaps?allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&"
      "sendInitialEvents=true&timeoutSeconds=300&watch=true";
  const std::string t = std::to_string(at), number = std::to_string(n);
  return t + " client request n=" + number + " verb=WATCH target=" + target + "\n" + t +
         " server request id=" + number + " conn=1 method=GET target=" + target + "\n";
}

std::string RefusedC12(int n, double at, const std::string& status) {
  const std::string t = std::to_string(at), number = std::to_string(n);
  return StreamingListC12(n, at) + t + " server answer id=" + number + " status=" + status + "\n" +
         t + " client answer n=" + number + " status=" + status + "\n";
}

std::string OpenC12(int n, double at) {
  const std::string t = std::to_string(at), number = std::to_string(n);
  return StreamingListC12(n, at) + t + " server open id=" + number + " status=200\n" + t +
         " client answer n=" + number + " status=200\n";
}

const std::string kListC12 =
    "9 client request n=9 verb=LIST target=/api/v1/configmaps?resourceVersion=0\n"
    "9 client answer n=9 status=200 rv=6 items=0\n";

TEST(FallbackTest, ARefusalIsFollowedByAList) {
  for (const char* status : {"400", "422"}) {
    std::string text;
    for (int n = 1; n <= 3; ++n) text += RefusedC12(n, n, status);
    EXPECT_TRUE(Found(CheckFallback, text + kListC12 + RefusedC12(10, 10, status)).empty());
    const auto found = Found(CheckFallback, text + RefusedC12(4, 4, status));
    ASSERT_EQ(found.size(), 1u) << status;
    EXPECT_NE(found[0].find("asked for one again after 3 refusals"), std::string::npos);
  }
  std::string busy;
  for (int n = 1; n <= 9; ++n) busy += RefusedC12(n, n, "429");
  EXPECT_TRUE(Found(CheckFallback, busy).empty()) << "busy is not refused";
}

TEST(FallbackTest, OneThatNeverEndsItsInitialEventsIsGivenUp) {
  const std::string open = OpenC12(1, 1) + "2 server event id=1 type=ADDED key=d/a rv=5\n";
  EXPECT_TRUE(Found(CheckFallback, open + "363 server event id=1 type=ADDED key=d/a rv=6\n" +
                                       "400 run phase name=end\n")
                  .empty())
      << "something still comes";
  const auto found = Found(CheckFallback, open + "400 run phase name=end\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("waited for the end of one"), std::string::npos);
  EXPECT_TRUE(
      Found(CheckFallback, open + "300 server end id=1 how=client\n400 run phase name=end\n")
          .empty());
  const std::string ended = "3 server event id=1 type=BOOKMARK rv=6 end=true\n";
  EXPECT_TRUE(Found(CheckFallback, open + ended + "4000 run phase name=end\n").empty())
      << "a watch that is silent is another property's";
}

TEST(FallbackTest, OneWhoseBytesAreHeldBackIsGivenUpToo) {
  const std::string open = OpenC12(1, 1) + "2 server fault id=1 point=event verdict=stall\n";
  const auto found =
      Found(CheckFallback, open + "301 server end id=1 how=last_chunk\n400 run phase name=end\n");
  EXPECT_EQ(found.size(), 1u) << "the client cannot have seen that end";
}

TEST(FallbackTest, StreamsThatEndTooSoonForEverAreClientGosOwnLoop) {
  std::string text;
  for (int n = 1; n <= 21; ++n)
    text += OpenC12(n, n) + std::to_string(n) + ".5 server end id=" + std::to_string(n) +
            " how=last_chunk\n";
  const auto found = Found(CheckFallback, text);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].find("faithful: WLM-08: "), 0u);
}

}  // namespace
}  // namespace relist
