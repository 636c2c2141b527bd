#include "tools/command/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/wire/json_text.h"
#include "scenarios/report/page.h"
#include "tools/command/text_file.h"

namespace relist::command {
namespace {

// What a run tells can hold half of a character, where a body was cut.
std::string EscapeXml(const std::string& text) {
  std::string out;
  for (const char c : MendUtf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // XML 1.0 has no other control characters, not even escaped.
        out += static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t' ? c : '?';
    }
  }
  return out;
}

const char* VerdictWord(const ScenarioVerdict& verdict) {
  if (!verdict.skipped.empty()) return "skipped";
  constexpr const char* kWords[] = {"good", "not run as written", "safety broken",
                                    "liveness broken"};
  return kWords[std::clamp(verdict.exit_status, 0, 3)];
}

report::PageSection SectionOf(const ScenarioVerdict& verdict) {
  using Outcome = report::PageSection::Outcome;
  report::PageSection section;
  section.name = verdict.scenario;
  section.file = verdict.file;
  section.world = verdict.world;
  section.about = verdict.about;
  section.reports = verdict.reports;
  section.verdict = VerdictWord(verdict);
  section.outcome = !verdict.skipped.empty()   ? Outcome::kNotRun
                    : verdict.exit_status == 0 ? Outcome::kGood
                                               : Outcome::kBad;
  if (verdict.story.html.empty()) section.text = verdict.report;
  section.story = verdict.story;
  return section;
}

Result<void> CheckIsOnlyReport(const std::vector<std::string>& paths, size_t index,
                               const std::vector<std::string>& read) {
  const std::string& path = paths[index];
  for (const std::string& file : read) {
    if (!IsSameFile(path, file)) continue;
    return Error::Net(
        Transport::kOther,
        fmt::format("--report {}: this is a file that is to be read: the report would take its "
                    "place",
                    path));
  }
  for (size_t i = 0; i < index; ++i) {
    if (!IsSameFile(path, paths[i])) continue;
    return Error::Net(Transport::kOther,
                      path == paths[i]
                          ? fmt::format("--report {} is given twice; once is right", path)
                          : fmt::format("--report {} and --report {} are the same file: once is "
                                        "right",
                                        paths[i], path));
  }
  return {};
}

}  // namespace

std::string HtmlReport(const std::vector<ScenarioVerdict>& verdicts) {
  std::vector<report::PageSection> sections;
  for (const ScenarioVerdict& verdict : verdicts) sections.push_back(SectionOf(verdict));
  return report::Page(sections);
}

std::string JsonReport(const std::vector<ScenarioVerdict>& verdicts) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const ScenarioVerdict& verdict : verdicts) {
    Json one = {{"scenario", verdict.scenario},
                {"file", verdict.file},
                {"world", verdict.world},
                {"verdict", VerdictWord(verdict)},
                {"exitStatus", verdict.exit_status},
                {"seconds", verdict.seconds},
                {"report", verdict.report}};
    if (!verdict.reports.empty()) one["reports"] = verdict.reports;
    if (!verdict.skipped.empty()) one["skipped"] = verdict.skipped;
    if (!verdict.again.empty()) one["again"] = verdict.again;
    if (!verdict.history_hash.empty()) one["historyHash"] = verdict.history_hash;
    all.push_back(one);
  }
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string JunitReport(const std::vector<ScenarioVerdict>& verdicts) {
  size_t failures = 0, errors = 0, skipped = 0;
  std::string cases;
  for (const ScenarioVerdict& verdict : verdicts) {
    cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n",
                         EscapeXml(verdict.world), EscapeXml(verdict.scenario), verdict.seconds);
    if (!verdict.skipped.empty()) {
      ++skipped;
      cases += fmt::format("    <skipped message=\"{}\"/>\n", EscapeXml(verdict.skipped));
    } else if (verdict.exit_status != 0) {
      const bool error = verdict.exit_status == 1;
      ++(error ? errors : failures);
      cases += fmt::format("    <{0} message=\"{1}\">{2}</{0}>\n", error ? "error" : "failure",
                           VerdictWord(verdict), EscapeXml(verdict.report));
    }
    cases += "  </testcase>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"relist\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n"
      "{}</testsuite>\n",
      verdicts.size(), failures, errors, skipped, cases);
}

Result<void> CheckReportPaths(const std::vector<std::string>& paths,
                              const std::vector<std::string>& read) {
  for (const std::string& path : paths) {
    if (path.ends_with(".html") || path.ends_with(".json") || path.ends_with(".xml")) continue;
    return Error::Net(
        Transport::kOther,
        fmt::format("no report can be written as {}: .html, .json and .xml (JUnit) are there",
                    path));
  }
  for (size_t i = 0; i < paths.size(); ++i) {
    const Result<void> alone = CheckIsOnlyReport(paths, i, read);
    if (!alone.ok()) return alone.error();
  }
  for (const std::string& path : paths) {
    const Result<void> writable = CheckWritable(path);
    if (!writable.ok()) return writable.error();
  }
  return {};
}

bool WantStories(const std::vector<std::string>& paths) {
  return std::any_of(paths.begin(), paths.end(),
                     [](const std::string& path) { return path.ends_with(".html"); });
}

Result<void> WriteReport(const std::string& path, const std::vector<ScenarioVerdict>& verdicts) {
  if (path.ends_with(".html")) return WriteTextFile(path, HtmlReport(verdicts));
  return WriteTextFile(path,
                       path.ends_with(".json") ? JsonReport(verdicts) : JunitReport(verdicts));
}

}  // namespace relist::command
