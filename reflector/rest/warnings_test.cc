#include "reflector/rest/warnings.h"

#include <gmock/gmock.h>

#include "reflector/testing/rest_bench.h"

namespace relist {
namespace warnings_test {

using testing::Answer;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Bench = testing::RestBench;

HttpResponseHead HeadWith(const std::vector<std::string>& values) {
  HttpResponseHead head{.status = 200};
  for (const std::string& value : values) head.headers.emplace_back("warning", value);
  return head;
}

std::vector<std::string> TextsOf(const std::vector<std::string>& values) {
  std::vector<std::string> out;
  for (const Warning& warning : WarningsOf(HeadWith(values))) out.push_back(warning.text);
  return out;
}

TEST(Warnings, AreReadFromEveryHeaderThatHasSome) {
  const std::vector<Warning> warnings =
      WarningsOf(HeadWith({"299 - \"one\"",
                           "199 agent \"t\\\"w\\\\o\" \"Sat, 25 Aug 2012\", "
                           "299 - \"three\""}));
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_EQ(warnings[0].code, 299);
  EXPECT_EQ(warnings[0].agent, "-");
  EXPECT_EQ(warnings[1].code, 199);
  EXPECT_EQ(warnings[1].agent, "agent");
  EXPECT_EQ(warnings[1].text, "t\"w\\o");
  EXPECT_EQ(warnings[2].text, "three");
}

TEST(Warnings, ThatAreMalformedAreLeftOut) {
  for (const char* bad :
       {"299", "299 -", "29 - \"x\"", "2999 - \"x\"", "299  \"x\"", "299 - x", "299 - \"x",
        "299 - \"\x01\"", "299 - \"\xff\"", "299 - \"x\" \"date", "299 - \"x\" y", ""}) {
    EXPECT_THAT(TextsOf({bad, "299 - \"good\""}), ElementsAre("good")) << bad;
  }
  EXPECT_THAT(TextsOf({"299 - \"one\", 29 - \"two\", 299 - \"three\""}), ElementsAre("one"));
}

const std::string kTwo = "Warning: 299 - \"old\"\r\nWarning: 199 - \"other\"\r\n";

TEST(Warnings, AreGivenToTheHandlerOnceForAnAnswerAndAWatch) {  // NET-15
  std::vector<std::string> told;
  RestClientOptions options;
  options.warning_handler = [&](const Warning& warning) { told.push_back(warning.text); };
  Bench bench(std::move(options));
  bench.server.Then(Answer(429, "{}", "Retry-After: 0\r\n" + kTwo));
  bench.server.Then(Answer(200, "{}", kTwo));
  ASSERT_TRUE(bench.Get().ok());
  EXPECT_THAT(told, ElementsAre("old", "other"));
  bench.server.Then(Answer(404, "{}", kTwo));
  EXPECT_FALSE(bench.Get().ok());
  EXPECT_THAT(told, ElementsAre("old", "other", "old", "other"));
  told.clear();
  bench.server.Then(Answer(200, "", kTwo));
  ASSERT_TRUE(bench.Watch().ok());
  EXPECT_THAT(told, ElementsAre("old", "other"));
}

TEST(Warnings, OfAnErrorThatIsNoJsonAreNotTold) {
  std::vector<std::string> told;
  RestClientOptions options;
  options.warning_handler = [&](const Warning& warning) { told.push_back(warning.text); };
  Bench bench(std::move(options));
  testing::Step text;
  text.Send("HTTP/1.1 404 X\r\nContent-Type: text/plain\r\n" + kTwo + "Content-Length: 0\r\n\r\n");
  bench.server.Then(text);
  EXPECT_FALSE(bench.Get().ok());
  EXPECT_THAT(told, IsEmpty());
}

TEST(Warnings, AreLinesOfTheLogWithoutAHandler) {
  auto log = std::make_shared<CollectedLog>();
  RestClientOptions options;
  options.log = log;
  Bench bench(std::move(options));
  for (int i = 0; i < 2; ++i) bench.server.Then(Answer(200, "{}", kTwo));
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(bench.Get().ok());
  EXPECT_THAT(log->lines(), ElementsAre("W Warning: old", "W Warning: old"));
}

TEST(Warnings, AreToldOnceWhereThatIsWanted) {
  auto log = std::make_shared<CollectedLog>();
  const WarningHandler handler = WarningsOnce(log);
  for (const char* text : {"a", "b", "a", ""}) handler({299, "-", text});
  handler({199, "-", "c"});
  EXPECT_THAT(log->lines(), ElementsAre("W Warning: a", "W Warning: b"));
}

}  // namespace warnings_test
}  // namespace relist
