#include "tools/command/run_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

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

TEST(RunReport, JsonSaysTheVerdictInWordsAndTheHashOfTheHistory) {
  const auto all = nlohmann::json::parse(JsonReport(FourVerdicts()));
  EXPECT_EQ(all[0]["verdict"], "good");
  EXPECT_EQ(all[0]["historyHash"], "ff");
  EXPECT_EQ(all[1]["verdict"], "safety broken");
  EXPECT_EQ(all[2]["verdict"], "skipped");
}

TEST(RunReport, AnEndingThatNobodyKnowsIsRefused) {
  const Result<void> refused = CheckReportPath("report.pdf");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("report.pdf"));
  EXPECT_TRUE(CheckReportPath(testing::TempDir() + "relist_run_report_test.xml").ok());
  EXPECT_FALSE(CheckReportPath("/no/such/folder/r.xml").ok());
}

TEST(RunReport, AFolderThatIsNotThereIsAnErrorWithThePath) {
  const Result<void> written = WriteReport("/no/such/folder/r.json", {});
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message(), HasSubstr("/no/such/folder/r.json"));
}

}  // namespace
}  // namespace relist::command
