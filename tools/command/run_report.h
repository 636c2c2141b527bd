// What a run of scenarios came to, or the check of recorded files, in files: a page for people, and
// for machines JSON, and JUnit XML as CI servers read it.
//
//   std::vector<ScenarioVerdict> verdicts;
//   WriteReport("report.xml", verdicts);
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "scenarios/report/story.h"

namespace relist::command {

struct ScenarioVerdict {
  std::string scenario;              // its name
  std::string about;                 // its own words
  std::vector<std::string> reports;  // URLs of what it is about
  std::string file;
  std::string world;  // "sim", "http"; "recorded" of what was not run
  int exit_status = 0;
  std::string skipped;  // why it was not run; empty: it was
  std::string report;   // for people
  std::string again;    // the command that runs it once more
  std::string history_hash;
  double seconds = 0;   // real ones
  report::Story story;  // for the page; told where one is wanted
};

// Asked before the work is done: an Error for an ending other than .html, .json and .xml, or
// where a file cannot be written, is one of those to `read` (the report would take its place), or
// is given twice. All endings are looked at before anything is opened; no file changes.
Result<void> CheckReportPaths(const std::vector<std::string>& paths,
                              const std::vector<std::string>& read);
// Whether one of them is a page, for which stories must be told.
bool WantStories(const std::vector<std::string>& paths);
// The ending says the format. What lay there stays until the report is whole.
Result<void> WriteReport(const std::string& path, const std::vector<ScenarioVerdict>& verdicts);

// Without the seconds: what happened decides its bytes, and nothing else.
std::string HtmlReport(const std::vector<ScenarioVerdict>& verdicts);
std::string JsonReport(const std::vector<ScenarioVerdict>& verdicts);
std::string JunitReport(const std::vector<ScenarioVerdict>& verdicts);

}  // namespace relist::command
