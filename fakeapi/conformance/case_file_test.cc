#include "fakeapi/conformance/case_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "core/check.h"

namespace relist::fakeapi {
namespace case_file_test {

constexpr char kFolder[] = RELIST_SOURCE_DIR "/fakeapi/conformance/";

// "case NAME SRV-1 SRV-2 in WORLD"
Case ParseHead(const std::string& text, const std::map<std::string, std::vector<CaseStep>>& worlds,
               const std::string& where) {
  std::vector<std::string> words = SplitWords(text);
  CHECK(words.size() >= 2, "{}", where);
  Case out{.name = words[1]};
  for (size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "in") {
      const auto world = i + 1 < words.size() ? worlds.find(words[i + 1]) : worlds.end();
      CHECK(world != worlds.end(), "{}", where);
      out.steps = world->second;
      break;
    }
    CHECK(words[i].starts_with("SRV-"), "{}", where);
    out.ids.push_back(words[i]);
  }
  CHECK(!out.ids.empty() && out.name.find('/') != std::string::npos, "{}", where);
  return out;
}

}  // namespace case_file_test

std::vector<std::string> SplitWords(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);) {
    if (!word.empty()) out.push_back(word);
  }
  return out;
}

std::vector<Case> ParseCases(const std::string& text, const std::string& file) {
  std::map<std::string, std::vector<CaseStep>> worlds;
  std::vector<Case> cases;
  std::vector<CaseStep>* steps = nullptr;
  std::stringstream stream(text);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    const std::string where = fmt::format("{}:{}", file, ++number);
    if (const size_t comment = line.find('#');
        comment == 0 || (comment != std::string::npos && line[comment - 1] == ' ')) {
      line.erase(comment);
    }
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    line = line.substr(first, line.find_last_not_of(' ') + 1 - first);
    if (first > 0) {
      CHECK(steps != nullptr, "{}", where);
      steps->push_back({line, where});
    } else if (line.starts_with("world ")) {
      const bool is_new = worlds.emplace(line.substr(6), std::vector<CaseStep>()).second;
      CHECK(is_new, "{}", where);
      steps = &worlds[line.substr(6)];
    } else {
      CHECK(line.starts_with("case "), "{}", where);
      cases.push_back(case_file_test::ParseHead(line, worlds, where));
      steps = &cases.back().steps;
    }
  }
  return cases;
}

std::string ReadConformanceFile(const std::string& name) {
  std::ifstream file(case_file_test::kFolder + name, std::ios::binary);
  CHECK(file.good(), "{}", name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Case> LoadCases() {
  std::set<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(case_file_test::kFolder) + "cases")) {
    files.insert(entry.path().filename());
  }
  std::vector<Case> out;
  for (const std::string& file : files) {
    for (Case& one : ParseCases(ReadConformanceFile("cases/" + file), file)) {
      out.push_back(std::move(one));
    }
  }
  return out;
}

namespace case_file_test {

TEST(CaseFile, CasesBeginWithTheStepsOfTheirWorld) {
  const std::vector<Case> cases = ParseCases(
      "# what follows\nworld w\n  namespaces a  # one\n\ncase T/x SRV-1 SRV-2 in w\n  list a\n"
      "case T/y SRV-3\n  bump\n",
      "f");
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].name, "T/x");
  EXPECT_THAT(cases[0].ids, testing::ElementsAre("SRV-1", "SRV-2"));
  ASSERT_EQ(cases[0].steps.size(), 2u);
  EXPECT_EQ(cases[0].steps[0].text, "namespaces a");
  EXPECT_EQ(cases[0].steps[1].text, "list a");
  EXPECT_EQ(cases[0].steps[1].where, "f:6");
  EXPECT_EQ(cases[1].steps.size(), 1u);
}

TEST(CaseFile, WhatIsNoCaseIsRefused) {
  for (const char* text : {"  list a\n", "list a\n", "case T/x\n", "case T SRV-1\n",
                           "case T/x SRV-1 in w\n", "world w\nworld w\n"}) {
    EXPECT_THROW(ParseCases(text, "f"), CheckFailed) << text;
  }
}

}  // namespace case_file_test
}  // namespace relist::fakeapi
