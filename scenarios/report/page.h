// What a run of scenarios came to, as a page for people: one file that asks nothing of a network.
//
//   std::vector<PageSection> sections;
//   const Story story = Tell(SubjectOf(scenario, result), 1);
//   sections.push_back({.name = scenario.name, ..., .story = story});
//   WriteTextFile("report.html", Page(sections));
//
// An index on top, what the lanes mean, then a section for each scenario: what is broken, with the
// lines that clash and the command that shows it again, and the lanes (lanes.h), in which those
// lines are lit. No script; light and dark; from 390 px on nothing is wider than the screen. All
// that comes from a scenario or from the wire is text. The same histories give the same bytes.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "scenarios/report/story.h"

namespace relist::report {

struct PageSection {
  std::string name, file, world;
  std::string about;                 // the scenario's own words
  std::vector<std::string> reports;  // URLs of what it is about
  std::string verdict;               // "good", "safety broken" ...
  enum class Outcome { kGood, kBad, kNotRun } outcome = Outcome::kGood;
  std::string text;   // instead of a story: why there is none
  std::string again;  // the command that runs it once more
  Story story;
};
std::string Page(const std::vector<PageSection>& sections);

}  // namespace relist::report
