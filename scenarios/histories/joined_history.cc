#include "scenarios/histories/joined_history.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "scenarios/checkers/history_view.h"
#include "scenarios/checkers/wire_view.h"

namespace relist {
namespace {

constexpr char kUnnamed[] = "client";  // whose User-Agent is empty, or a word of ours

Error CannotJoin(std::string message) {
  return Error::Net(Transport::kOther, std::move(message));
}

// A list or a watch of a collection that a server read.
struct Read {
  std::string agent, id;
  bool watch = false, streaming_list = false;
  ScopeSpec scope;
};

std::string TextOf(const ScopeSpec& scope) {
  std::string text = scope.resource;
  if (!scope.ns.empty()) text += " in " + scope.ns;
  if (!scope.labels.empty()) text += " where " + scope.labels;
  if (!scope.fields.empty()) text += " where " + scope.fields;
  return text;
}

std::vector<Read> ReadsIn(const History& server) {
  std::vector<Read> reads;
  for (const HistoryEntry& entry : server.entries()) {
    if (entry.actor() != "server" || entry.what() != "request") continue;
    WireAsk ask = AskOf(entry.Get("method"), entry.Get("target"), entry.Get("accept"));
    if (ask.kind == WireAsk::Kind::kOther || !ask.scope.name.empty()) continue;
    const bool watch = ask.kind == WireAsk::Kind::kWatch;
    reads.push_back({entry.Get("agent"), entry.Get("id"), watch,
                     watch && ask.send_initial_events.value_or(false), std::move(ask.scope)});
  }
  return reads;
}

// Whose log it is: the agent that is named, or the only one there is.
Result<std::string> AgentOf(const NamedLog& log, const std::vector<Read>& reads) {
  std::set<std::string> agents;
  for (const Read& read : reads) agents.insert(read.agent);
  if (agents.empty()) return CannotJoin("nobody listed or watched anything in this history");
  std::vector<std::string> quoted;
  for (const std::string& agent : agents) quoted.push_back("`" + agent + "`");
  const std::string all = fmt::format("{}", fmt::join(quoted, ", "));
  if (log.agent && agents.contains(*log.agent)) return *log.agent;
  if (log.agent)
    return CannotJoin(
        fmt::format("no list or watch came from the User-Agent `{}`: those of this "
                    "history are {}",
                    *log.agent, all));
  if (agents.size() == 1) return *agents.begin();
  return CannotJoin(
      fmt::format("{}: several clients listed or watched, {}: say which of them it "
                  "is, NAME=LOG",
                  log.log.file, all));
}

// The resource of what a log tells of, as far as the history knows; "" if not.
std::string ResourceOf(const ClientLog& log, const History& server) {
  std::unordered_map<std::string_view, const HistoryEntry*> commits;
  for (const HistoryEntry& entry : server.entries()) {
    if (entry.actor() == "server" && entry.what() == "commit") commits[entry.Get("rv")] = &entry;
  }
  for (const HistoryEntry& line : log.lines) {
    const auto commit = commits.find(line.Get("rv"));
    if (line.what() == "callback" && commit != commits.end() &&
        commit->second->Get("key") == line.Get("key"))
      return commit->second->Get("resource");
  }
  return "";
}

// What the program asked for again and again: one log is of one resource.
Result<ScopeSpec> ScopeOfLog(const ClientLog& log, const std::string& agent,
                             const std::vector<Read>& reads, const History& server) {
  std::set<ScopeSpec> scopes;
  for (const Read& read : reads) {
    if (read.agent == agent) scopes.insert(read.scope);
  }
  if (scopes.size() > 1) {
    const std::string resource = ResourceOf(log, server);
    std::erase_if(scopes, [&](const ScopeSpec& scope) {
      return !resource.empty() && scope.resource != resource;
    });
  }
  if (scopes.size() == 1) return *scopes.begin();
  std::vector<std::string> texts;
  for (const ScopeSpec& scope : scopes) texts.push_back(TextOf(scope));
  return CannotJoin(
      fmt::format("{}: `{}` listed or watched several things ({}): a log is of one; "
                  "give each a User-Agent of its own",
                  log.file, agent, fmt::join(texts, ", ")));
}

// One program's part: its requests and lists, by the server's lines, and its own lines.
class Part {
 public:
  Part(std::string actor, const ClientLog& log) : actor_(std::move(actor)), log_(log) {}

  const std::string& actor() const { return actor_; }
  void Takes(const Read& read) { reads_[read.id] = &read; }

  void Begin(const std::string& agent, History* joined) const {
    joined->Add(joined->start(), actor_, "log").Set("file", log_.file).Set("agent", agent);
  }

  // The least that the program's clock is behind the server's.
  void SetClock(const History& server, double rate) {
    rate_ = rate;
    start_ = server.start();
    std::unordered_map<std::string_view, TimePoint> written;
    std::optional<TimePoint> listed;
    for (const HistoryEntry& entry : server.entries()) {
      if (entry.actor() != "server") continue;
      if (entry.what() == "commit") written.emplace(entry.Get("rv"), entry.when());
      const bool answered = entry.what() == "answer" || entry.what() == "open";
      if (answered && !listed && reads_.contains(entry.Get("id"))) listed = entry.when();
    }
    for (const HistoryEntry& line : log_.lines) {
      if (line.what() != "callback" && line.what() != "synced") continue;
      const auto cause = written.find(line.Get("rv"));
      if (cause != written.end()) NotBefore(line, cause->second);
      if (listed) NotBefore(line, *listed);
    }
  }

