// The tests of the W-checkers: a good life in which one line of a stream is dropped, doubled, moved
// or altered is good no more, wherever that breaks a property, and the right one is told.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/choices.h"
#include "property_tests/mutable_life.h"
#include "property_tests/wire_mutations_test_support.h"

namespace relist {
namespace {

using Changes = MutableLife::Changes;

// A line of a stream, and where it stands.
struct Place {
  const WireRequest* stream;
  const StreamShape* shape;
  size_t at;

  const WireLine& line() const { return stream->lines[at]; }
  const WireLine* next() const { return at + 1 < stream->lines.size() ? &line() + 1 : nullptr; }
  bool initial() const { return shape->initial && at < shape->first_live; }
  // Something comes later that shows that it lacks.
  bool IsPassed() const {
    const auto begin = stream->lines.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    return std::any_of(begin, stream->lines.end(),
                       [](const WireLine& later) { return later.rv > 0; });
  }
};

using LineChange =
    std::function<std::optional<Changes>(const MutableLife& from, const Place& place)>;

struct LineMutation {
  const char* name;
  std::set<std::string> told;  // one of these, at least
  LineChange change;           // nothing: not there, or not broken by it
};

// The same line with some fields altered, where `fits` says that this matters.
LineChange Alter(std::function<bool(const Place&)> fits,
                 std::function<Fields(const WireLine&)> fields) {
  return [=](const MutableLife& from, const Place& place) -> std::optional<Changes> {
    if (!fits(place)) return std::nullopt;
    const HistoryEntry& entry = *place.line().entry;
    return Changes{{from.IndexOf(&entry), {Altered(entry, fields(place.line()))}}};
  };
}

bool IsEvent(const Place& place) {
  return place.line().is_event();
}
bool IsWholeEvent(const Place& place) {
  return place.line().body.has_value();
}
bool IsBookmark(const Place& place) {
  return place.line().type == EventType::kBookmark && place.line().object;
}
bool IsOwnError(const Place& place) {
  return place.line().type == EventType::kError && !place.stream->faults.error;
}

LineChange Drop(std::function<bool(const Place&)> fits) {
  return [=](const MutableLife& from, const Place& place) -> std::optional<Changes> {
    if (!fits(place)) return std::nullopt;
    return Changes{{from.IndexOf(place.line().entry), {}}};
  };
}

LineChange Double(std::function<bool(const Place&)> fits) {
  return [=](const MutableLife& from, const Place& place) -> std::optional<Changes> {
    if (!fits(place)) return std::nullopt;
    const HistoryEntry& entry = *place.line().entry;
    return Changes{{from.IndexOf(&entry), {entry, entry}}};
  };
}

LineChange SwapWithNext(std::function<bool(const Place&)> fits) {
  return [=](const MutableLife& from, const Place& place) -> std::optional<Changes> {
    if (!place.next() || !fits(place)) return std::nullopt;
    const HistoryEntry& here = *place.line().entry;
    const HistoryEntry& there = *place.next()->entry;
    return Changes{{from.IndexOf(&here), {there}}, {from.IndexOf(&there), {here}}};
  };
}

// Dropped, doubled, moved.
std::vector<LineMutation> MovedLines() {
  // Of a stream that was cut within its initial events the others may be those of another version,
  // at which that object was not there.
  const auto passed = [](bool initial) {
    return [=](const Place& place) {
      return place.line().is_event() && place.initial() == initial &&
             (initial ? place.shape->ended : place.IsPassed());
    };
  };
  const auto pair = [](bool first_event, bool next_event) {
    return [=](const Place& place) {
      return place.line().is_event() == first_event && place.line().rv > 0 &&
             place.next()->is_event() == next_event && place.next()->rv > 0 &&
             place.line().rv != place.next()->rv && !place.next()->ends_initial &&
             !place.line().ends_initial;
    };
  };
  const auto ends = [](const Place& place) { return place.line().ends_initial; };
  const auto ends_before_more = [](const Place& place) {
    return place.line().ends_initial && place.next() && place.next()->is_event();
  };
  const std::set<std::string> initial = {"W8", "W9"};
  return {
      {"an event is dropped", {"W4", "W18"}, Drop(passed(false))},
      {"an initial event is dropped", initial, Drop(passed(true))},
      {"the end of initial events is dropped", initial, Drop(ends_before_more)},
      {"an event is sent twice", {"W3"}, Double(IsEvent)},
      {"the end of initial events is told twice", initial, Double(ends)},
      {"two events are swapped", {"W2", "W8", "W9"}, SwapWithNext(pair(true, true))},
      {"an event is sent after its bookmark", {"W7"}, SwapWithNext(pair(true, false))},
      {"a bookmark is sent after a later event", {"W7"}, SwapWithNext(pair(false, true))},
      {"initial events end too soon", initial, SwapWithNext([](const Place& place) {
         return place.initial() && place.line().is_event() && place.next()->ends_initial;
       })},
      {"an ERROR is followed by itself", {"W10"}, Double(IsOwnError)},
  };
}

std::vector<LineMutation> AlteredLines() {
  const auto type = [](const char* name) {
    return [name](const WireLine&) { return Fields{{"type", name}}; };
  };
  const auto is = [](EventType wanted, bool initial) {
    return [=](const Place& place) {
      return place.line().type == wanted && place.initial() == initial;
    };
  };
  return {
      {"an ADDED is called MODIFIED",
       {"W1"},
       Alter(is(EventType::kAdded, false), type("MODIFIED"))},
      {"an initial ADDED is called MODIFIED",
       {"W1", "W8", "W9"},
       Alter(is(EventType::kAdded, true), type("MODIFIED"))},
      {"a MODIFIED is called DELETED",
       {"W1"},
       Alter(is(EventType::kModified, false), type("DELETED"))},
      {"a DELETED is called MODIFIED",
       {"W1"},
       Alter(is(EventType::kDeleted, false), type("MODIFIED"))},
      {"an event has an older version",
       {"W1", "W5"},
       Alter(IsEvent, [](const WireLine& line) { return Fields{{"rv", Shifted(line.rv, -1)}}; })},
      {"an event has a later version",
       {"W1"},
       Alter(IsEvent, [](const WireLine& line) { return Fields{{"rv", Shifted(line.rv, 1)}}; })},
      {"a version has a leading zero",
       {"W16"},
       Alter([](const Place& place) { return place.line().rv > 0; },
             [](const WireLine& line) { return Fields{{"rv", "0" + Shifted(line.rv, 0)}}; })},
      {"an event has another key",
       {"W1"},
       Alter(IsEvent, [](const WireLine&) { return Fields{{"key", "default/none"}}; })},
      {"an event has another uid",
       {"W1"},
       Alter(IsEvent, [](const WireLine&) { return Fields{{"uid", "none"}}; })},
      {"an event has another body",
       {"W1"},
       Alter(IsWholeEvent, [](const WireLine&) { return Fields{{"body", "000000000000"}}; })},
      {"a bookmark has another version",
       {"W7"},
       Alter([](const Place& place) { return IsBookmark(place) && !place.line().ends_initial; },
             [](const WireLine& line) { return Fields{{"rv", Shifted(line.rv, -1)}}; })},
      {"a bookmark claims to end initial events",
       {"W7"},
       Alter([](const Place& place) { return IsBookmark(place) && !place.line().ends_initial; },
             [](const WireLine&) { return Fields{{"end", "true"}}; })},
      {"an expiry has another code",
       {"W10"},
       Alter([](const Place& place) { return IsOwnError(place) && place.line().code == 410; },
             [](const WireLine&) { return Fields{{"code", "500"}}; })},
  };
}

std::vector<LineMutation> LineMutations() {
  std::vector<LineMutation> all = MovedLines();
  for (LineMutation& mutation : AlteredLines()) all.push_back(std::move(mutation));
  return all;
}

void MutateLines(const MutableLife& from, const std::vector<LineMutation>& mutations,
                 Choices& choices, Tallies* tallies) {
  std::vector<Place> places;
  for (const WireRequest& request : from.wire().requests) {
    for (size_t i = 0; request.opened() && i < request.lines.size(); ++i)
      places.push_back({&request, &from.wire().ShapeOf(request), i});
  }
  for (const LineMutation& mutation : mutations) {
    std::vector<std::pair<const Place*, Changes>> fitting;
    for (const Place& place : places) {
      if (auto changes = mutation.change(from, place)) fitting.emplace_back(&place, *changes);
    }
    if (fitting.empty()) continue;
    const auto& [place, changes] = fitting[choices.Below(fitting.size(), "which place")];
    from.Count(changes, mutation.told,
               std::to_string(place->stream->id) + " line " + std::to_string(place->at),
               &(*tallies)[mutation.name]);
  }
}

TEST(WireMutations, ALineOfAStreamIsNotAlteredUnseen) {
  const std::vector<LineMutation> mutations = LineMutations();
  std::vector<std::string> names;
  for (const LineMutation& mutation : mutations) names.emplace_back(mutation.name);
  ExpectTold(names, [&](const MutableLife& from, Choices& choices, Tallies* tallies) {
    MutateLines(from, mutations, choices, tallies);
  });
}

}  // namespace
}  // namespace relist
