// Whether what a scenario names is there, and fits: clients and their handlers, objects, what steps
// do to them, moments that steps wait for, and what is expected.
//
//   JudgeWorld(&scenario, &problems);
//
// For scenario_judge.cc, which judges the rest: lengths, bounds, requests.
#pragma once

#include <string>

#include "scenarios/script/scenario.h"

namespace relist {

class YamlProblems;

// Where only one client can be meant its name is filled in. Lengths have been judged.
void JudgeWorld(Scenario* scenario, YamlProblems* problems);

// "no resource is called "pod5" (did you mean "pods"?) ..."; "" if one is.
std::string FlawInResource(const std::string& resource);
// "no client is called "x"; there is a, b"; "" if one is.
std::string FlawInClient(const Scenario& scenario, const std::string& name);

}  // namespace relist