  // All lines up to `limit`, but for those that have been added.
  void AddUpTo(TimePoint limit, History* joined) {
    for (; next_ < log_.lines.size() && TimeOf(log_.lines[next_]) < limit; ++next_) {
      const HistoryEntry& line = log_.lines[next_];
      HistoryEntry& entry = joined->Add(TimeOf(line), actor_, line.what());
      for (const auto& [key, value] : line.fields()) entry.Set(key, value);
    }
  }

  // What a line of the server says of this program's requests.
  void AddDerived(const HistoryEntry& entry, History* joined) const {
    const auto found = reads_.find(entry.Get("id"));
    if (found == reads_.end()) return;
    const Read& read = *found->second;
    const std::string& what = entry.what();
    const TimePoint when = entry.when();
    if (what == "request") {
      joined->Add(when, actor_, "request")
          .Set("n", read.id)
          .Set("verb", read.watch ? "WATCH" : "LIST")
          .Set("target", entry.Get("target"))
          .Set("id", read.id);
    } else if (what == "answer" || what == "open") {
      HistoryEntry& answer = joined->Add(when, actor_, "answer").Set("n", read.id);
      answer.Set("status", entry.Get("status"));
      const bool is_list = !entry.Get("rv").empty();
      if (is_list) answer.Set("rv", entry.Get("rv")).Set("items", entry.Get("items"));
      if (is_list && !read.watch && entry.Get("continue").empty())
        AddList("list", entry.Get("rv"), when, joined);
    } else if (what == "event" && read.streaming_list && entry.Get("end") == "true") {
      AddList("streaming list", entry.Get("rv"), when, joined);
    }
  }

 private:
  void NotBefore(const HistoryEntry& line, TimePoint earliest) {
    offset_ = std::max(offset_, earliest - start_ - Scaled(line));
  }
  Duration Scaled(const HistoryEntry& line) const {
    const auto since = static_cast<double>((line.when() - kSimulationEpoch).count());
    return Duration(static_cast<Duration::rep>(since * rate_));
  }
  TimePoint TimeOf(const HistoryEntry& line) const { return start_ + offset_ + Scaled(line); }
  void AddList(const char* why, const std::string& rv, TimePoint when, History* joined) const {
    joined->Add(when, actor_, "relist").Set("why", why);
    joined->Add(when, actor_, "position").Set("rv", rv);
  }

  const std::string actor_;
  const ClientLog& log_;
  std::unordered_map<std::string, const Read*> reads_;  // by id
  TimePoint start_;
  Duration offset_{};  // from the server's start to the program's
  double rate_ = 1;
  size_t next_ = 0;
};

double RateIn(const History& server) {
  for (const HistoryEntry& entry : server.entries()) {
    if (entry.actor() == "server" && entry.what() == "history") return RateOf(entry);
  }
  return 1;
}

// A name that is not taken in the history, for the one who speaks there.
Result<std::string> ActorFor(const std::string& agent, std::set<std::string>* taken) {
  const bool nameless = agent.empty() || agent == "server" || agent == "run";
  std::string actor = nameless ? kUnnamed : agent;
  if (taken->insert(actor).second) return actor;
  return CannotJoin(
      fmt::format("the history has lines of `{}` already: one log for each client, "
                  "and none for one whose lines are there",
                  actor));
}

}  // namespace

Result<History> JoinHistory(const History* server, const std::vector<NamedLog>& logs) {
  const History nothing;
  const History& theirs = server ? *server : nothing;
  History joined(theirs.start());
  std::set<std::string> taken = {"server", "run"};
  for (const HistoryEntry& entry : theirs.entries()) taken.insert(entry.actor());
  const std::vector<Read> reads = ReadsIn(theirs);
  std::vector<Part> parts;
  for (const NamedLog& log : logs) {
    Result<std::string> agent = log.agent.value_or("");
    Result<ScopeSpec> scope = ScopeSpec();
    if (server) agent = AgentOf(log, reads);
    if (!agent.ok()) return agent.error();
    if (server) scope = ScopeOfLog(log.log, *agent, reads, theirs);
    if (!scope.ok()) return scope.error();
    const Result<std::string> actor = ActorFor(*agent, &taken);
    if (!actor.ok()) return actor.error();
    Part& part = parts.emplace_back(*actor, log.log);
    for (const Read& read : reads) {
      if (read.agent == *agent && read.scope == *scope) part.Takes(read);
    }
    part.SetClock(theirs, RateIn(theirs));
    part.Begin(*agent, &joined);
  }
  for (const HistoryEntry& entry : theirs.entries()) {
    for (Part& part : parts) part.AddUpTo(entry.when(), &joined);
    joined.AddCopy(entry.when(), entry);
    if (entry.actor() != "server") continue;
    for (const Part& part : parts) part.AddDerived(entry, &joined);
  }
  for (Part& part : parts) part.AddUpTo(kNever, &joined);
  return joined;
}

}  // namespace relist
