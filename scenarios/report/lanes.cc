#include "scenarios/report/lanes.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "scenarios/histories/timeline.h"
#include "scenarios/report/owners.h"

namespace relist::report {
namespace {

using Tone = LaneEntry::Tone;

constexpr Duration kRowLength = Millis(5);
constexpr size_t kShownObjects = 4;  // of a store, by name

// What the timeline says, without the sign in front.
std::string WordsOf(const HistoryEntry& line) {
  const std::string text = DescribeEntry(line);
  return text.substr(std::min<size_t>(text.size(), 2));
}

// "#2 WATCH configmaps in default": the wire's lane has the rest.
std::string ShortRequest(const HistoryEntry& line) {
  const std::string words = WordsOf(line);
  const std::string text = words.substr(0, words.find(": "));
  const std::string& replica = line.Get("replica");
  return replica.empty() ? text : fmt::format("replica {}: {}", replica, text);
}

bool IsRefusal(const HistoryEntry& answer) {
  const std::string& status = answer.Get("status");
  return status.empty() || status[0] >= '4';
}

Tone ToneOfChange(const std::string& type) {
  if (type == "ADDED" || type == "added") return Tone::kAdded;
  return type == "DELETED" || type == "deleted" ? Tone::kDeleted : Tone::kChanged;
}

Tone ToneOfLine(const HistoryEntry& event) {
  const std::string& type = event.Get("type");
  if (type == "ERROR") return Tone::kError;
  return type == "BOOKMARK" ? Tone::kBookmark : Tone::kEvent;
}

LaneEntry FromServer(const HistoryEntry& line) {
  const std::string& what = line.what();
  const auto entry = [&line](Lane lane, Tone tone) {
    return LaneEntry{lane, tone, WordsOf(line), {&line}};
  };
  if (what == "commit") return entry(Lane::kTruth, ToneOfChange(line.Get("type")));
  if (what == "request") return {Lane::kReplica, Tone::kRequest, ShortRequest(line), {&line}};
  if (what == "answer")
    return entry(Lane::kReplica, IsRefusal(line) ? Tone::kError : Tone::kAnswer);
  if (what == "open" || what == "end") return entry(Lane::kReplica, Tone::kAnswer);
  if (what == "event") return entry(Lane::kWire, ToneOfLine(line));
  if (what == "fault") return entry(Lane::kWire, Tone::kFault);
  return entry(Lane::kReplica, what == "control" ? Tone::kStep : Tone::kPlain);
}

LaneEntry FromClient(const HistoryEntry& line) {
  const std::string& what = line.what();
  const auto entry = [&line](Lane lane, Tone tone) {
    return LaneEntry{lane, tone, WordsOf(line), {&line}};
  };
  if (what == "request") return entry(Lane::kWire, Tone::kRequest);
  if (what == "answer") return entry(Lane::kWire, IsRefusal(line) ? Tone::kError : Tone::kAnswer);
  if (what == "callback") {
    const std::string& type = line.Get("type");
    return {Lane::kHandlers, ToneOfChange(type), type + " " + WordsOf(line), {&line}};
  }
  if (what == "synced")
    return entry(line.Get("handler").empty() ? Lane::kReflector : Lane::kHandlers, Tone::kPlain);
  if (what == "store" || what == "dump") return entry(Lane::kStore, Tone::kPlain);
  if (what == "backoff") return entry(Lane::kReflector, Tone::kPhase);
  return entry(Lane::kReflector, what == "error" ? Tone::kError : Tone::kPlain);
}

// The lanes of one client, line by line.
class LaneBuilder {
 public:
  LaneBuilder(const History& history, const Owners& owners, std::string client)
      : owners_(owners), state_(history, client) {
    lanes_.client = std::move(client);
    for (const HistoryEntry& line : history.entries()) Add(line);
    EndRow();
  }

  SwimLanes Take() { return std::move(lanes_); }

 private:
  void Add(const HistoryEntry& line) {
    const bool from_start = !asked_ && line.what() == "commit" && line.Get("type") == "ADDED";
    asked_ = asked_ || line.what() == "request";
    const std::string& owner = owners_.Of(line);
    if (!owner.empty() && owner != lanes_.client) return;
    if (line.actor() == "run") return AddAcross(line);
    const bool server = line.actor() == "server";
    LaneEntry entry = server ? FromServer(line) : FromClient(line);
    if (!row_ || StartsRow(line, entry)) StartRow(line.when());
    if (from_start) return AddFromStart(line);
    if (!server) AddState(line);
    if (!Joins(&entry)) row_->entries.push_back(std::move(entry));
  }

  void AddAcross(const HistoryEntry& line) {
    EndRow();
    const std::string text = DescribeEntry(line);  // between dashes
    const size_t begin = text.find_first_not_of("- ");
    const size_t end = text.find_last_not_of("- ");
    const std::string words =
        begin == std::string::npos ? text : text.substr(begin, end + 1 - begin);
    lanes_.rows.push_back({line.when(),
                           {{Lane::kTruth, Tone::kPlain, words, {&line}}},
                           state_.phase(),
                           /*across=*/true});
  }

