// The words of faults: what is read, and what is told of a mistake.
#include "scenarios/script/fault_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/script/scenario.h"
#include "scenarios/script/scenario_test_support.h"

namespace relist {
namespace {

using fakeapi::CutHow;
using fakeapi::LineFraming;
using fakeapi::Verdict;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kHead[] = "name: x\nlegal: false\nfaults:\n- ";

// The one fault of a scenario whose server may do anything.
FaultSpec FaultIn(const std::string& text) {
  const Result<Scenario> scenario = ParseScenario(kHead + text + "\n", "s.yaml");
  if (!scenario.ok()) {
    ADD_FAILURE() << scenario.error().message();
    return {};
  }
  return scenario->faults.at(0);
}

std::string Mistake(const std::string& text) {
  return MistakesIn(kHead + text + "\n");
}

TEST(FaultPartsTest, APlaceMayBeAnyRequestForObjects) {
  using Verb = PlaceSpec::Verb;
  const std::pair<const char*, Verb> all[] = {
      {"any", Verb::kAny},       {"list", Verb::kList},
      {"watch", Verb::kWatch},   {"get", Verb::kGet},
      {"create", Verb::kCreate}, {"update", Verb::kUpdate},
      {"patch", Verb::kPatch},   {"delete", Verb::kDelete},
      {"write", Verb::kWrite},   {"streaming-list", Verb::kStreamingList}};
  for (const auto& [word, verb] : all) {
    EXPECT_EQ(FaultIn(std::string("{on: ") + word + ", fault: cut}").place.verb, verb) << word;
    EXPECT_EQ(Name(verb), word);
  }
  EXPECT_THAT(Mistake("{on: delte, fault: cut}"), HasSubstr("did you mean \"delete\"?"));
}

TEST(FaultPartsTest, APlaceMayNameAPageAndAVersion) {
  EXPECT_EQ(FaultIn("{on: list, page: 3, fault: cut}").place.page, 3);
  EXPECT_EQ(FaultIn("{on: list, version: 0, fault: cut}").place.version, "0");
  EXPECT_EQ(FaultIn("{on: watch, version: none, fault: cut}").place.version, "");
  EXPECT_EQ(FaultIn("{on: watch, fault: cut}").place.version, std::nullopt);
  EXPECT_THAT(
      Mistake("{on: watch, version: some, fault: cut}"),
      HasSubstr("s.yaml:4:24: \"version\" is a resourceVersion that is asked for, or none"));
  EXPECT_THAT(Mistake("{on: watch, page: 2, fault: cut}"),
              HasSubstr("\"page\" goes with \"on: list\""));
  EXPECT_THAT(Mistake("{on: create, version: 0, fault: cut}"), HasSubstr("leave \"version\" out"));
  EXPECT_THAT(Mistake("{on: list, page: 0, fault: cut}"), HasSubstr("at least 1"));
}

TEST(FaultPartsTest, WhatIsLeftToChanceIsLeftToItEachTime) {
  const FaultSpec often = FaultIn("{on: list, chance: 0.25, fault: cut}");
  EXPECT_EQ(often.chance, 0.25);
  EXPECT_EQ(often.place.last, kEvery);
  EXPECT_EQ(FaultIn("{on: list, nth: 2-3, chance: 1, fault: cut}").place.last, 3);
  for (const char* wrong : {"0", "1.5", "-1", "half", "1e-3", "[]", "nan"}) {
    EXPECT_THAT(Mistake(std::string("{on: list, fault: cut, chance: ") + wrong + "}"),
                HasSubstr("\"chance\" is a number above 0 and at most 1, such as 0.2"))
        << wrong;
  }
}

TEST(FaultPartsTest, ALineIsMeantInThreeWays) {
  EXPECT_EQ(FaultIn("{on: watch, events: 0, fault: cut}").events, 0);
  EXPECT_EQ(FaultIn("{on: watch, sent: 2, fault: cut}").sent, 2);
  using Sort = FaultSpec::LineSort;
  EXPECT_EQ(FaultIn("{on: watch, line: initial-end, fault: drop}").lines, Sort::kInitialEnd);
  EXPECT_EQ(FaultIn("{on: watch, line: bookmark, fault: drop}").lines, Sort::kBookmark);
  EXPECT_EQ(FaultIn("{on: watch, line: added, fault: drop}").lines, Sort::kAdded);
  EXPECT_EQ(FaultIn("{on: watch, line: modified, fault: drop}").lines, Sort::kModified);
  EXPECT_EQ(FaultIn("{on: watch, line: deleted, fault: drop}").lines, Sort::kDeleted);
  EXPECT_THAT(Mistake("{on: watch, sent: 2, events: 2, fault: cut}"),
              HasSubstr("are three ways to say where: one is enough"));
  EXPECT_THAT(Mistake("{on: watch, sent: 0, fault: cut}"), HasSubstr("at least 1"));
}

TEST(FaultPartsTest, AByteMayBeNamed) {
  using enum Verdict::ByteAt;
  EXPECT_EQ(FaultIn("{on: watch, bytes: 7, fault: cut}").bytes, 7u);
  EXPECT_EQ(FaultIn("{on: watch, bytes: headers, fault: stall}").byte_at, kBehindHead);
  EXPECT_EQ(FaultIn("{on: watch, events: 1, inside: character, fault: reset}").byte_at,
            kInCharacter);
  EXPECT_EQ(FaultIn("{on: watch, line: added, inside: chunk-header, fault: split}").byte_at,
            kInChunkHeader);
  EXPECT_THAT(Mistake("{on: watch, events: 1, inside: character, bytes: 3, fault: cut}"),
              HasSubstr("leave one out"));
  EXPECT_THAT(Mistake("{on: watch, inside: character, fault: cut}"),
              HasSubstr("\"inside\" is of a line: say which"));
  EXPECT_THAT(Mistake("{on: watch, events: 1, bytes: headers, fault: cut}"),
              HasSubstr("a line has no headers"));
  EXPECT_THAT(Mistake("{on: watch, bytes: heads, fault: cut}"), HasSubstr("a whole number"));
}

TEST(FaultPartsTest, AnAnswerMayBeAnything) {
  const FaultSpec text = FaultIn("{on: list, fault: status, code: 502, body: <html>}");
  EXPECT_EQ(text.body, "<html>");
  EXPECT_EQ(text.code, 502);
  EXPECT_EQ(FaultIn("{on: list, fault: status, code: 200, body: {a: [1, x]}}").body,
            R"({"a":[1,"x"]})");
  EXPECT_THAT(Mistake("{on: list, fault: status, code: 500, body: x, message: y}"),
              HasSubstr("\"body\" is all that is sent: leave \"message\" out"));
  EXPECT_THAT(Mistake("{on: list, fault: status, body: x}"), HasSubstr("\"code\" is missing"));
}

TEST(FaultPartsTest, AStatusMayBeGivenAsAWhole) {
  const FaultSpec error =
      FaultIn("{on: watch, fault: error, status: {kind: Status, code: 410, x: \"1\"}}");
  EXPECT_EQ(error.body, R"({"kind":"Status","code":410,"x":"1"})");
  EXPECT_EQ(error.code, 410);
  EXPECT_EQ(FaultIn("{on: watch, fault: error, status: {}}").body, "{}");
  EXPECT_THAT(Mistake("{on: watch, fault: error, code: 410, status: {code: 500}}"),
              HasSubstr("\"status\" is the whole Status: \"code\" goes into it"));
  EXPECT_THAT(Mistake("{on: watch, fault: error, status: gone}"), HasSubstr("is a map"));
  EXPECT_THAT(MistakesIn("name: x\nfaults:\n- {on: watch, fault: error, status: {a: b}}\n"),
              HasSubstr("no legal server refuses with 0"));
  EXPECT_THAT(Mistake("{on: list, fault: status, status: {code: 500}, body: x}"),
              HasSubstr("\"status\" is the body: leave one out"));
}

TEST(FaultPartsTest, TooLargeIsToldInThreeWays) {
  using TooLarge = FaultSpec::TooLarge;
  EXPECT_EQ(FaultIn("{on: list, fault: status, too_large: typed}").too_large, TooLarge::kTyped);
  EXPECT_EQ(FaultIn("{on: list, fault: status, too_large: cause}").too_large, TooLarge::kCause);
  const FaultSpec message = FaultIn("{on: watch, fault: error, too_large: message}");
  EXPECT_EQ(message.too_large, TooLarge::kMessage);
  EXPECT_EQ(message.code, 504);
  EXPECT_THAT(Mistake("{on: list, fault: status, code: 500, too_large: typed}"),
              HasSubstr("told with code 504"));
}

TEST(FaultPartsTest, ALineMaySayAnything) {
  const FaultSpec patched =
      FaultIn("{on: watch, events: 1, fault: alter, type: ODD, patch: {data: {a: null}}}");
  EXPECT_EQ(patched.type, "ODD");
  EXPECT_EQ(patched.object, R"({"data":{"a":null}})");
  EXPECT_THAT(MistakesIn("name: x\nfaults: [{on: watch, events: 1, fault: alter, patch: {}}]\n"),
              HasSubstr("\"patch: {}\" would change nothing"));
  EXPECT_EQ(FaultIn("{on: watch, events: 1, fault: alter, text: \"\"}").text, "");
  EXPECT_EQ(FaultIn("{on: watch, sent: 1, fault: insert, object: {metadata: {}}}").object,
            R"({"metadata":{}})");
  EXPECT_THAT(Mistake("{on: watch, events: 1, fault: alter}"),
              HasSubstr("what the line says is missing: \"patch\""));
  EXPECT_THAT(Mistake("{on: watch, events: 1, fault: alter, patch: x}"), HasSubstr("is a map"));
  EXPECT_THAT(Mistake("{on: watch, events: 1, fault: insert, text: x, type: A}"),
              HasSubstr("\"text\" is the whole line"));
  EXPECT_THAT(Mistake("{on: watch, events: 1, fault: insert, text: \"a\\nb\"}"),
              HasSubstr("one line of text"));
}

TEST(FaultPartsTest, ChunksAndLineEndsAreOtherThanTheServers) {
  EXPECT_EQ(FaultIn("{on: watch, fault: chunks, size: 1}").framing.chunk_size, 1u);
  EXPECT_EQ(FaultIn("{on: watch, fault: chunks, lines: 2}").framing.chunk_lines, 2);
  EXPECT_THAT(Mistake("{on: watch, fault: chunks}"), HasSubstr("either a \"size\""));
  EXPECT_THAT(Mistake("{on: watch, fault: chunks, lines: 1}"), HasSubstr("at least 2"));
  EXPECT_THAT(Mistake("{on: watch, fault: chunks, lines: 2, size: 1}"), HasSubstr("either a"));
  using End = LineFraming::End;
  EXPECT_EQ(FaultIn("{on: watch, fault: line-ends, as: crlf}").framing.end, End::kCrLf);
  EXPECT_EQ(FaultIn("{on: watch, fault: line-ends, as: none}").framing.end, End::kNone);
  EXPECT_EQ(FaultIn("{on: watch, fault: line-ends, as: empty-line}").framing.end, End::kEmptyLine);
  EXPECT_THAT(Mistake("{on: watch, fault: line-ends}"), HasSubstr("crlf, none or empty-line"));
}

TEST(FaultPartsTest, TheRestHaveTheirKeysToo) {
  EXPECT_EQ(FaultIn("{on: watch, events: 0, fault: reorder, behind: 3}").behind, 3);
  EXPECT_EQ(FaultIn("{on: watch, fault: slow, per_second: 9}").per_second, 9u);
  EXPECT_THAT(Mistake("{on: watch, fault: slow}"), HasSubstr("\"per_second\" is missing"));
  EXPECT_EQ(FaultIn("{on: update, fault: lost}").how, CutHow::kFin);
  EXPECT_EQ(FaultIn("{on: update, fault: lost, how: reset}").how, CutHow::kReset);
  EXPECT_EQ(FaultIn("{on: list, fault: cut-next, how: reset}").how, CutHow::kReset);
  EXPECT_TRUE(FaultIn("{on: list, fault: gzip, corrupt: true}").corrupt);
  EXPECT_EQ(FaultIn("{on: list, fault: http10}").kind, FaultSpec::Kind::kHttp10);
  EXPECT_THAT(Mistake("{on: list, fault: http10, bytes: 3}"),
              StartsWith("s.yaml:4:29: unknown key \"bytes\" in a fault"));
}

}  // namespace
}  // namespace relist
