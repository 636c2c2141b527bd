#include "scenarios/report/lane_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "scenarios/histories/timeline.h"
#include "scenarios/report/folding.h"
#include "scenarios/report/html.h"

namespace relist::report {
namespace {

using Tone = LaneEntry::Tone;

constexpr size_t kCellMost = 8;    // entries of a cell; beyond, those in the middle are folded
constexpr size_t kCellEnds = 3;    // of them, at each end
constexpr size_t kFoldMost = 100;  // lines that a fold holds
constexpr Duration kTellGap = Seconds(1);

constexpr std::array<Lane, kLaneCount> kAllLanes = {Lane::kTruth,     Lane::kReplica, Lane::kWire,
                                                    Lane::kReflector, Lane::kQueue,   Lane::kStore,
                                                    Lane::kHandlers};

std::string_view ClassOf(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      break;
    case Tone::kAdded:
      return " add";
    case Tone::kChanged:
      return " chg";
    case Tone::kDeleted:
      return " del";
    case Tone::kRequest:
      return " req";
    case Tone::kAnswer:
      return " ans";
    case Tone::kEvent:
      return " ev";
    case Tone::kBookmark:
      return " ev bm";
    case Tone::kFault:
      return " flt";
    case Tone::kError:
      return " err";
    case Tone::kStep:
      return " stp";
    case Tone::kPhase:
      return " ph";
  }
  return "";
}

std::string_view ClassOf(Phase phase) {
  switch (phase) {
    case Phase::kNone:
    case Phase::kStops:
      break;
    case Phase::kLists:
    case Phase::kStreams:
      return " class=\"p-list\"";
    case Phase::kWatches:
      return " class=\"p-watch\"";
    case Phase::kWaits:
      return " class=\"p-wait\"";
  }
  return "";
}

// Said in words, too: a colour alone tells not everybody.
std::string_view WordBefore(Tone tone) {
  if (tone == Tone::kFault) return "<b>fault</b> ";
  return tone == Tone::kError ? "<b>error</b> " : "";
}

// A line that is alone needs no number.
std::string PlaceAmong(const Finding& finding, const Mark& mark) {
  return finding.lines.size() > 1 ? fmt::format(" · line {}", mark.line + 1) : "";
}

class TableWriter {
 public:
  TableWriter(std::string* html, const History& history, const SwimLanes& lanes,
              const Findings& findings, const TablePlace& place)
      : html_(*html), history_(history), lanes_(lanes), findings_(findings), place_(place) {}

  void Write() {
    html_ += fmt::format(
        "<div class=\"lanes\" role=\"region\" tabindex=\"0\" aria-label=\"lanes of {0}\">\n"
        "<table>\n<caption>What <b>{0}</b> saw, and what was there to see</caption>\n"
        "<colgroup><col class=\"c-t\">",
        EscapeHtml(lanes_.client.empty() ? "nobody" : lanes_.client));
    for (size_t i = 0; i < kLaneCount; ++i) html_ += fmt::format("<col class=\"c-{}\">", i);
    html_ += "</colgroup>\n<thead><tr><th scope=\"col\">Seconds</th>";
    for (const Lane lane : kAllLanes)
      html_ += fmt::format("<th scope=\"col\">{}</th>", TitleOf(lane));
    html_ += "</tr></thead>\n<tbody>\n";
    const auto is_lit = [this](const HistoryEntry& line) {
      return !findings_.MarksOf(line).empty();
    };
    for (const LaneBlock& block : Fold(lanes_.rows, is_lit)) {
      if (!block.folded.empty()) {
        WriteFold(block);
        continue;
      }
      for (size_t i = block.begin; i < block.end; ++i) WriteRow(i);
    }
    html_ += "</tbody>\n</table>\n</div>\n";
  }

 private:
  std::string Seconds(TimePoint when) const { return FormatSeconds(when - history_.start()); }

  void WriteTime(size_t at) {
    const LaneRow& row = lanes_.rows[at];
    html_ += fmt::format("<th scope=\"row\">{}", Seconds(row.when));
    const Duration gap = at == 0 ? Duration{} : row.when - lanes_.rows[at - 1].when;
    if (gap >= kTellGap) html_ += fmt::format("<small>{} later</small>", RoughLength(gap));
    html_ += "</th>";
  }

