// What the readers of a scenario asked for, whatever became of it: for language.h.
#pragma once

#include <string>

#include "scenarios/script/yaml_notes.h"

namespace relist {

void NoteScenario(const std::string& text, YamlNotes* notes);

}  // namespace relist
