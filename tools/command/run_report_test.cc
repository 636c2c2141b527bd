#include "tools/command/run_report.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/command/text_file.h"

namespace relist::command {
namespace {

using testing::HasSubstr;

std::vector<ScenarioVerdict> FourVerdicts() {
  return {{.scenario = "a", .file = "a.yaml", .world = "sim", .history_hash = "ff"},
          {.scenario = "b", .world = "sim", .exit_status = 2, .report = "C3 <broken> & \x01"},
          {.scenario = "c", .world = "http", .skipped = "needs the simulation"},
          {.scenario = "d", .world = "sim", .exit_status = 1, .report = "no"}};
}

TEST(RunReport, JunitCountsFailuresErrorsAndSkips) {
  const std::string xml = JunitReport(FourVerdicts());
  EXPECT_THAT(xml, HasSubstr("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"needs the simulation\"/>"));
}

TEST(RunReport, XmlIsEscapedAndHasNoForbiddenCharacters) {
  EXPECT_THAT(JunitReport(FourVerdicts()), HasSubstr("C3 &lt;broken&gt; &amp; ?"));
}

TEST(RunReport, HalfACharacterIsNoneInXml) {
  std::vector<ScenarioVerdict> verdicts = FourVerdicts();
  verdicts[1].report = "cut \xc3: \xc3\xa4";
  EXPECT_THAT(JunitReport(verdicts), HasSubstr(">cut \xef\xbf\xbd: \xc3\xa4</failure>"));
}

TEST(RunReport, JsonSaysTheVerdictInWordsAndTheHashOfTheHistory) {
  const auto all = nlohmann::json::parse(JsonReport(FourVerdicts()));
  EXPECT_EQ(all[0]["verdict"], "good");
  EXPECT_EQ(all[0]["historyHash"], "ff");
  EXPECT_EQ(all[1]["verdict"], "safety broken");
  EXPECT_EQ(all[2]["verdict"], "skipped");
}

TEST(RunReport, ThePageHasASectionForEachVerdict) {
  std::vector<ScenarioVerdict> verdicts = FourVerdicts();
  verdicts[0].story = {"", "<p>what happened</p>"};
  verdicts[0].report = "a [sim]: good\n";
  verdicts[1].about = "why it matters";
  const std::string page = HtmlReport(verdicts);
  EXPECT_THAT(page, HasSubstr("1 of 4 scenarios good, 1 not run"));
  EXPECT_THAT(page, HasSubstr("<p>what happened</p>"));
  EXPECT_THAT(page, testing::Not(HasSubstr("a [sim]: good"))) << "the story says it";
  EXPECT_THAT(page, HasSubstr("b <span class=\"badge bad\">safety broken</span></h2>"));
  EXPECT_THAT(page, HasSubstr("<p>why it matters</p>"));
  EXPECT_THAT(page, HasSubstr("<pre>C3 &lt;broken&gt; &amp; ␁</pre>"));
  EXPECT_THAT(page, HasSubstr("c <span class=\"badge none\">skipped</span></h2>"));
  EXPECT_THAT(page, HasSubstr("d <span class=\"badge bad\">not run as written</span></h2>"));
}

TEST(RunReport, ThePageDoesNotSayHowLongItTook) {
  std::vector<ScenarioVerdict> verdicts = FourVerdicts();
  const std::string page = HtmlReport(verdicts);
  for (ScenarioVerdict& verdict : verdicts) verdict.seconds += 3;
  EXPECT_EQ(HtmlReport(verdicts), page);
}

TEST(RunReport, TheEndingSaysTheFormat) {
  const std::string folder = testing::TempDir();
  for (const auto& [ending, report] : {std::pair{".html", HtmlReport(FourVerdicts())},
                                       {".json", JsonReport(FourVerdicts())},
                                       {".xml", JunitReport(FourVerdicts())}}) {
    const std::string path = folder + "relist_run_report_ending" + ending;
    EXPECT_TRUE(CheckReportPaths({path}, {}).ok());
    ASSERT_TRUE(WriteReport(path, FourVerdicts()).ok());
    EXPECT_EQ(*ReadTextFile(path), report);
    std::filesystem::remove(path);
  }
  EXPECT_TRUE(WantStories({"a.xml", "b.html"}));
  EXPECT_FALSE(WantStories({"a.xml", "b.json"}));
}

TEST(RunReport, AnEndingThatNobodyKnowsIsRefused) {
  const Result<void> refused = CheckReportPaths({"report.pdf"}, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("report.pdf"));
  EXPECT_TRUE(CheckReportPaths({testing::TempDir() + "relist_run_report_test.xml"}, {}).ok());
  EXPECT_FALSE(CheckReportPaths({"/no/such/folder/r.xml"}, {}).ok());
}

TEST(RunReport, CheckingAPathLeavesWhatLiesThereAndMakesNothing) {
  const std::string old = testing::TempDir() + "relist_run_report_old.xml";
  const std::string fresh = testing::TempDir() + "relist_run_report_fresh.xml";
  ASSERT_TRUE(WriteTextFile(old, "last night's").ok());
  EXPECT_TRUE(CheckReportPaths({old, fresh}, {}).ok());
  EXPECT_EQ(*ReadTextFile(old), "last night's");
  EXPECT_FALSE(ReadTextFile(fresh).ok());
  std::filesystem::remove(old);
}

TEST(RunReport, TakesNoScenariosPlaceAndIsGivenOnce) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "relist_run_report_same";
  fs::create_directories(folder);
  const std::string scenario = folder / "s.json", link = folder / "link.json",
                    fresh = folder / "fresh.xml", roundabout = folder / "." / "fresh.xml";
  ASSERT_TRUE(WriteTextFile(scenario, "name: x").ok());
  fs::create_symlink("s.json", link);
  const auto why = [](const std::vector<std::string>& paths,
                      const std::vector<std::string>& scenarios) {
    const Result<void> good = CheckReportPaths(paths, scenarios);
    return good.ok() ? "good" : good.error().message();
  };
  for (const std::string& path : {scenario, link, std::string(folder / "." / "s.json")}) {
    EXPECT_EQ(why({fresh, path}, {"other.yaml", scenario}),
              "--report " + path +
                  ": this is a file that is to be read: the report would take its place");
  }
  EXPECT_EQ(why({scenario}, {link}).find("--report"), 0U);
  EXPECT_EQ(why({fresh, fresh}, {}), "--report " + fresh + " is given twice; once is right");
  EXPECT_EQ(why({fresh, roundabout}, {}), "--report " + fresh + " and --report " + roundabout +
                                              " are the same file: once is right");
  EXPECT_EQ(why({link, scenario}, {}).find("--report"), 0U);
  EXPECT_EQ(why({fresh, folder / "fresh.json"}, {scenario}), "good");
  fs::remove_all(folder);
}

TEST(RunReport, AFolderThatIsNotThereIsAnErrorWithThePath) {
  const Result<void> written = WriteReport("/no/such/folder/r.json", {});
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message(), HasSubstr("/no/such/folder/r.json"));
}

}  // namespace
}  // namespace relist::command
