// W12 to W15: lists, their pages, and of which version they are.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/wire/digest.h"
#include "core/wire/status.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/store/pagination.h"
#include "scenarios/checkers/wire_checkers.h"
#include "scenarios/checkers/wire_words.h"

namespace relist {
namespace {

constexpr int kExpired = 410;
constexpr int kTimeout = 504;
using Commits = std::vector<const TruthCommit*>;

std::optional<fakeapi::ContinueToken> TokenOf(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const Result<fakeapi::ContinueToken> token = fakeapi::DecodeContinue(text);
  return token.ok() ? std::optional(*token) : std::nullopt;
}

// As etcd orders keys: by their paths.
std::string StartOf(const WireRequest& list, const fakeapi::ContinueToken& token) {
  const std::string& ns = list.ask.scope.ns;
  return ns.empty() ? token.start : ns + '/' + token.start;
}

uint64_t DigestOf(const Commits& items, size_t count) {
  ListDigest digest;
  for (size_t i = 0; i < count; ++i) {
    const Object* object = items[i]->object;
    digest.Add(items[i]->key, items[i]->rv, object ? object->bytes().size() : 0);
  }
  return digest.value();
}

bool IsGood(const WireRequest& list) {
  return list.Is(WireAsk::Kind::kList) && list.state == WireRequest::State::kAnswered &&
         list.status == 200 && !list.faults.answer && list.items >= 0;
}

bool IsPage(const WireRequest& list) {
  return !list.ask.continue_token.empty() || !list.next.empty();
}

// The objects that are to come: those of its version, from where the page before ended.
Commits DueOf(const WireView& wire, const WireRequest& list) {
  Commits due = wire.TruthOf(list).StateAt(list.rv);
  if (const auto token = TokenOf(list.ask.continue_token)) {
    const std::string start = StartOf(list, *token);
    std::erase_if(due, [&start](const TruthCommit* commit) { return commit->key < start; });
  }
  return due;
}

// What is wrong with the items of a list or page; "" if nothing is.
std::string WhatLacks(const WireView& wire, const WireRequest& list) {
  const Commits due = DueOf(wire, list);
  const auto sent = static_cast<size_t>(list.items);
  const bool may_end = !list.next.empty();
  if (may_end ? sent > due.size() : sent != due.size())
    return fmt::format("of {} objects at {} it was sent {}", due.size(), list.rv, sent);
  const bool has_bodies =
      std::all_of(due.begin(), due.end(), [](const TruthCommit* commit) { return commit->object; });
  if (list.digest && has_bodies && *list.digest != DigestOf(due, sent))
    return fmt::format("the {} that it was sent are not those of {}", sent, list.rv);
  return "";
}

Violation Broken(const char* property, std::string_view promise, const WireRequest& list,
                 const std::string& what) {
  return WireBroken(property, fmt::format("{}, but {} {}", promise, TextOf(list), what),
                    {list.request_entry, list.answer_entry});
}

// --- W12

std::string WhatIsWrongWithNext(const WireView& wire, const WireRequest& page) {
  const auto next = TokenOf(page.next);
  if (!next) return "was given a token that cannot be read";
  if (next->revision != static_cast<int64_t>(page.rv))
    return fmt::format("is of {} and was given a token for {}", page.rv, next->revision);
  const Commits due = DueOf(wire, page);
  const auto sent = static_cast<size_t>(page.items);
  const std::string start = StartOf(page, *next);
  if (sent > 0 && sent <= due.size() && due[sent - 1]->key >= start)
    return fmt::format("ends with {}, where its token begins", due[sent - 1]->key);
  if (sent < due.size() && due[sent]->key < start)
    return fmt::format("was given a token that leaves {} out", due[sent]->key);
  return "";
}

void CheckPage(const WireView& wire, const WireRequest& page, std::vector<Violation>* out) {
  const auto token = TokenOf(page.ask.continue_token);
  if (token && token->revision > 0 && page.rv != static_cast<uint64_t>(token->revision)) {
    out->push_back(Broken("W12", "all pages of a list are of one version", page,
                          fmt::format("goes on at {} and is of {}", token->revision, page.rv)));
    return;
  }
  const bool limits = page.ask.limit > 0 && page.ask.rv_text != "0";
  if (limits && page.items > page.ask.limit) {
    out->push_back(Broken("W12", "a page has no more than its limit", page,
                          fmt::format("has {} of {}", page.items, page.ask.limit)));
    return;
  }
  if (!wire.has_truth()) return;
  std::string what = WhatLacks(wire, page);
  if (what.empty() && !page.next.empty()) what = WhatIsWrongWithNext(wire, page);
  if (!what.empty())
    out->push_back(Broken("W12", "the pages of a list are all objects of its version", page, what));
}

// --- W13, W14: what is gone

// From where exact reads are surely served. Where no control action told, history has no beginning
// but the first write.
uint64_t SurelyServed(const WireView& wire, const WireRequest& list) {
  const uint64_t floor = std::max(list.list_floor, list.list_floor_max);
  if (floor > 0) return floor;
  return wire.has_truth() ? wire.truth().commits().front().rv - 1 : UINT64_MAX;
}

void CheckExactness(const WireView& wire, const WireRequest& list, const char* property,
                    uint64_t version, std::vector<Violation>* out) {
  if (list.status == kExpired && version >= SurelyServed(wire, list)) {
    out->push_back(Broken(property, "what is not below the floor is served", list,
                          fmt::format("asked for {}, the floor is at {}, and was answered 410",
                                      version, SurelyServed(wire, list))));
  } else if (list.status == 200 && version < list.list_floor) {
    out->push_back(Broken(property, "what is below the floor is gone", list,
                          fmt::format("asked for {}, the floor is at {}, and was answered 200",
                                      version, list.list_floor)));
  }
}

void CheckBroken(const WireView& wire, const WireRequest& page, const fakeapi::ContinueToken& token,
                 std::vector<Violation>* out) {
  if (token.revision > 0)
    CheckExactness(wire, page, "W13", static_cast<uint64_t>(token.revision), out);
  if (page.status != kExpired || !page.error) return;
  const std::optional<Status> status = StatusIn(page.error);
  const auto next = TokenOf(status ? status->continue_token : "");
  if (status && status->code == kExpired && status->reason == "Expired" && next &&
      next->revision == -1 && StartOf(page, *next) == StartOf(page, token))
    return;
  out->push_back(Broken("W13",
                        "a page that expired is told so with a token that goes on where it would "
                        "have begun, at the newest version",
                        page, "was told otherwise"));
}

// --- W14

class ListJudge {
 public:
  ListJudge(const WireView& wire, const WireRequest& list, std::vector<Violation>* out)
      : wire_(wire), list_(list), out_(out) {}

