// What the words of a fault come to.
#include "scenarios/play/fault_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/wire/status.h"
#include "fakeapi/http/http_encoder.h"
#include "scenarios/script/scenario.h"

namespace relist {
namespace {

using fakeapi::FaultPlace;
using fakeapi::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kEvent[] =
    R"({"type":"MODIFIED","object":{"kind":"ConfigMap","metadata":{"name":"a\u003c","resourceVersion":"7"},"data":{"k":"v"}}})";

// The verdict of a fault that strikes kEvent, or a request.
Verdict VerdictIn(const std::string& fault) {
  const Result<Scenario> scenario =
      ParseScenario("name: x\nlegal: false\nfaults:\n- {" + fault + "}\n", "s.yaml");
  if (!scenario.ok()) {
    ADD_FAILURE() << scenario.error().message();
    return {};
  }
  fakeapi::WatchLine line;
  line.chunk = {fakeapi::FrameChunk(std::string(kEvent) + "\n")};
  FaultPlace place;
  place.resource = "configmaps";
  place.line = &line;
  return VerdictOf(scenario->faults.at(0), place);
}

std::vector<std::string> LinesOf(const std::string& fault) {
  return VerdictIn(fault).lines;
}

TEST(FaultVerdictTest, AnAlteredLineIsTheLineButForWhatIsSaid) {
  EXPECT_THAT(LinesOf("on: watch, events: 0, fault: alter, type: ODD"),
              ElementsAre(std::string(kEvent).replace(9, 8, "ODD") + "\n"));
  EXPECT_THAT(
      LinesOf("on: watch, events: 0, fault: alter, patch: {data: {k: null, n: \"<1>\"}, x: 1}"),
      ElementsAre(R"({"type":"MODIFIED","object":{"kind":"ConfigMap","metadata":{"name":"a\u003c",)"
                  R"("resourceVersion":"7"},"data":{"n":"\u003c1\u003e"},"x":1}})"
                  "\n"));
  EXPECT_THAT(LinesOf("on: watch, events: 0, fault: alter, text: 'no json'"),
              ElementsAre("no json\n"));
  EXPECT_THAT(LinesOf("on: watch, events: 0, fault: alter, text: ''"), ElementsAre("\n"));
  EXPECT_THAT(LinesOf("on: watch, events: 0, fault: drop"), ElementsAre());
  EXPECT_EQ(VerdictIn("on: watch, events: 0, fault: drop").kind, Verdict::Kind::kReplace);
}

TEST(FaultVerdictTest, AnInsertedLineIsABookmarkUnlessItSaysOtherwise) {
  EXPECT_THAT(
      LinesOf("on: watch, events: 0, fault: insert, object: {metadata: {resourceVersion: \"9\"}}"),
      ElementsAre(R"({"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1",)"
                  R"("metadata":{"resourceVersion":"9"}}})"
                  "\n"));
  EXPECT_THAT(LinesOf("on: watch, events: 0, fault: insert, type: ADDED, object: {a: 1}"),
              ElementsAre(R"({"type":"ADDED","object":{"a":1}})"
                          "\n"));
  EXPECT_THAT(LinesOf("on: watch, sent: 1, fault: insert, text: \"\""), ElementsAre("\n"));
}

TEST(FaultVerdictTest, TooLargeIsRecognisedInEachOfItsWords) {
  const auto status_of = [](const std::string& how) {
    const Verdict verdict = VerdictIn("on: list, fault: status, too_large: " + how);
    EXPECT_EQ(verdict.answer.status, 504);
    return verdict.answer.BodyText();
  };
  EXPECT_THAT(status_of("typed"), HasSubstr(R"("causes":[{"reason":"ResourceVersionTooLarge",)"));
  EXPECT_THAT(status_of("cause"),
              HasSubstr(R"("details":{"causes":[{"message":"Too large resource version"}],)"));
  EXPECT_THAT(status_of("message"), HasSubstr(R"("details":{"retryAfterSeconds":1})"));
  for (const char* how : {"typed", "cause", "message"}) {
    Error error;
    error.status = Status::Parse(status_of(how)).value_or(Status{});
    EXPECT_TRUE(IsTooLargeResourceVersion(error)) << how;
  }
}

TEST(FaultVerdictTest, ABodyIsSentAsItIs) {
  const Verdict html = VerdictIn("on: list, fault: status, code: 502, body: <html>");
  EXPECT_EQ(html.answer.BodyText(), "<html>");
  EXPECT_EQ(html.answer.headers.at(0).second, "text/plain; charset=utf-8");
  const Verdict typed = VerdictIn(
      "on: list, fault: status, code: 502, headers: {Content-Type: text/html}, body: <html>");
  ASSERT_EQ(typed.answer.headers.size(), 1u);
  const Verdict whole = VerdictIn("on: list, fault: status, status: {code: 418, odd: [1]}");
  EXPECT_EQ(whole.answer.status, 418);
  EXPECT_EQ(whole.answer.BodyText(), R"({"code":418,"odd":[1]})");
  EXPECT_EQ(VerdictIn("on: watch, fault: error, status: {code: 418, odd: [1]}").error_line,
            R"({"code":418,"odd":[1]})");
}

TEST(FaultVerdictTest, WhatStrikesAtAByteDoesSoWhereItIsTold) {
  using enum Verdict::ByteAt;
  EXPECT_EQ(VerdictIn("on: watch, fault: cut, bytes: headers").byte_at, kBehindHead);
  EXPECT_EQ(VerdictIn("on: watch, fault: stall, events: 1, inside: character").byte_at,
            kInCharacter);
  EXPECT_EQ(VerdictIn("on: watch, fault: split, events: 1, inside: chunk-header").byte_at,
            kInChunkHeader);
  EXPECT_EQ(VerdictIn("on: watch, fault: slow, per_second: 3").per_second, 3u);
  EXPECT_EQ(VerdictIn("on: watch, fault: http10").kind, Verdict::Kind::kHttp10);
  EXPECT_EQ(VerdictIn("on: list, fault: cut-next, how: reset").how, fakeapi::CutHow::kReset);
  EXPECT_EQ(VerdictIn("on: watch, fault: chunks, lines: 4").framing.chunk_lines, 4);
  EXPECT_TRUE(VerdictIn("on: list, fault: gzip, corrupt: true").corrupt);
}

}  // namespace
}  // namespace relist
