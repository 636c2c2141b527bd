// What faults do to the lines of a watch, and to the chunks that carry them: bytes as they go out.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fakeapi/http/server_connection_fixture.h"

namespace relist::fakeapi {
namespace server_connection_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

class FaultsOnLines : public ServerConnectionTest {
 protected:
  // What a watch of three lines sends, behind its head, where the one after `nth` is struck.
  std::string Strike(int nth, const Verdict& verdict, FaultPoint point = FaultPoint::kBeforeEvent) {
    hook.at = [=](const FaultPlace& place) {
      return place.point == point && place.nth_event == nth ? verdict : Verdict::Pass();
    };
    Open();
    return Ask("/watch").substr(sizeof kWatchHead - 1);
  }
  void SetUp() override {
    for (int i = 0; i < 3; ++i) handler.Commit();
  }
  const std::string line0_ = kLine0, line1_ = kLine1, line2_ = "8\r\n{\"n\":2}\n\r\n";
};

TEST_F(FaultsOnLines, ALineCanBeDropped) {
  EXPECT_EQ(Strike(1, Verdict::Replace({})), line0_ + line2_) << "and the next one is not struck";
  EXPECT_THAT(Story(), HasSubstr("event ADDED default/0, fault event drop, event ADDED default/1, "
                                 "event ADDED default/2"));
  const auto& entries = history.entries();
  EXPECT_EQ(entries[entries.size() - 2].Get("kept"), "true");
  EXPECT_NE(entries[entries.size() - 2].Get("body"), "") << "what the server made is known";
  EXPECT_EQ(entries.back().Get("kept"), "");
}

TEST_F(FaultsOnLines, ALineCanBeAnotherOne) {
  EXPECT_EQ(Strike(1, Verdict::Replace({"{}\n"})), line0_ + "3\r\n{}\n\r\n" + line2_);
  EXPECT_EQ(history.entries().at(history.entries().size() - 2).Get("text"), "{}");
  const std::string told =
      R"({"type":"STRANGE","object":{"metadata":{"name":"a","namespace":"n","uid":"u",)"
      R"("resourceVersion":"07","annotations":{"k8s.io/initial-events-end":"true"}}}})";
  Strike(1, Verdict::Replace({told + "\n"}));
  const HistoryEntry& entry = history.entries().at(history.entries().size() - 2);
  EXPECT_EQ(entry.Get("fault"), "true");
  EXPECT_EQ(entry.Get("type"), "STRANGE");
  EXPECT_EQ(entry.Get("key"), "n/a");
  EXPECT_EQ(entry.Get("uid"), "u");
  EXPECT_EQ(entry.Get("rv"), "07");
  EXPECT_EQ(entry.Get("end"), "true");
  ASSERT_NE(entry.object(), nullptr);
  EXPECT_THAT(std::string(entry.object()->bytes()), HasSubstr("\"uid\":\"u\""));
}

TEST_F(FaultsOnLines, WhatAFaultsLineSaysMayBeAnything) {
  for (const char* line :
       {"\n", "[]\n", "null\n", "{\"object\":1}\n", "{\"type\":1,\"object\":{\"metadata\":[]}}\n",
        "not json\n", "{\"type\":\"ERROR\",\"object\":{\"code\":\"x\"}}\n"}) {
    const std::string text = line;
    EXPECT_EQ(Strike(1, Verdict::Replace({text})),
              line0_ + fmt::format("{:x}\r\n{}\r\n", text.size(), text) + line2_);
  }
  Strike(0, Verdict::Replace({"{\"type\":\"ERROR\",\"object\":{\"code\":410}}\n"}));
  EXPECT_THAT(Story(), HasSubstr("event ERROR 410"));
}

TEST_F(FaultsOnLines, ALineCanBePutBeforeAnotherOrBehindIt) {
  EXPECT_EQ(Strike(1, Verdict::Insert({"a\n", "b\n"})),
            line0_ + "2\r\na\n\r\n2\r\nb\n\r\n" + line1_ + line2_);
  EXPECT_EQ(Strike(2, Verdict::Insert({"a\n"}), FaultPoint::kAfterEvent),
            line0_ + line1_ + "2\r\na\n\r\n" + line2_);
}

TEST_F(FaultsOnLines, ALineGoesBehindThoseThatFollowIt) {
  EXPECT_EQ(Strike(0, Verdict::Reorder(1)), line1_ + line0_ + line2_);
  EXPECT_EQ(Strike(0, Verdict::Reorder(2)), line1_ + line2_ + line0_);
  EXPECT_THAT(Story(), EndsWith("fault event reorder behind 2, event ADDED default/0, event ADDED "
                                "default/1, event ADDED default/2, event"));
}

TEST_F(FaultsOnLines, ALineThatNothingFollowsComesAtTheEndAndIsNotOutOfOrder) {
  Verdict verdict = Verdict::Reorder(1);
  verdict.tag = 7;
  EXPECT_EQ(Strike(2, verdict), line0_ + line1_);
  EXPECT_THAT(hook.struck, IsEmpty());
  handler.Commit();
  connection->Pump(now);
  EXPECT_EQ(Take(), "8\r\n{\"n\":3}\n\r\n" + line2_);
  EXPECT_THAT(hook.struck, testing::ElementsAre(7));
  handler.End();
  EXPECT_EQ(Strike(3, verdict), line0_ + line1_ + line2_ + "8\r\n{\"n\":3}\n\r\n0\r\n\r\n");
  EXPECT_EQ(hook.struck.size(), 1u);
}

TEST_F(FaultsOnLines, BehindALineTheNextNeedNotCome) {
  const auto behind_second = [&](const Verdict& verdict) {
    return Strike(3, verdict, FaultPoint::kAfterEvent);
  };
  const std::string all = line0_ + line1_ + line2_;
  EXPECT_EQ(behind_second(Verdict::Cut(CutHow::kClean)), all + "0\r\n\r\n");
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  EXPECT_EQ(behind_second(Verdict::Cut(CutHow::kFin)), all);
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  EXPECT_EQ(behind_second(Verdict::Cut(CutHow::kReset)), all);
  EXPECT_EQ(connection->fate(), Fate::kReset);
  EXPECT_THAT(Story(), EndsWith("event ADDED default/2, fault sent cut RST after 0, end RST"));
  const std::string status = R"({"kind":"Status","apiVersion":"v1","code":410})";
  EXPECT_EQ(behind_second(Verdict::ErrorLine(status)),
            all +
                std::string(FrameChunk("{\"type\":\"ERROR\",\"object\":" + status + "}\n").bytes) +
                "0\r\n\r\n");
  EXPECT_EQ(Strike(1, Verdict::Delay(Seconds(2)), FaultPoint::kAfterEvent), line0_);
  Pass(Seconds(2));
  EXPECT_EQ(Take(), line1_ + line2_);
  behind_second(Verdict::Stall());
  handler.Commit();
  connection->Pump(now);
  EXPECT_EQ(Take(), "");
  EXPECT_EQ(connection->fate(), Fate::kOpen);
}

TEST_F(FaultsOnLines, AByteInsideAChunkHeaderOrACharacterIsFound) {
  EXPECT_EQ(Strike(1, Verdict::Cut(CutHow::kFin).At(Verdict::ByteAt::kInChunkHeader)),
            line0_ + "8");
  EXPECT_THAT(Story(), HasSubstr("fault event cut FIN after 1, "));
  EXPECT_EQ(Strike(1, Verdict::Cut(CutHow::kFin).At(Verdict::ByteAt::kInCharacter)),
            line0_ + line1_ + line2_)
      << "it has none";
  EXPECT_THAT(Story(),
              EndsWith("open 200, event ADDED default/0, event ADDED default/1, event ADDED "
                       "default/2"));
  handler.AddLine("{\"n\":\"\xf0\x9d\x84\x9e\"}");
  EXPECT_EQ(Strike(3, Verdict::Stall().At(Verdict::ByteAt::kInCharacter)),
            line0_ + line1_ + line2_ + "d\r\n{\"n\":\"\xf0");
}

TEST_F(FaultsOnLines, InHttp10ACharacterLiesElsewhereAndNothingInsideAChunkHeader) {
  handler.AddLine("{\"n\":\"\xc3\xa4\"}");
  for (const auto where : {Verdict::ByteAt::kInCharacter, Verdict::ByteAt::kInChunkHeader}) {
    hook.at = [=](const FaultPlace& place) {
      if (place.point == FaultPoint::kRequestRead) return Verdict::Http10();
      const bool here = place.point == FaultPoint::kBeforeEvent && place.nth_event == 3;
      return here ? Verdict::Cut(CutHow::kFin).At(where) : Verdict::Pass();
    };
    Open();
    const bool struck = where == Verdict::ByteAt::kInCharacter;
    EXPECT_THAT(Ask("/watch"), EndsWith(struck ? "{\"n\":2}\n{\"n\":\"\xc3" : "\xc3\xa4\"}\n"));
  }
}

TEST_F(FaultsOnLines, LinesGoInOtherChunksFromAPlaceOn) {
  const std::string line2_in_bytes = std::string("1\r\n{\r\n1\r\n\"\r\n1\r\nn\r\n1\r\n\"\r\n") +
                                     "1\r\n:\r\n1\r\n2\r\n1\r\n}\r\n1\r\n\n\r\n";
  EXPECT_EQ(Strike(2, Verdict::Framing({.chunk_size = 1})), line0_ + line1_ + line2_in_bytes);
  EXPECT_EQ(Strike(1, Verdict::Framing({.chunk_lines = 2})),
            line0_ + "10\r\n{\"n\":1}\n{\"n\":2}\n\r\n");
  EXPECT_EQ(Strike(2, Verdict::Framing({.end = LineFraming::End::kCrLf})),
            line0_ + line1_ + "9\r\n{\"n\":2}\r\n\r\n");
  hook.Set(FaultPoint::kWatchOpened, Verdict::Framing({.chunk_lines = 3}));
  Open();
  EXPECT_EQ(Ask("/watch"), kWatchHead + std::string("18\r\n{\"n\":0}\n{\"n\":1}\n{\"n\":2}\n\r\n"));
}

TEST_F(FaultsOnLines, WhatWaitsForItsChunkGoesWithTheEnd) {
  EXPECT_EQ(Strike(2, Verdict::Framing({.chunk_lines = 2})), line0_ + line1_);
  handler.End();
  connection->Pump(now);
  EXPECT_EQ(Take(), line2_ + "0\r\n\r\n");
  EXPECT_EQ(connection->fate(), Fate::kOpen);
}

TEST_F(FaultsOnLines, AFaultsLineIsFramedAsTheOthers) {
  hook.at = [](const FaultPlace& place) {
    if (place.point == FaultPoint::kWatchOpened)
      return Verdict::Framing({.end = LineFraming::End::kNone});
    if (place.point == FaultPoint::kAfterEvent && place.nth_event == 3)
      return Verdict::Cut(CutHow::kClean);
    const bool here = place.point == FaultPoint::kBeforeEvent && place.nth_event == 1;
    return here ? Verdict::Replace({"a\n"}) : Verdict::Pass();
  };
  Open();
  EXPECT_EQ(Ask("/watch"),
            kWatchHead + std::string("7\r\n{\"n\":0}\r\n1\r\na\r\n7\r\n{\"n\":2}\r\n0\r\n\r\n"));
}

TEST_F(FaultsOnLines, NobodyIsToldOfAByteThatAFaultsLineCutTheStreamAt) {
  hook.at = [](const FaultPlace& place) {
    if (place.point == FaultPoint::kWatchOpened)
      return Verdict::Cut(CutHow::kFin, sizeof kWatchHead - 1 + 4);
    return place.point == FaultPoint::kBeforeEvent ? Verdict::Insert({"abc\n", "d\n"})
                                                   : Verdict::Pass();
  };
  Open();
  EXPECT_EQ(Ask("/watch"), kWatchHead + std::string("4\r\na"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  EXPECT_EQ(handler.open_watches(), 0u);
}

}  // namespace server_connection_test
}  // namespace relist::fakeapi