  void Run() {
    if (list_.status == 200 && list_.items >= 0) return CheckGood();
    if (!list_.ask.continue_token.empty()) return;
    if (list_.status == kExpired) CheckGone();
    if (list_.status == kTimeout) CheckTooLarge();
  }

 private:
  uint64_t Asked() const { return list_.ask.rv.value_or(0); }

  void CheckGood() {
    if (!list_.ask.continue_token.empty()) {
      if (Asked() > 0) Tell("a page names no version of its own", "did, and was answered 200");
      return;
    }
    const bool exact = list_.IsExactList();
    if (exact && Asked() > 0) CheckExactness(wire_, list_, "W14", Asked(), out_);
    if (list_.ask.rv_text.empty() && list_.rv < list_.newest_before) {
      Tell("a list is not older than what was written before it was asked for",
           fmt::format("is of {}, and {} was written", list_.rv, list_.newest_before));
    } else if (exact && list_.rv != Asked()) {
      Tell("an exact list is of the version that it names",
           fmt::format("asked for {} and is of {}", Asked(), list_.rv));
    } else if (list_.rv < Asked()) {
      Tell("a list is not older than the version that it names",
           fmt::format("asked for {} and is of {}", Asked(), list_.rv));
    } else if (wire_.has_truth() && list_.rv > list_.newest_then) {
      Tell("a list is not newer than the world",
           fmt::format("is of {}, and the world was at {}", list_.rv, list_.newest_then));
    } else if (wire_.has_truth() && !IsPage(list_)) {
      const std::string what = WhatLacks(wire_, list_);
      if (!what.empty()) Tell("a list is all objects of its version", what);
    }
  }

