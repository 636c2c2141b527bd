#include "property_tests/search/search.h"

#include <fmt/format.h>

#include <memory>

#include "property_tests/search/server_bench.h"
#include "scenarios/checkers/history_view.h"
#include "scenarios/checkers/wire_checkers.h"

namespace relist::search {
namespace {

using Kind = Command::Kind;

constexpr size_t kReplicas = 2, kWindow = 6, kBuffer = 4, kOpenMax = 6, kTokensMax = 6;
constexpr int kBurst = 8;
// What a list gave to go on with.
struct GivenToken {
  std::string text;
  Scope scope;
};

class Pair {
 public:
  explicit Pair(fakeapi::ServerBug bug)
      : bench_({kReplicas, kWindow, kBuffer, bug}),
        model_({kReplicas, kWindow, kBuffer}, bench_.server().revision(), bench_.now()) {}

  void Do(const Command& command);
  void CompareStreams();
  void CheckProperties();

  std::string difference;
  Counts TakeCounts() { return std::move(model_.counts); }

 private:
  void Differ(const std::string& what, const std::string& expected, const std::string& seen) {
    if (!difference.empty()) return;
    difference = fmt::format("{}\n  expected {}\n  seen     {}", what, expected, seen);
  }
  void Same(const std::string& what, const std::string& expected, const std::string& seen) {
    if (expected != seen) Differ(what, expected, seen);
  }
  // Asks both until both answer; they have to agree on who waits.
  template <class AskModel>
  std::string Both(const std::string& what, size_t replica, const std::string& target,
                   AskModel ask_model);

  std::string VersionOf(int version) const;
  void Create(const Command& command);
  void Update(const Command& command);
  void Delete(const Command& command);
  void Elsewhere();
  void List(const Command& command);
  void NextPage(const Command& command);
  void SendList(const ListAsk& ask);
  void Get(const Command& command);
  void Watch(const Command& command);
  void Close(const Command& command);
  void Control(const Command& command);
  void Pass(Duration time);

  TimePoint now() const { return bench_.now(); }

