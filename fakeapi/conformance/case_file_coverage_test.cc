// README.md and SRV.md beside this name every test and behaviour there is to cover, and only cases
// and tests that are there.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "fakeapi/conformance/case_file.h"

namespace relist::fakeapi {
namespace case_file_coverage_test {

// The cells of a document's table rows, by the first: "| name | ... | last |".
std::map<std::string, std::string> RowsOf(const std::string& document) {
  std::map<std::string, std::string> rows;
  std::stringstream stream(ReadConformanceFile(document));
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("| ")) continue;
    const size_t end = line.find(" |");
    const std::string name = line.substr(2, end - 2);
    if (name == "test") continue;  // a table's head
    const size_t last = line.rfind("| ", line.size() - 3);
    EXPECT_TRUE(rows.emplace(name, line.substr(last + 2, line.size() - last - 4)).second) << name;
  }
  return rows;
}

// "Suite.Name" of each test in the sources of the fake.
std::set<std::string> TestsThere() {
  std::set<std::string> names;
  const std::regex macro(R"(TEST(?:_F|_P)?\((\w+), (\w+)\))");
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(RELIST_SOURCE_DIR "/fakeapi")) {
    if (!entry.path().string().ends_with("_test.cc")) continue;
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    for (std::sregex_iterator at(text.begin(), text.end(), macro), end; at != end; ++at) {
      names.insert((*at)[1].str() + "." + (*at)[2].str());
    }
  }
  return names;
}

// Of a row's text: the tests and cases in backticks that it names, all of which have to be there.
size_t NamedIn(const std::string& text, const std::set<std::string>& there) {
  size_t count = 0;
  const std::regex quoted("`([\\w.]+[./][\\w/]+)`");
  for (std::sregex_iterator at(text.begin(), text.end(), quoted), end; at != end; ++at, ++count) {
    EXPECT_TRUE(there.contains((*at)[1])) << (*at)[1] << " is not there";
  }
  return count;
}

struct Counted {
  std::map<std::string, int> by_test, by_id;
  std::set<std::string> all = TestsThere();  // and cases

  Counted() {
    for (const Case& one : LoadCases()) {
      EXPECT_TRUE(all.insert(one.name).second) << one.name << " is there twice";
      ++by_test[one.name.substr(0, one.name.find('/'))];
      for (const std::string& id : one.ids) ++by_id[id];
    }
  }
};

// A row says how many cases there are, or names tests, or says why there is none.
void CheckRow(const std::string& name, const std::string& text, int cases, const Counted& counted) {
  SCOPED_TRACE(name);
  const size_t named = NamedIn(text, counted.all);
  if (cases > 0) {
    EXPECT_THAT(text, testing::StartsWith(fmt::format("{} case", cases)));
    return;
  }
  const bool has_reason = text.starts_with("not observable: ") || text.starts_with("not done: ") ||
                          text.starts_with("refused");
  EXPECT_TRUE(named > 0 || has_reason) << text;
  EXPECT_FALSE(isdigit(static_cast<unsigned char>(text[0]))) << text;
}

TEST(Coverage, EveryTestOfTheRealServerIsInTheTable) {
  const Counted counted;
  std::map<std::string, std::string> rows = RowsOf("README.md");
  std::set<std::string> names;
  for (const std::string& name : SplitWords(ReadConformanceFile("names.txt"), '\n')) {
    names.insert(name);
    ASSERT_TRUE(rows.contains(name)) << name;
    const auto cases = counted.by_test.find(name);
    CheckRow(name, rows[name], cases == counted.by_test.end() ? 0 : cases->second, counted);
  }
  EXPECT_GE(names.size(), 160u);
  for (const auto& [name, cases] : counted.by_test) EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Coverage, TheGridsAreWhole) {
  const Counted counted;
  for (const auto& [name, cases] :
       {std::pair("RunTestList", 86), std::pair("RunWatchSemantics", 18),
        std::pair("RunTestNamespaceScopedWatch", 17), std::pair("RunTestNamespaceScopedList", 17),
        std::pair("RunTestGetListNonRecursive", 12), std::pair("RunTestGetListRecursivePrefix", 11),
        std::pair("RunTestConsistentList", 4), std::pair("RunTestClusterScopedWatch", 6)}) {
    EXPECT_GE(counted.by_test.at(name), cases) << name;
  }
}

TEST(Coverage, EveryBehaviourIsInTheTable) {
  const Counted counted;
  std::map<std::string, std::string> rows = RowsOf("SRV.md");
  std::set<std::string> ids = {"SRV-24a"};
  for (int i = 1; i <= 40; ++i) ids.insert(fmt::format("SRV-{}", i));
  for (const std::string& id : ids) {
    ASSERT_TRUE(rows.contains(id)) << id;
    const auto cases = counted.by_id.find(id);
    CheckRow(id, rows[id], cases == counted.by_id.end() ? 0 : cases->second, counted);
  }
  for (const auto& [id, cases] : counted.by_id) EXPECT_TRUE(ids.contains(id)) << id;
}

}  // namespace case_file_coverage_test
}  // namespace relist::fakeapi