  void CheckGone() {
    if (!list_.IsExactList()) {
      Tell("only an exact list expires", "was answered 410");
      return;
    }
    const size_t before = out_->size();
    CheckExactness(wire_, list_, "W14", Asked(), out_);
    const std::optional<Status> status = StatusIn(list_.error);
    if (!list_.error || out_->size() > before) return;
    if (!status || status->code != kExpired || status->reason != "Expired")
      Tell("a version that is gone is told by code 410 and reason Expired", "was told otherwise");
  }

  void CheckTooLarge() {
    const std::optional<Status> status = StatusIn(list_.error);
    const bool is_too_large = status && IsTooLargeResourceVersion({Transport::kNone, *status});
    if (list_.error && !is_too_large) return;  // the server's own time was up: SRV-37
    const uint64_t shown =
        wire_.lag_possible ? wire_.ShownBefore(list_, list_.answered_order) : list_.newest_before;
    if (Asked() <= shown) {
      Tell("only what is yet to come is too large",
           fmt::format("asked for {}, which was there", Asked()));
      return;
    }
    // etcd's: at once, without advice.
    if (list_.ask.single && (list_.ask.match == "Exact" || list_.IsLegacyList())) return;
    if (wire_.unready_possible && list_.ask.limit > 0) return;
    const bool advised = status && status->details && status->details->retry_after_seconds > 0;
    if (list_.error && (!advised || list_.retry_after.empty()))
      Tell("what is yet to come is told with Retry-After and retryAfterSeconds",
           "was told without");
    else if (!list_.faults.any && list_.answered - list_.received < wire_.knobs().fresh_wait)
      Tell("what is yet to come is waited for", "was told too soon that its version is too large");
  }

  void Tell(std::string_view promise, const std::string& what) {
    out_->push_back(Broken("W14", promise, list_, what));
  }

  const WireView& wire_;
  const WireRequest& list_;
  std::vector<Violation>* out_;
};

// --- W15

// A version that a replica showed, and when.
struct Shown {
  uint64_t since;  // order: what was asked for later is not older ...
  uint64_t asked;  // ... and what this was asked for at
  uint64_t rv;
  const WireRequest* by;
};

// What the cache of a replica was seen at: lists at 0, and the ends of initial events.
std::map<std::pair<int, std::string_view>, std::vector<Shown>> SeenAt(const WireView& wire) {
  std::map<std::pair<int, std::string_view>, std::vector<Shown>> seen;
  for (const WireRequest& request : wire.requests) {
    std::vector<Shown>& shown = seen[{request.replica, request.ask.scope.resource}];
    if (IsGood(request) && request.IsFromCache())
      shown.push_back({request.answered_order, request.received_order, request.rv, &request});
    for (const WireLine& line : request.lines) {
      if (!line.ends_initial) continue;
      shown.push_back({line.order, request.received_order, line.rv, &request});
    }
  }
  return seen;
}

}  // namespace

std::vector<Violation> CheckPages(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& request : wire.requests) {
    if (IsGood(request) && IsPage(request)) CheckPage(wire, request, &out);
  }
  return out;
}

std::vector<Violation> CheckBrokenPages(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& request : wire.requests) {
    if (!request.Is(WireAsk::Kind::kList) || request.faults.answer ||
        request.state != WireRequest::State::kAnswered)
      continue;
    if (const auto token = TokenOf(request.ask.continue_token))
      CheckBroken(wire, request, *token, &out);
  }
  return out;
}

std::vector<Violation> CheckLists(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& request : wire.requests) {
    if (request.Is(WireAsk::Kind::kList) && !request.faults.answer && request.ask.rv &&
        request.state == WireRequest::State::kAnswered)
      ListJudge(wire, request, &out).Run();
  }
  return out;
}

std::vector<Violation> CheckReplicas(const WireView& wire) {
  std::vector<Violation> out;
  for (const auto& [replica, shown] : SeenAt(wire)) {
    for (size_t later = 1; later < shown.size(); ++later) {
      const auto earlier = std::find_if(shown.begin(), shown.end(), [&](const Shown& one) {
        return one.since < shown[later].asked && one.rv > shown[later].rv;
      });
      if (earlier == shown.end()) continue;
      out.push_back(WireBroken(
          "W15",
          fmt::format(
              "one replica never goes back in time, but {} was shown {} after {} was shown {}",
              TextOf(*shown[later].by), shown[later].rv, TextOf(*earlier->by), earlier->rv),
          {earlier->by->answer_entry, shown[later].by->answer_entry}));
    }
  }
  return out;
}

}  // namespace relist
