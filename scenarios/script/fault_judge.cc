#include "scenarios/script/fault_judge.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace relist {
namespace {

using Kind = FaultSpec::Kind;
using Flaws = std::vector<std::string>;

constexpr Kind kOnConnections[] = {Kind::kCutFin, Kind::kCutReset, Kind::kStall, Kind::kDelay};
// Done to a line that the server made.
constexpr Kind kOfALine[] = {Kind::kDuplicate, Kind::kDrop, Kind::kReorder, Kind::kAlter};
// Done to a stream of lines.
constexpr Kind kOfAStream[] = {Kind::kError,   Kind::kClose, Kind::kDuplicate, Kind::kDrop,
                               Kind::kReorder, Kind::kAlter, Kind::kInsert,    Kind::kLineEnds};
// Done to an answer as a whole.
constexpr Kind kOfAnAnswer[] = {Kind::kStatus, Kind::kHttp10, Kind::kLost, Kind::kCutNext,
                                Kind::kGzip};

template <size_t N>
bool IsOneOf(Kind kind, const Kind (&kinds)[N]) {
  return std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds);
}

void JudgeOnConnection(const FaultSpec& fault, Flaws* flaws) {
  if (!IsOneOf(fault.kind, kOnConnections)) {
    flaws->push_back(
        fmt::format("a connection without a request can be met by cut, "
                    "reset, stall or delay, not by {}",
                    Name(fault.kind)));
  }
  const PlaceSpec& place = fault.place;
  const bool is_counted = fault.byte_at == fakeapi::Verdict::ByteAt::kCounted;
  if (!place.client.empty() || !place.resource.empty() || place.continued || place.page > 0 ||
      place.version || fault.is_at_line() || fault.bytes > 0 || !is_counted) {
    flaws->push_back(
        "a connection has only a number (\"nth\"): client, resource, continued, page, version, "
        "events, sent, line, bytes and inside are those of requests");
  }
}

void JudgeLine(const FaultSpec& fault, Flaws* flaws) {
  using enum fakeapi::Verdict::ByteAt;
  const Kind kind = fault.kind;
  if (fault.is_at_line() && IsOneOf(kind, kOfAnAnswer)) {
    flaws->push_back(
        kind == Kind::kStatus
            ? "a status comes before the first event, never after some: leave \"events\", \"sent\" "
              "and \"line\" out, or use \"fault: error\""
            : fmt::format(
                  "{} is done to a whole answer: leave \"events\", \"sent\" and \"line\" out",
                  Name(kind)));
  }
  if (IsOneOf(kind, kOfALine) && (fault.sent || !fault.is_at_line())) {
    flaws->push_back(
        fmt::format("which line is meant is missing: \"events\" (the line after how many) or "
                    "\"line\" (each of a sort), for {}",
                    Name(kind)));
  }
  if (kind == Kind::kInsert && !fault.is_at_line())
    flaws->push_back("where it is put is missing: \"events\", \"sent\" or \"line\"");
  const bool is_inside = fault.byte_at == kInChunkHeader || fault.byte_at == kInCharacter;
  if (is_inside && !fault.events && !fault.lines)
    flaws->push_back("\"inside\" is of a line: say which, by \"events\" or \"line\"");
  if (fault.byte_at == kBehindHead && fault.is_at_line())
    flaws->push_back("a line has no headers: leave \"events\", \"sent\" and \"line\" out");
}

void JudgeVerb(const FaultSpec& fault, Flaws* flaws) {
  const PlaceSpec::Verb verb = fault.place.verb;
  const bool of_lines = fault.is_at_line() || fault.framing.chunk_lines > 1;
  if (!CanBeWatch(verb) && (of_lines || IsOneOf(fault.kind, kOfAStream))) {
    const char* which = fault.events  ? "\"events\""
                        : fault.sent  ? "\"sent\""
                        : fault.lines ? "\"line\""
                                      : "";
    flaws->push_back(fmt::format("\"on: {}\" is no stream of events: {} can never happen there",
                                 Name(verb), *which ? which : Name(fault.kind)));
  }
  if (fault.kind == Kind::kLost &&
      (verb == PlaceSpec::Verb::kWatch || verb == PlaceSpec::Verb::kStreamingList))
    flaws->push_back("a watch has no answer that could be lost: use \"cut\"");
}

void JudgeLegal(const FaultSpec& fault, Flaws* flaws) {
  const auto says = [&](std::string what) {
    flaws->push_back(fmt::format("no legal server {}: say \"legal: false\"", what));
  };
  switch (fault.kind) {
    case Kind::kDuplicate:
      return says("sends a line twice");
    case Kind::kDrop:  // bookmarks are nobody's right
      if (fault.lines != FaultSpec::LineSort::kBookmark) says("leaves a line out");
      return;
    case Kind::kReorder:
      return says("turns lines around");
    case Kind::kAlter:
      return says("sends another line than it should");
    case Kind::kInsert:
      return says("sends a line of its own");
    case Kind::kLineEnds:
      return says("ends its lines like that");
    case Kind::kGzip:
      return says("compresses what nobody asked it to");
    case Kind::kStatus:
    case Kind::kError:
      if (fault.code < 400) {
        flaws->push_back(
            fmt::format("no legal server refuses with {}: codes are 400 to 599, or say "
                        "\"legal: false\"",
                        fault.code));
      }
      return;
    default:
      return;
  }
}

}  // namespace

bool CanBeWatch(PlaceSpec::Verb verb) {
  using enum PlaceSpec::Verb;
  return verb == kAny || verb == kWatch || verb == kStreamingList;
}

std::vector<std::string> FlawsInFault(const FaultSpec& fault, bool legal) {
  Flaws flaws;
  if (fault.on_connection) {
    JudgeOnConnection(fault, &flaws);
    return flaws;
  }
  JudgeLine(fault, &flaws);
  JudgeVerb(fault, &flaws);
  if (legal) JudgeLegal(fault, &flaws);
  return flaws;
}

}  // namespace relist
