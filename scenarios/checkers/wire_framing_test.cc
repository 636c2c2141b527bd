#include "scenarios/checkers/wire_text.h"

namespace relist {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kFramedW =
    kWrites + Watch(1, "resourceVersion=6&timeoutSeconds=10") + kMoreWrites;
const std::string kEndW = "11 server end id=1 how=last_chunk\n";
const std::string kLater = "99 run phase name=end\n";

TEST(WireFramingTest, AStreamThatIsOpenedToldAndEndedIsGood) {
  EXPECT_THAT(WireSays(kFramedW + Event7(1) + kEndW + kLater), IsEmpty());
  EXPECT_THAT(WireSays(kFramedW + kEndW + kLater), IsEmpty());
  EXPECT_THAT(WireSays(kFramedW + Event7(1) + "5 server end id=1 how=last_chunk\n"), IsEmpty())
      << "at any time";
  EXPECT_THAT(WireSays(kFramedW + Event7(1) + "5 server end id=1 how=client\n"), IsEmpty());
  EXPECT_THAT(WireSays(kFramedW + "5 server fault id=1 point=event verdict=cut_RST_after_3\n" +
                       Event7(1) + "5 server end id=1 how=RST\n"),
              IsEmpty());
}

TEST(WireFramingTest, W11TheHeadComesFirstAndTheEndLast) {
  EXPECT_THAT(Blamed(kWrites + kMoreWrites + Asked(1, "watch=true&resourceVersion=6") + Event7(1) +
                     "5 server open id=1 status=200\n"),
              ElementsAre("W11"));
  EXPECT_THAT(Blamed(kFramedW + "4 server end id=1 how=last_chunk\n" + Event7(1)),
              ElementsAre("W11"));
  EXPECT_THAT(Blamed(kFramedW + kEndW + kEndW), ElementsAre("W11"));
  EXPECT_THAT(Blamed(kFramedW + "5 server answer id=1 status=200\n" + kEndW), ElementsAre("W11"));
}

TEST(WireFramingTest, W11AServerEndsTheBody) {
  for (const char* how : {"FIN", "RST"}) {
    const auto said = WireSays(kFramedW + Event7(1) + "5 server end id=1 how=" + how + "\n");
    ASSERT_EQ(said.size(), 1u);
    EXPECT_THAT(said[0], HasSubstr("W11: a server that ends a stream ends its body"));
  }
}

TEST(WireFramingTest, W11AStreamEndsAtItsDeadline) {
  EXPECT_THAT(Blamed(kFramedW + kLater), ElementsAre("W11")) << "it never ended";
  EXPECT_THAT(Blamed(kFramedW + "80 server end id=1 how=last_chunk\n"), ElementsAre("W11"));
  EXPECT_THAT(Blamed(kFramedW + "20 server event id=1 type=MODIFIED key=default/a uid=ua rv=7\n"),
              ElementsAre("W11"));
  EXPECT_THAT(Blamed(kFramedW + Event7(1) + kLater), IsEmpty())
      << "what it said may be waiting for a reader";
  EXPECT_THAT(Blamed(kFramedW + "2 server fault id=1 point=open verdict=stall_after_3\n" + kLater),
              IsEmpty());
  const std::string drawn = kWrites + Watch(1, "resourceVersion=6");
  EXPECT_THAT(Blamed(drawn + "3500 run phase name=end\n"), IsEmpty());
  EXPECT_THAT(Blamed(drawn + "3700 run phase name=end\n"), ElementsAre("W11"));
  EXPECT_THAT(Blamed(drawn + "3700 run phase name=end\n", {}), IsEmpty());
  EXPECT_THAT(
      Blamed(kWrites + Watch(1, "timeoutSeconds=9223372036854775807&resourceVersion=6") + kLater),
      IsEmpty());
}

TEST(WireFramingTest, W16VersionsAreDecimalWithoutLeadingZeros) {
  for (const char* bad : {"07", "0x7", "", "0", "-7", "7a"}) {
    EXPECT_THAT(Blamed(kFramedW +
                       "4.1 server event id=1 type=MODIFIED key=default/a uid=ua rv=" + bad + "\n"),
                ElementsAre("W16"))
        << bad;
  }
  EXPECT_THAT(Blamed(List(1, "resourceVersion=0", "status=200 rv=06 items=2")), ElementsAre("W16"));
  EXPECT_THAT(Blamed(Watch(1, "allowWatchBookmarks=true&resourceVersion=6") +
                     "2 server event id=1 type=BOOKMARK rv=007\n"),
              testing::Contains("W16"));
}

TEST(WireFramingTest, W17ABusyServerSaysWhenToComeAgain) {
  EXPECT_THAT(Blamed(List(1, "", "status=429 retry_after=1")), IsEmpty());
  EXPECT_THAT(Blamed(List(1, "watch=true", "status=429 retry_after=13")), IsEmpty());
  EXPECT_THAT(Blamed(List(1, "", "status=429")), ElementsAre("W17"));
  EXPECT_THAT(Blamed(List(1, "", "status=429 retry_after=soon")), ElementsAre("W17"));
  EXPECT_THAT(Blamed(Asked(1, "") + "1 server fault id=1 point=request verdict=answer_429\n" +
                     "1 server answer id=1 status=429\n"),
              IsEmpty());
}

TEST(WireFramingTest, W17ItSaysSoBeforeAStreamBegins) {
  const std::string busy = "2 server event id=1 type=ERROR code=429\n" + kEndW;
  EXPECT_THAT(Blamed(kFramedW + busy), ElementsAre("W17"));
  EXPECT_THAT(Blamed(kFramedW + "2 server fault id=1 point=event verdict=error_line\n" + busy),
              IsEmpty());
}

TEST(WireFramingTest, W17NoRequestHangs) {
  EXPECT_THAT(Blamed(Asked(1, "") + kLater), ElementsAre("W17"));
  EXPECT_THAT(Blamed(Asked(1, "") + "20 run phase name=end\n"), IsEmpty());
  EXPECT_THAT(Blamed(Asked(1, "") + kLater, {.fresh_wait = Seconds(60)}), IsEmpty());
  EXPECT_THAT(Blamed(Asked(1, "") + "9 server end id=1 how=client\n" + kLater), IsEmpty());
  EXPECT_THAT(Blamed(Asked(1, "") + "90 server end id=1 how=client\n"), ElementsAre("W17"));
  EXPECT_THAT(Blamed(Asked(1, "") + "90 server answer id=1 status=404\n"), ElementsAre("W17"));
  EXPECT_THAT(Blamed(Asked(1, "") + "1 server fault id=1 point=request verdict=delay_90\n" +
                     "91 server answer id=1 status=404\n"),
              IsEmpty());
  EXPECT_THAT(
      Blamed(Asked(1, "") + "1 server fault id=1 point=request verdict=stall_after_0\n" + kLater),
      IsEmpty());
}

TEST(WireFramingTest, W19AnInstantCloseIsACleanOne) {
  const std::string open = kWrites + Watch(1, "resourceVersion=6");
  EXPECT_THAT(Blamed(open + "1 server end id=1 how=last_chunk\n" + kLater), IsEmpty());
  EXPECT_THAT(Blamed(open + "1 server end id=1 how=RST\n"), ElementsAre("W19"));
  EXPECT_THAT(Blamed(open + "1 server fault id=1 point=open verdict=cut_RST_after_0\n" +
                     "1 server end id=1 how=RST\n"),
              IsEmpty());
}

}  // namespace
}  // namespace relist