  void WriteRow(size_t at) {
    const LaneRow& row = lanes_.rows[at];
    if (row.across) {
      html_ += "<tr class=\"run\">";
      WriteTime(at);
      html_ += fmt::format("<td colspan=\"{}\">", kLaneCount);
      for (const LaneEntry& entry : row.entries) WriteEntry(entry, row.when);
      html_ += "</td></tr>\n";
      return;
    }
    html_ += fmt::format("<tr{}>", ClassOf(row.phase));
    WriteTime(at);
    for (const Lane lane : kAllLanes) {
      std::vector<const LaneEntry*> entries;
      for (const LaneEntry& entry : row.entries) {
        if (entry.lane == lane) entries.push_back(&entry);
      }
      html_ += fmt::format("<td data-l=\"{}\">", TitleOf(lane));
      WriteCell(entries, row.when);
      html_ += "</td>";
    }
    html_ += "</tr>\n";
  }

  void WriteCell(const std::vector<const LaneEntry*>& entries, TimePoint when) {
    size_t hidden = 0;
    for (size_t i = 0; i < entries.size(); ++i) {
      const bool middle = entries.size() > kCellMost && i >= kCellEnds &&
                          i < entries.size() - kCellEnds && !IsLit(*entries[i]);
      if (middle) {
        ++hidden;
        continue;
      }
      WriteHidden(&hidden);
      WriteEntry(*entries[i], when);
    }
  }

  void WriteHidden(size_t* hidden) {
    if (*hidden > 0) html_ += fmt::format("<div class=\"more\">{} more like these</div>", *hidden);
    *hidden = 0;
  }

  bool IsLit(const LaneEntry& entry) const {
    return std::any_of(entry.lines.begin(), entry.lines.end(), [this](const HistoryEntry* line) {
      return !findings_.MarksOf(*line).empty();
    });
  }

  void WriteEntry(const LaneEntry& entry, TimePoint row) {
    std::string marks;
    bool counts = false;
    for (const HistoryEntry* line : entry.lines) {
      for (const Mark& mark : findings_.MarksOf(*line)) {
        const Finding& finding = findings_.all()[mark.finding];
        counts = counts || finding.kind == Finding::Kind::kBroken ||
                 finding.kind == Finding::Kind::kExpectation;
        marks += fmt::format("<a class=\"mark\" id=\"{}\" href=\"#{}\">{}{}</a> ",
                             AnchorOf(place_, mark), AnchorOfFinding(place_.section, mark.finding),
                             EscapeHtml(finding.mark), PlaceAmong(finding, mark));
      }
    }
    html_ += fmt::format("<div class=\"e{}{}\"", ClassOf(entry.tone),
                         marks.empty() ? ""
                         : counts      ? " lit"
                                       : " noted");
    if (!entry.lines.empty() && entry.lines[0]->when() != row)
      html_ += fmt::format(" title=\"at {} s\"", Seconds(entry.lines[0]->when()));
    html_ += fmt::format(">{}{}{}</div>", marks, WordBefore(entry.tone), EscapeHtml(entry.text));
  }

  void WriteFold(const LaneBlock& block) {
    html_ += fmt::format(
        "<tr class=\"fold\"><th scope=\"row\">{}</th><td colspan=\"{}\"><details><summary>{}"
        "</summary><ol>",
        Seconds(lanes_.rows[block.begin].when), kLaneCount, EscapeHtml(block.folded));
    size_t lines = 0;
    for (size_t i = block.begin; i < block.end; ++i) {
      for (const LaneEntry& entry : lanes_.rows[i].entries) {
        for (const HistoryEntry* line : entry.lines) {
          if (++lines > kFoldMost) continue;
          html_ += fmt::format("<li>{} {}: {}</li>", Seconds(line->when()),
                               EscapeHtml(line->actor()), EscapeHtml(DescribeEntry(*line)));
        }
      }
    }
    if (lines > kFoldMost)
      html_ += fmt::format("<li>and {} lines more, which <code>relist replay</code> shows</li>",
                           lines - kFoldMost);
    html_ += "</ol></details></td></tr>\n";
  }

  std::string& html_;
  const History& history_;
  const SwimLanes& lanes_;
  const Findings& findings_;
  const TablePlace place_;
};

}  // namespace

const char* TitleOf(Lane lane) {
  constexpr std::array<const char*, kLaneCount> kTitles = {
      "Truth", "Replica", "Wire", "Reflector", "Queue", "Store", "Handlers"};
  return kTitles[static_cast<size_t>(lane)];
}

std::string AnchorOf(const TablePlace& place, const Mark& mark) {
  return fmt::format("s{}t{}f{}l{}", place.section, place.table, mark.finding + 1, mark.line + 1);
}

std::string AnchorOfFinding(size_t section, size_t finding) {
  return fmt::format("s{}f{}", section, finding + 1);
}

void AppendLaneTable(std::string* html, const History& history, const SwimLanes& lanes,
                     const Findings& findings, const TablePlace& place) {
  TableWriter(html, history, lanes, findings, place).Write();
}

}  // namespace relist::report
