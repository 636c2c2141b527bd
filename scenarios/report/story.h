// One scenario's part of a page: what is broken, with the lines that clash and the command that
// shows it again, then the lanes of each client.
//
//   const Story story = Tell(SubjectOf(scenario, result), 1);
//   story.brief;   // "C3 and 1 expectation"
//
// The history is not needed any more once it is told. All that comes from it is text. Pure.
#pragma once

#include <string>

#include "scenarios/report/subject.h"

namespace relist::report {

struct Story {
  std::string brief;  // what is wrong, in a few words; "" where nothing is
  std::string html;   // empty: it was not told
};
// `number` is that of the section in its page, from 1; anchors are made of it.
Story Tell(const Subject& subject, size_t number);

}  // namespace relist::report