  bool StartsRow(const HistoryEntry& line, const LaneEntry& entry) const {
    if (line.when() - row_->when > kRowLength) return true;
    if (line.actor() != "server" && line.what() == "request") return !row_->entries.empty();
    // What comes first in a row is on its left.
    const bool cause = entry.lane == Lane::kTruth || entry.tone == Tone::kStep;
    return cause && std::any_of(row_->entries.begin(), row_->entries.end(),
                                [](const LaneEntry& other) { return other.lane > Lane::kReplica; });
  }

  void StartRow(TimePoint when) {
    EndRow();
    row_.emplace().when = when;
    waiting_before_ = waiting_most_ = state_.waiting();
    store_changed_ = false;
    namespaces_at_ = SIZE_MAX;
  }

  // Queue and store are looked at when the row is over.
  void EndRow() {
    if (!row_) return;
    const size_t waiting = state_.waiting();
    if (waiting_most_ > waiting_before_ || waiting != waiting_before_) {
      std::string text = fmt::format("{} → ", waiting_before_);
      if (waiting_most_ > std::max(waiting_before_, waiting))
        text += fmt::format("{} → ", waiting_most_);
      row_->entries.push_back({Lane::kQueue, Tone::kPlain, text + std::to_string(waiting), {}});
    }
    if (store_changed_) row_->entries.push_back({Lane::kStore, Tone::kPlain, StoreText(), {}});
    row_->phase = state_.phase();
    lanes_.rows.push_back(std::move(*row_));
    row_.reset();
  }

  void AddState(const HistoryEntry& line) {
    const Phase before = state_.phase();
    state_.Take(line);
    waiting_most_ = std::max(waiting_most_, state_.waiting());
    store_changed_ = store_changed_ || line.what() == "callback" || line.what() == "stopped";
    // The lines of a back-off and of an end say it themselves.
    const bool told = state_.phase() == Phase::kWaits || state_.phase() == Phase::kStops;
    if (state_.phase() != before && state_.phase() != Phase::kNone && !told)
      row_->entries.push_back({Lane::kReflector, Tone::kPhase, Name(state_.phase()), {}});
  }

  void AddFromStart(const HistoryEntry& line) {
    const bool ns = line.Get("resource") == "namespaces";
    if (ns && namespaces_at_ != SIZE_MAX) {
      LaneEntry& all = row_->entries[namespaces_at_];
      all.lines.push_back(&line);
      all.text = fmt::format("{} namespaces are there from the start", all.lines.size());
      return;
    }
    if (ns) namespaces_at_ = row_->entries.size();
    row_->entries.push_back({Lane::kTruth,
                             Tone::kPlain,
                             fmt::format("{} {} is there from the start, at {}",
                                         line.Get("resource"), line.Get("key"), line.Get("rv")),
                             {&line}});
  }

  // Positions in a row are one entry, and so is a store as it was read.
  bool Joins(LaneEntry* entry) {
    LaneEntry* before = nullptr;
    for (LaneEntry& other : row_->entries) {
      if (other.lane == entry->lane) before = &other;
    }
    if (!before || before->lines.empty()) return false;
    const std::string& what = entry->lines[0]->what();
    const std::string& first = before->lines[0]->what();
    if (what == "position" && first == "position") {
      before->text = fmt::format("is at {}, then at {}", before->lines[0]->Get("rv"),
                                 entry->lines[0]->Get("rv"));
    } else if (what == "store" && (first == "dump" || first == "store")) {
      const size_t shown = before->lines.size() - (first == "dump" ? 1 : 0);
      if (shown < kShownObjects)
        before->text += fmt::format("{} {} at {}", shown == 0 ? "" : ",",
                                    entry->lines[0]->Get("key"), entry->lines[0]->Get("rv"));
      else if (shown == kShownObjects)
        before->text += ", and more";
    } else {
      return false;
    }
    before->lines.push_back(entry->lines[0]);
    return true;
  }

  std::string StoreText() const {
    const auto& store = state_.store();
    if (store.empty()) return "empty";
    if (store.size() > kShownObjects) return fmt::format("{} objects", store.size());
    std::string text;
    for (const auto& [key, rv] : store)
      text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", key, rv);
    return text;
  }

  const Owners& owners_;
  LaneState state_;
  SwimLanes lanes_;
  std::optional<LaneRow> row_;
  bool asked_ = false, store_changed_ = false;
  size_t waiting_before_ = 0, waiting_most_ = 0;
  size_t namespaces_at_ = SIZE_MAX;  // their entry in the row
};

}  // namespace

std::vector<SwimLanes> LanesOf(const History& history) {
  const Owners owners(history);
  std::vector<std::string> names = owners.names();
  if (names.empty()) names.emplace_back();
  std::vector<SwimLanes> all;
  for (const std::string& name : names) all.push_back(LaneBuilder(history, owners, name).Take());
  return all;
}

}  // namespace relist::report
