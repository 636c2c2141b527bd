// The same for what is no line of a stream: lists, how a stream opens and ends, and what is put
// into it.
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

using RequestChange =
    std::function<std::optional<Changes>(const MutableLife& from, const WireRequest& request)>;

struct RequestMutation {
  const char* name;
  std::set<std::string> told;
  RequestChange change;
};

bool IsGoodList(const WireRequest& request) {
  return request.ask.kind == WireAsk::Kind::kList && request.status == 200 && request.items >= 0 &&
         !request.faults.answer;
}

RequestChange AlterAnswer(std::function<bool(const MutableLife&, const WireRequest&)> fits,
                          std::function<Fields(const WireRequest&)> fields) {
  return [=](const MutableLife& from, const WireRequest& request) -> std::optional<Changes> {
    if (!request.answer_entry || !fits(from, request)) return std::nullopt;
    return Changes{
        {from.IndexOf(request.answer_entry), {Altered(*request.answer_entry, fields(request))}}};
  };
}

// Another version has another state, or there is none.
bool Matters(const MutableLife& from, const WireRequest& list, uint64_t rv) {
  const ScopedTruth& truth = from.wire().TruthOf(list);
  return truth.StateAt(rv) != truth.StateAt(list.rv) || rv > list.newest_then;
}

std::vector<RequestMutation> ListMutations() {
  const auto is_list = [](const MutableLife&, const WireRequest& request) {
    return IsGoodList(request);
  };
  const std::set<std::string> lists = {"W12", "W14"};
  return {
      {"a list says one object more", lists,
       AlterAnswer(
           is_list,
           [](const auto& list) { return Fields{{"items", std::to_string(list.items + 1)}}; })},
      {"a list lacks an object", lists,
       AlterAnswer(
           [](const MutableLife&, const WireRequest& list) {
             return IsGoodList(list) && list.items > 0;
           },
           [](const auto& list) { return Fields{{"items", std::to_string(list.items - 1)}}; })},
      {"a list holds other objects", lists,
       AlterAnswer(is_list, [](const auto&) { return Fields{{"digest", "000000000000"}}; })},
      {"a list claims a later version", lists,
       AlterAnswer(
           [](const MutableLife& from, const WireRequest& list) {
             return IsGoodList(list) && Matters(from, list, list.rv + 1);
           },
           [](const auto& list) { return Fields{{"rv", Shifted(list.rv, 1)}}; })},
      {"a list claims an older version",
       {"W12", "W14", "W15"},
       AlterAnswer(
           [](const MutableLife& from, const WireRequest& list) {
             return IsGoodList(list) && Matters(from, list, list.rv - 1);
           },
           [](const auto& list) { return Fields{{"rv", Shifted(list.rv, -1)}}; })},
      {"a page is called the last",
       {"W12", "W14"},
       AlterAnswer(
           [](const MutableLife&, const WireRequest& list) {
             return IsGoodList(list) && !list.next.empty() &&
                    list.ask.scope.labels.empty()  // with a selector the rest may be nothing
                 ;
           },
           [](const auto&) { return Fields{{"continue", ""}}; })},
      {"a page has a token that nobody can read",
       {"W12"},
       AlterAnswer(is_list, [](const auto&) { return Fields{{"continue", "x"}}; })},
      {"a list is busy and does not say for how long",
       {"W17"},
       AlterAnswer(is_list,
                   [](const auto&) {
                     return Fields{{"status", "429"}, {"rv", ""}, {"items", ""}, {"digest", ""}};
                   })},
      {"a list of any version is gone",
       {"W14"},
       AlterAnswer(
           [](const MutableLife&, const WireRequest& list) {
             return IsGoodList(list) && list.ask.continue_token.empty();
           },
           [](const auto&) {
             return Fields{{"status", "410"}, {"rv", ""}, {"items", ""}, {"digest", ""}};
           })},
  };
}

// The last event that the scope saw up to where the watch starts, before all that it sends.
std::optional<Changes> StaleEvent(const MutableLife& from, const WireRequest& stream) {
  if (!stream.opened() || !stream.ask.StartsExactly()) return std::nullopt;
  const ScopedTruth& truth = from.wire().TruthOf(stream);
  const size_t beyond = truth.After(*stream.ask.rv);
  if (beyond == 0) return std::nullopt;
  const ScopedEvent& event = truth.events()[beyond - 1];
  HistoryEntry line(stream.answered, "server", "event");
  line.Set("id", std::to_string(stream.id)).Set("type", std::string(Name(event.type)));
  line.Set("key", std::string(event.commit->key)).Set("uid", std::string(event.commit->uid));
  line.Set("rv", std::to_string(event.commit->rv));
  return Changes{{from.IndexOf(stream.answer_entry), {*stream.answer_entry, line}}};
}

