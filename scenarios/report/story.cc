#include "scenarios/report/story.h"

#include <fmt/core.h>

#include <algorithm>

#include "scenarios/histories/timeline.h"
#include "scenarios/report/findings.h"
#include "scenarios/report/html.h"
#include "scenarios/report/lane_table.h"
#include "scenarios/report/lanes.h"

namespace relist::report {
namespace {

constexpr size_t kRecordedMost = 2000;  // characters of a line that carries a whole object

const char* ClassOfKind(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::kExpected:
    case Finding::Kind::kExcused:
      return "note";
    case Finding::Kind::kProblem:
      return "warn";
    default:
      return "bad";
  }
}

const char* WhatTheLinesAre(const Finding& finding) {
  if (finding.kind == Finding::Kind::kExpectation) return "What was seen instead";
  return finding.lines.size() == 1 ? "Where it shows" : "The lines that clash";
}

class StoryWriter {
 public:
  StoryWriter(const Subject& subject, size_t number)
      : subject_(subject), number_(number), findings_(subject), lanes_(LanesOf(subject.history)) {}

  Story Write() {
    if (findings_.InBrief().empty()) html_ += fmt::format("<p>{}</p>\n", EscapeHtml(subject_.good));
    for (size_t i = 0; i < findings_.all().size(); ++i) WriteFinding(i);
    if (findings_.more() > 0)
      html_ += fmt::format("<p>And {} more, which the same command tells.</p>\n", findings_.more());
    for (const std::string& note : subject_.notes)
      html_ += fmt::format("<p>{}</p>\n", EscapeHtml(note));
    if (findings_.all().empty()) WriteAgain("Run it again");
    for (size_t i = 0; i < lanes_.size(); ++i) {
      if (lanes_[i].rows.empty()) continue;  // it never began
      AppendLaneTable(&html_, subject_.history, lanes_[i], findings_, {number_, i + 1});
    }
    return {findings_.InBrief(), std::move(html_)};
  }

 private:
  void WriteFinding(size_t at) {
    const Finding& finding = findings_.all()[at];
    const std::string anchor = AnchorOfFinding(number_, at);
    html_ += fmt::format(
        "<article class=\"finding {}\" id=\"{}\" aria-labelledby=\"{}-h\">\n<h3 id=\"{}-h\"><span "
        "class=\"prop\">{}</span> {}</h3>\n<p>{}</p>\n",
        ClassOfKind(finding.kind), anchor, anchor, anchor, EscapeHtml(finding.title),
        EscapeHtml(finding.sentence), EscapeHtml(finding.meaning));
    if (!finding.details.empty())
      html_ += fmt::format("<pre>{}</pre>\n", EscapeHtml(finding.details));
    if (!finding.lines.empty()) {
      html_ += fmt::format("<p>{}:</p>\n<ol class=\"clash\">\n", WhatTheLinesAre(finding));
      for (size_t i = 0; i < finding.lines.size(); ++i)
        WriteClash(*finding.lines[i], {at, i}, TableOf(finding, *finding.lines[i]));
      html_ += "</ol>\n";
    }
    WriteAgain("See it again");
    html_ += "</article>\n";
  }

  void WriteAgain(const char* what) {
    html_ += fmt::format("<p class=\"again\">{}: <code>{}</code></p>\n", what,
                         EscapeHtml(subject_.again));
  }

  // The lanes that a line of a finding is lit in: its client's, if they hold it.
  size_t TableOf(const Finding& finding, const HistoryEntry& line) const {
    size_t first = 0;
    for (size_t i = lanes_.size(); i > 0; --i) {
      if (!Holds(lanes_[i - 1], line)) continue;
      first = i;
      if (IsOf(finding, lanes_[i - 1].client)) return i;
    }
    return first;
  }

  static bool IsOf(const Finding& finding, const std::string& client) {
    return std::any_of(
        finding.lines.begin(), finding.lines.end(), [&client](const HistoryEntry* line) {
          return (line->actor() == "run" ? line->Get("client") : line->actor()) == client;
        });
  }

  static bool Holds(const SwimLanes& lanes, const HistoryEntry& line) {
    for (const LaneRow& row : lanes.rows) {
      for (const LaneEntry& entry : row.entries) {
        if (std::find(entry.lines.begin(), entry.lines.end(), &line) != entry.lines.end())
          return true;
      }
    }
    return false;
  }

  void WriteClash(const HistoryEntry& line, const Mark& mark, size_t table) {
    std::string recorded = subject_.history.LineOf(line);
    if (recorded.size() > kRecordedMost) recorded = recorded.substr(0, kRecordedMost) + " ...";
    html_ += fmt::format(
        "<li><a href=\"#{}\">{} s, {}: {}</a><details><summary>as recorded</summary>"
        "<code>{}</code></details></li>\n",
        AnchorOf({number_, table}, mark), FormatSeconds(line.when() - subject_.history.start()),
        EscapeHtml(line.actor()), EscapeHtml(DescribeEntry(line)), EscapeHtml(recorded));
  }

  const Subject& subject_;
  const size_t number_;
  const Findings findings_;
  const std::vector<SwimLanes> lanes_;
  std::string html_;
};

}  // namespace

Story Tell(const Subject& subject, size_t number) {
  return StoryWriter(subject, number).Write();
}

}  // namespace relist::report