  ServerBench bench_;
  PlainModel model_;
  std::vector<std::unique_ptr<ModelWatch>> watches_;  // as bench_.streams()
  std::vector<GivenToken> tokens_;
  int written_ = 0;
};

// None, "0", one that is yet to come, or so far back.
std::string Pair::VersionOf(int version) const {
  constexpr int kAny = 8, kFuture = 24, kPast = 30;
  if (version < kAny) return "";
  if (version < kFuture) return "0";
  const uint64_t newest = model_.revision();
  if (version < kPast) return std::to_string(newest + static_cast<uint64_t>(version - kFuture) + 1);
  const auto back = static_cast<uint64_t>(version - kPast);
  return std::to_string(newest > back ? newest - back : 1);
}

void Pair::Create(const Command& command) {
  Thing thing{KeyOf(command.which), AppOf(command.detail), ++written_, 0};
  const auto seen =
      bench_.Ask(0, "POST", "/api/v1/namespaces/" + thing.key.ns + "/configmaps", BodyOf(thing, 0));
  Same("create " + thing.key.Text(), model_.Create(thing, now()), seen.value_or("nothing"));
}

void Pair::Update(const Command& command) {
  Thing thing{KeyOf(command.which), AppOf(command.detail), ++written_, 0};
  uint64_t given = 0;
  if (const std::optional<Thing> before = model_.Find(thing.key)) {
    if (command.detail / 3 % 5 == 1) thing = *before;         // no change
    if (command.detail / 3 % 5 == 2) given = before->rv;      // as it should be
    if (command.detail / 3 % 5 == 3) given = before->rv - 1;  // of another state
  }
  const auto seen = bench_.Ask(0, "PUT", PathOf(thing.key), BodyOf(thing, given));
  Same("update " + thing.key.Text(), model_.Update(thing, given, now()), seen.value_or("nothing"));
}

void Pair::Delete(const Command& command) {
  const Key key = KeyOf(command.which);
  const auto seen = bench_.Ask(0, "DELETE", PathOf(key));
  Same("delete " + key.Text(), model_.Delete(key, now()), seen.value_or("nothing"));
}

void Pair::Elsewhere() {
  const std::string body = fmt::format(
      R"({{"apiVersion":"v1","kind":"Secret","metadata":{{"name":"s{}"}}}})", ++written_);
  bench_.Ask(0, "POST", "/api/v1/namespaces/default/secrets", body);
  model_.Elsewhere(now());
}

template <class AskModel>
std::string Pair::Both(const std::string& what, size_t replica, const std::string& target,
                       AskModel ask_model) {
  const TimePoint received = now();
  std::optional<std::string> seen = bench_.Ask(replica, "GET", target);
  std::optional<std::string> expected = ask_model(received);
  while (!seen || !expected) {
    if (seen.has_value() != expected.has_value()) {
      Differ(fmt::format("{} ({})", what, target), expected.value_or("that it waits"),
             seen.value_or("that it waits"));
      return "";
    }
    const TimePoint next = std::min(model_.NextChange(), received + Seconds(3));
    Pass(std::max(next - now(), Duration(1)));
    seen = bench_.Again();
    expected = ask_model(received);
  }
  const size_t token = std::min(seen->find('\n'), seen->size());
  Same(what + " (" + target + ")", *expected, seen->substr(0, token));
  return token < seen->size() ? seen->substr(token + 1) : "";
}

void Pair::SendList(const ListAsk& ask) {
  std::string query = "a=b";
  if (!ask.rv.empty()) query += "&resourceVersion=" + ask.rv;
  if (!ask.match.empty()) query += "&resourceVersionMatch=" + ask.match;
  if (ask.limit > 0) query += fmt::format("&limit={}", ask.limit);
  if (ask.token) query += "&continue=" + ask.token_text;
  const std::string token =
      Both("list", ask.replica, TargetOf(ask.scope, query),
           [&](TimePoint received) { return model_.List(ask, received, now()); });
  if (token.empty()) return;
  tokens_.push_back({token, ask.scope});
  if (tokens_.size() > kTokensMax) tokens_.erase(tokens_.begin());
}

void Pair::List(const Command& command) {
  ListAsk ask;
  ask.replica = Pick(command.replica, kReplicas);
  ask.scope = ScopeOf(command.selector);
  ask.rv = VersionOf(command.version);
  ask.limit = Pick(command.detail, 4);
  const size_t match = Pick(command.detail / 4, 4);
  if (match == 1) ask.match = "Exact";
  if (match == 2) ask.match = "NotOlderThan";
  SendList(ask);
}

void Pair::NextPage(const Command& command) {
  if (tokens_.empty()) return;
  const GivenToken given = tokens_[tokens_.size() - 1 - Pick(command.which, tokens_.size())];
  ListAsk ask;
  ask.replica = Pick(command.replica, kReplicas);
  ask.scope = given.scope;
  ask.limit = 1 + Pick(command.detail, 3);
  ask.token = ReadToken(given.text);
  ask.token_text = given.text;
  if (command.version == 1) ask.rv = "0";
  if (command.version == 2) ask.rv = "7";
  SendList(ask);
}

void Pair::Get(const Command& command) {
  const GetAsk ask{Pick(command.replica, kReplicas), KeyOf(command.which),
                   VersionOf(command.version)};
  const std::string query = ask.rv.empty() ? "" : "?resourceVersion=" + ask.rv;
  Both("get", ask.replica, PathOf(ask.key) + query,
       [&](TimePoint received) { return model_.Get(ask, received, now()); });
}

void Pair::Watch(const Command& command) {
  if (watches_.size() == kOpenMax) Close({.kind = Kind::kClose});
  WatchAsk ask;
  ask.replica = Pick(command.replica, kReplicas);
  ask.scope = ScopeOf(command.selector);
  ask.rv = VersionOf(command.version);
  ask.bookmarks = command.detail % 2 == 1;
  const size_t initial = Pick(command.detail / 2, 4);
  if (initial >= 2) ask.initial = initial == 2;
  if (command.detail / 8 % 3 == 1) ask.timeout = 5;
  std::string query = "watch=true";
  if (!ask.rv.empty()) query += "&resourceVersion=" + ask.rv;
  if (ask.initial) {
    query += fmt::format("&sendInitialEvents={}&resourceVersionMatch=NotOlderThan", *ask.initial);
  }
  if (ask.bookmarks) query += "&allowWatchBookmarks=true";
  if (ask.timeout > 0) query += fmt::format("&timeoutSeconds={}", ask.timeout);
  auto watch = std::make_unique<ModelWatch>();
  const size_t before = bench_.streams().size();
  Both("watch", ask.replica, TargetOf(ask.scope, query),
       [&](TimePoint received) { return model_.Watch(ask, received, now(), watch.get()); });
  if (bench_.streams().size() == before) return;  // it was refused
  ServerBench::Stream& stream = *bench_.streams().back();
  stream.reads = command.detail / 24 % 2 == 0;
  model_.Open(watch.get());
  watches_.push_back(std::move(watch));
}

void Pair::Close(const Command& command) {
  if (watches_.empty()) return;
  const size_t which = Pick(command.which, watches_.size());
  bench_.Close(which);
  model_.Close(watches_[which].get());
  watches_.erase(watches_.begin() + static_cast<std::ptrdiff_t>(which));
}

void Pair::Pass(Duration time) {
  // In steps of what the model knows of, so that both see the same order of things.
  const TimePoint end = now() + time;
  while (now() < end) {
    const TimePoint next = std::max(model_.NextChange(), now() + Duration(1));
    bench_.PassTo(std::min(next, end));
    model_.Advance(now());
  }
}

void Pair::Control(const Command& command) {
  fakeapi::ApiServer& server = bench_.server();
  const size_t replica = Pick(command.replica, kReplicas);
  switch (command.kind) {
    case Kind::kCompact: {
      const uint64_t revision = model_.revision() - std::min<uint64_t>(3, Pick(command.version, 4));
      const bool learned = command.detail % 2 == 1;
      if (revision <= server.compacted_revision() && !learned) return;
      server.Compact(now(), std::max(revision, server.compacted_revision()), learned);
      return model_.Compact(revision, learned);
    }
    case Kind::kEvict:
      server.Evict(now(), replica);
      return model_.Evict(replica);
    case Kind::kRestart: {
      const Duration not_ready = command.detail % 2 == 1 ? Seconds(2) : Duration{};
      server.Restart(now(), replica, not_ready);
      return model_.Restart(replica, not_ready, now());
    }
    case Kind::kPause:
      server.Pause(now(), replica);
      return model_.Pause(replica);
    case Kind::kResume:
      server.Resume(now(), replica);
      return model_.Resume(replica, now());
    case Kind::kLag: {
      const Duration lag = Seconds(static_cast<int64_t>(Pick(command.detail, 3)) * 2);
      server.SetLag(now(), lag, replica);
      return model_.Lag(replica, lag, now());
    }
    default:
      server.Bookmark(now(), replica);
  }
}

void Pair::Do(const Command& command) {
  switch (command.kind) {
    case Kind::kCreate:
      Create(command);
      break;
    case Kind::kUpdate:
      Update(command);
      break;
    case Kind::kBurst:
      for (int i = 0; i < kBurst; ++i) {
        Update({.which = command.which, .detail = command.detail % 3 + i});
      }
      break;
    case Kind::kDelete:
      Delete(command);
      break;
    case Kind::kElsewhere:
      Elsewhere();
      break;
    case Kind::kList:
      List(command);
      break;
    case Kind::kNextPage:
      NextPage(command);
      break;
    case Kind::kGet:
      Get(command);
      break;
    case Kind::kWatch:
      Watch(command);
      break;
    case Kind::kRead:
      if (!watches_.empty()) bench_.Read(*bench_.streams()[Pick(command.which, watches_.size())]);
      break;
    case Kind::kClose:
      Close(command);
      break;
    case Kind::kPass:
      Pass(Millis(500) * static_cast<int64_t>(1 + Pick(command.detail, 12)));
      break;
    default:
      Control(command);
  }
  bench_.Settle();
  model_.Advance(now());
  CompareStreams();
}

// A stream has a part of what it must say, from the beginning; whose client reads has all of it.
void Pair::CompareStreams() {
  for (size_t i = 0; i < watches_.size(); ++i) {
    ModelWatch& watch = *watches_[i];
    const ServerBench::Stream& stream = *bench_.streams()[i];
    const std::string what = fmt::format(
        "watch {} of replica {}, from {} in \"{}\" by \"{}\", which has {} of {} lines", i,
        watch.ask.replica, watch.ask.rv.empty() ? "the newest" : watch.ask.rv, watch.ask.scope.ns,
        watch.ask.scope.label, stream.lines.size(), watch.lines.size());
    for (; watch.read < stream.lines.size(); ++watch.read) {
      if (watch.read >= watch.lines.size()) {
        return Differ(what, "nothing more", stream.lines[watch.read]);
      }
      Same(fmt::format("{}, line {}", what, watch.read + 1), watch.lines[watch.read],
           stream.lines[watch.read]);
      if (!difference.empty()) return;
    }
    const bool has_all = watch.read == watch.lines.size();
    if (has_all) watch.unread = 0;
    if (stream.bookmarks > 0 && !watch.ask.bookmarks) Differ(what, "no bookmark", "one");
    if (stream.ended && !watch.over && !watch.may_be_ended) {
      Differ(what, "that it goes on", "its end");
    }
    if (!stream.reads || stream.ended) continue;
    if (!has_all) Differ(what, watch.lines[watch.read], "nothing");
    if (watch.over) Differ(what, "its end", "that it goes on");
  }
}

void Pair::CheckProperties() {
  const HistoryView view(bench_.history());
  const WireView wire = WireOf(
      view, {.watch_window = kWindow, .timeout_min = Seconds(1800), .fresh_wait = Seconds(3)});
  const std::vector<Violation> found = CheckWire(wire);
  if (found.empty()) return;
  Differ("what went over the wire", "every property kept",
         Describe(bench_.history(), found.front(), ""));
}

}  // namespace

Outcome RunCommands(const std::vector<Command>& commands, fakeapi::ServerBug bug) {
  Pair pair(bug);
  size_t done = 0;
  for (const Command& command : commands) {
    pair.Do(command);
    ++done;
    if (!pair.difference.empty()) break;
  }
  if (pair.difference.empty()) pair.CheckProperties();
  Outcome outcome;
  if (!pair.difference.empty()) {
    outcome.difference =
        fmt::format("after command {} of {}: {}", done, commands.size(), pair.difference);
  }
  outcome.counts = pair.TakeCounts();
  return outcome;
}

}  // namespace relist::search