// All that a watch was sent is an expiry, where no window explains one.
std::optional<Changes> FalseExpiry(const MutableLife& from, const WireRequest& stream) {
  const bool is_good = stream.opened() && stream.ask.StartsExactly() && !stream.lines.empty() &&
                       stream.watch_floor == 0 && !stream.faults.error;
  const bool is_held =
      from.wire().knobs().watch_window == 1000 && *stream.ask.rv >= from.wire().first_revision;
  if (!is_good || !is_held) return std::nullopt;
  Changes changes;
  for (const WireLine& line : stream.lines) changes[from.IndexOf(line.entry)] = {};
  HistoryEntry error(stream.lines.front().when, "server", "event");
  error.Set("id", std::to_string(stream.id)).Set("type", "ERROR").Set("code", "410");
  changes[from.IndexOf(stream.lines.front().entry)] = {error};
  return changes;
}

std::optional<Changes> ExpiryByStatus(const MutableLife& from, const WireRequest& stream) {
  if (!stream.opened()) return std::nullopt;
  HistoryEntry answer(stream.answered, "server", "answer");
  answer.Set("id", std::to_string(stream.id)).Set("status", "410");
  return Changes{{from.IndexOf(stream.answer_entry), {answer}}};
}

std::vector<RequestMutation> StreamMutations() {
  const auto at = [](const HistoryEntry* WireRequest::* entry,
                     std::function<bool(const WireRequest&)> fits,
                     std::function<std::vector<HistoryEntry>(const HistoryEntry&)> make) {
    return [=](const MutableLife& from, const WireRequest& request) -> std::optional<Changes> {
      if (!(request.*entry) || !fits(request)) return std::nullopt;
      return Changes{{from.IndexOf(request.*entry), make(*(request.*entry))}};
    };
  };
  const auto twice = [](const HistoryEntry& entry) {
    return std::vector<HistoryEntry>{entry, entry};
  };
  const auto none = [](const HistoryEntry&) { return std::vector<HistoryEntry>{}; };
  const auto reset = [](const HistoryEntry& entry) {
    return std::vector<HistoryEntry>{Altered(entry, {{"how", "RST"}})};
  };
  const auto gone = [](const HistoryEntry& entry) {
    return std::vector<HistoryEntry>{Altered(entry, {{"how", "last chunk"}}), entry};
  };
  return {
      {"an event from before the start is sent", {"W5"}, StaleEvent},
      {"a watch expires that should not", {"W6"}, FalseExpiry},
      {"a watch is answered 410", {"W10"}, ExpiryByStatus},
      {"a stream has no head",
       {"W11"},
       at(
           &WireRequest::answer_entry,
           [](const WireRequest& request) { return !request.lines.empty(); }, none)},
      {"a stream is opened twice",
       {"W11"},
       at(
           &WireRequest::answer_entry, [](const WireRequest& request) { return request.opened(); },
           twice)},
      {"a request is never answered",
       {"W17"},
       at(
           &WireRequest::answer_entry,
           [](const WireRequest& request) {
             return request.state == WireRequest::State::kAnswered && !request.faults.any;
           },
           none)},
      {"a stream ends twice",
       {"W11"},
       at(
           &WireRequest::end_entry, [](const WireRequest& request) { return request.opened(); },
           gone)},
      {"a stream is cut off",
       {"W11", "W19"},
       at(
           &WireRequest::end_entry,
           [](const WireRequest& request) { return request.opened() && !request.faults.ended; },
           reset)},
  };
}

void MutateRequests(const MutableLife& from, const std::vector<RequestMutation>& mutations,
                    Choices& choices, Tallies* tallies) {
  for (const RequestMutation& mutation : mutations) {
    std::vector<std::pair<uint64_t, Changes>> fitting;
    for (const WireRequest& request : from.wire().requests) {
      if (auto changes = mutation.change(from, request)) fitting.emplace_back(request.id, *changes);
    }
    if (fitting.empty()) continue;
    const auto& [id, changes] = fitting[choices.Below(fitting.size(), "which request")];
    from.Count(changes, mutation.told, std::to_string(id), &(*tallies)[mutation.name]);
  }
}

std::vector<RequestMutation> AnswerMutations() {
  std::vector<RequestMutation> all = ListMutations();
  for (RequestMutation& mutation : StreamMutations()) all.push_back(std::move(mutation));
  return all;
}

TEST(WireMutations, AnAnswerIsNotAlteredUnseen) {
  const std::vector<RequestMutation> mutations = AnswerMutations();
  std::vector<std::string> names;
  for (const RequestMutation& mutation : mutations) names.emplace_back(mutation.name);
  ExpectTold(names, [&](const MutableLife& from, Choices& choices, Tallies* tallies) {
    MutateRequests(from, mutations, choices, tallies);
  });
}

}  // namespace
}  // namespace relist
