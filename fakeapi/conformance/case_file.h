// Conformance cases as data: text files under cases/, each case the steps against one fresh server.
//
//   for (const Case& one : LoadCases()) RunCase(one);   // case_runner.h
//
//   world seed                            # steps that cases begin with
//     namespaces first second
//     create first/bar as bar
//   case RunTestList/one_namespace SRV-27 in seed
//     list first -> items=bar rv=$bar
//
// What a step may say: README.md beside this. A file that is not of this form is a failed CHECK.
#pragma once

#include <string>
#include <vector>

namespace relist::fakeapi {

struct CaseStep {
  std::string text;   // "list first -> items=bar", without comment and indentation
  std::string where;  // "store_list.txt:12"
};

struct Case {
  std::string name;  // "RunTestList/one_namespace": before the slash the test that it is from
  std::vector<std::string> ids;  // "SRV-27": the catalogue's
  std::vector<CaseStep> steps;   // its world's first
};

// Of a text, and of all files under cases/, by file name.
std::vector<Case> ParseCases(const std::string& text, const std::string& file);
std::vector<Case> LoadCases();

std::string ReadConformanceFile(const std::string& name);
// Words between blanks; `separator`: and parts between those, empty ones left out.
std::vector<std::string> SplitWords(const std::string& text, char separator = ' ');

}  // namespace relist::fakeapi
