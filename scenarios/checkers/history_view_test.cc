// Where a fault struck a line, the server is judged by the line that it made, the client by the one
// that went out.
#include "scenarios/checkers/history_view.h"

#include "scenarios/checkers/wire_text.h"

namespace relist {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Struck(int id, const std::string& verdict) {
  return "4 server fault id=" + std::to_string(id) + " point=event verdict=" + verdict + "\n";
}

std::string Kept(std::string event) {
  event.pop_back();
  return event + " kept=true\n";
}

std::string OfTheFault(std::string event) {
  event.pop_back();
  return event + " fault=true\n";
}

const std::string kStreamOfFaults = kWrites + Watch(1, "resourceVersion=6") + kMoreWrites;

TEST(LineFaultsTest, ADroppedLineIsNoGapOfTheServers) {
  EXPECT_THAT(Blamed(kStreamOfFaults + Event7(1) + Struck(1, "drop") + Kept(Event8(1)) + Event9(1)),
              IsEmpty());
  EXPECT_THAT(Blamed(kStreamOfFaults + Event7(1) + Event9(1)), ElementsAre("W4"));
  EXPECT_THAT(Blamed(kStreamOfFaults + Struck(1, "drop") + Kept(Event7(1)) + Event9(1)),
              ElementsAre("W4"))
      << "what the fault did not do is judged";
}

TEST(LineFaultsTest, AnAlteredLineIsNotTheServers) {
  const std::string other =
      OfTheFault("4.2 server event id=1 type=ODD key=default/x uid=ux rv=3\n");
  EXPECT_THAT(Blamed(kStreamOfFaults + Event7(1) + Struck(1, "alter") + Kept(Event8(1)) + other +
                     Event9(1)),
              IsEmpty());
  EXPECT_THAT(
      Blamed(kStreamOfFaults + Event7(1) + Struck(1, "insert") + other + Event8(1) + Event9(1)),
      IsEmpty());
}

TEST(LineFaultsTest, ALineThatWentBehindAnotherWasMadeBeforeIt) {
  EXPECT_THAT(Blamed(kStreamOfFaults + Struck(1, "reorder_behind_1") + Kept(Event7(1)) + Event8(1) +
                     OfTheFault(Event7(1)) + Event9(1)),
              IsEmpty());
  EXPECT_THAT(Blamed(kStreamOfFaults + Struck(1, "reorder_behind_1") + Kept(Event9(1)) + Event7(1) +
                     OfTheFault(Event9(1)) + Event8(1)),
              ElementsAre("W2"))
      << "the server's own order is judged";
}

TEST(LineFaultsTest, AClientMayStartFromWhatAFaultGaveIt) {
  const std::string bookmark = R"(
    4 server fault id=2 point=event verdict=insert
    4 server event id=2 fault=true type=BOOKMARK rv=9
    4 client position rv=9
  )";
  EXPECT_THAT(Found(CheckResume, kGoodStart + bookmark + WatchFrom(3, 9)), IsEmpty());
  const std::string kept = R"(
    4 server commit rv=9 resource=configmaps key=default/c type=ADDED uid=uc
    4 server fault id=2 point=event verdict=drop
    4 server event id=2 type=ADDED key=default/c uid=uc rv=9 kept=true
  )";
  EXPECT_THAT(Found(CheckResume, kGoodStart + kept + WatchFrom(3, 9)),
              ElementsAre(testing::HasSubstr("which no list, event or bookmark gave it")));
}

TEST(LineFaultsTest, AnExpiryThatWasKeptIsNone) {
  const std::string expired = R"(
    4 server fault id=2 point=event verdict=VERDICT
    4 server event id=2 type=ERROR code=410 KEPT
    4 server end id=2 how=last_chunk
  )";
  const auto with = [&](const std::string& verdict, const std::string& kept) {
    std::string text = expired;
    text.replace(text.find("VERDICT"), 7, verdict);
    text.replace(text.find("KEPT"), 4, kept);
    return kGoodStart + text + WatchFrom(3, 6) + "90 run phase name=end\n";
  };
  EXPECT_THAT(Found(CheckExpiry, with("drop", "kept=true")), IsEmpty());
  EXPECT_EQ(Found(CheckExpiry, with("alter", "fault=true")).size(), 1u)
      << "one that a fault sent is as good as any";
}

TEST(LineFaultsTest, ASlowStreamIsOneThatIsReadSlowly) {
  const std::string gap = Watch(1, "resourceVersion=6") + kMoreWrites +
                          "1 server fault id=1 point=open verdict=slow_5_after_0\n" + Event7(1) +
                          Event9(1);
  EXPECT_THAT(Blamed(kWrites + gap), ElementsAre("W18"));
}

}  // namespace
}  // namespace relist
