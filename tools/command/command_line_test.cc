#include "tools/command/command_line.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sstream>

#include "core/duration.h"
#include "scenarios/script/scenario.h"

namespace relist::command {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ParsedCommandLine ParseWords(std::vector<const char*> words) {
  words.insert(words.begin(), "relist");
  return ParseCommandLine(static_cast<int>(words.size()), words.data());
}

TEST(CommandLine, HelpSaysThatAHistoryTakesTheOldOnesPlace) {
  EXPECT_THAT(ParseWords({"serve", "--help"}).message, HasSubstr("emptied"));
}

TEST(CommandLine, ServeHasTheDefaultsOfTheDocuments) {
  const ParsedCommandLine parsed = ParseWords({"serve"});
  const auto& serve = std::get<ServeOptions>(parsed.command);
  EXPECT_EQ(serve.port, 0);
  EXPECT_EQ(serve.address, "127.0.0.1");
  EXPECT_FALSE(serve.tls);
  EXPECT_EQ(serve.shutdown_grace, Duration(0));
  EXPECT_FALSE(serve.rate.has_value());
  EXPECT_FALSE(serve.controllers.has_value());
}

TEST(CommandLine, ServeTakesEveryKnob) {
  const ParsedCommandLine parsed = ParseWords({"serve",     "--port",
                                               "8080",      "--objects",
                                               "/dev/null", "--objects",
                                               "/dev/zero", "--history",
                                               "h",         "--kubeconfig",
                                               "k",         "--shutdown-grace",
                                               "60s",       "--bookmark-period",
                                               "500ms",     "--timeout-min",
                                               "5m",        "--rate",
                                               "60",        "--watch-window",
                                               "10",        "--start-revision",
                                               "7",         "--controllers",
                                               "none"});
  const auto& serve = std::get<ServeOptions>(parsed.command);
  EXPECT_EQ(serve.port, 8080);
  EXPECT_THAT(serve.objects, ElementsAre("/dev/null", "/dev/zero"));
  EXPECT_EQ(serve.history, "h");
  EXPECT_EQ(serve.kubeconfig, "k");
  EXPECT_EQ(serve.shutdown_grace, Seconds(60));
  EXPECT_EQ(serve.bookmark_period, Millis(500));
  EXPECT_FALSE(serve.compaction_period.has_value());
  EXPECT_EQ(serve.timeout_min, Seconds(300));
  EXPECT_EQ(serve.controllers, fakeapi::ControllerSet());
  EXPECT_EQ(serve.rate, 60);
  EXPECT_EQ(serve.watch_window, 10u);
  EXPECT_EQ(serve.start_revision, 7u);
}

TEST(CommandLine, ATokenImpliesTls) {
  const ParsedCommandLine parsed = ParseWords({"serve", "--token", "secret"});
  EXPECT_TRUE(std::get<ServeOptions>(parsed.command).tls);
}

TEST(CommandLine, WatchTakesItsNamespaceAsAnOptionOrAsASecondWord) {
  for (const auto& words : {std::vector<const char*>{"watch", "cm", "-n", "a"},
                            std::vector<const char*>{"watch", "cm", "a"}}) {
    const ParsedCommandLine parsed = ParseWords(words);
    const auto& watch = std::get<WatchOptions>(parsed.command);
    EXPECT_EQ(watch.resource, "cm");
    EXPECT_EQ(watch.ns, "a");
  }
  EXPECT_EQ(ParseWords({"watch", "cm", "-n", "a", "-A"}).exit_status, kUsage);
}

TEST(CommandLine, RunTakesManyScenariosAndReports) {
  const ParsedCommandLine parsed = ParseWords({"run", "/dev/null", "/dev/zero", "--world", "http",
                                               "--seed", "7", "--report", "a.json", "--timeline"});
  const auto& run = std::get<RunOptions>(parsed.command);
  EXPECT_THAT(run.scenarios, ElementsAre("/dev/null", "/dev/zero"));
  EXPECT_TRUE(run.http);
  EXPECT_EQ(run.seed, 7u);
  EXPECT_THAT(run.reports, ElementsAre("a.json"));
  EXPECT_TRUE(run.timeline);
}

TEST(CommandLine, AReportIsOneWordAndWhatFollowsAreScenarios) {
  const ParsedCommandLine parsed = ParseWords(
      {"run", "--report", "a.json", "/dev/null", "/dev/zero", "--report", "b.xml", "/dev/full"});
  const auto& run = std::get<RunOptions>(parsed.command);
  EXPECT_THAT(run.reports, ElementsAre("a.json", "b.xml"));
  EXPECT_THAT(run.scenarios, ElementsAre("/dev/null", "/dev/zero", "/dev/full"));
  EXPECT_THAT(ParseWords({"serve", "--objects", "/dev/null", "/dev/zero"}).message,
              HasSubstr("/dev/zero"));
  const std::string help = ParseWords({"run", "--help"}).message;
  EXPECT_THAT(help, HasSubstr("FILE.html"));
  EXPECT_THAT(help, Not(HasSubstr("--report TEXT ...")));
}

TEST(CommandLine, ReplayTakesWhatARunPrintsAsTheCommandThatRunsItAgain) {
  const ParsedCommandLine parsed =
      ParseWords({"replay", "/dev/null", "--world", "http", "--seed", "9"});
  const auto& replay = std::get<ReplayOptions>(parsed.command);
  EXPECT_EQ(replay.file, "/dev/null");
  EXPECT_TRUE(replay.http);
  EXPECT_EQ(replay.seed, 9u);
}

TEST(CommandLine, CheckTakesAHistoryAndLogs) {
  const ParsedCommandLine parsed =
      ParseWords({"check", "--server", "/dev/null", "--client", "a=/dev/null", "--client", "b=x"});
  const auto& check = std::get<CheckOptions>(parsed.command);
  EXPECT_EQ(check.server, "/dev/null");
  EXPECT_THAT(check.clients, ElementsAre("a=/dev/null", "b=x"));
  EXPECT_EQ(check.same_as, "");
  const ParsedCommandLine compared =
      ParseWords({"check", "--client", "x", "--same-as", "/dev/null"});
  EXPECT_EQ(std::get<CheckOptions>(compared.command).same_as, "/dev/null");
  const std::string help = ParseWords({"check", "--help"}).message;
  for (const char* told : {"Without --client", "Without --server", "3 a liveness property broken"})
    EXPECT_THAT(help, HasSubstr(told));
}

TEST(CommandLine, CheckSaysWhatItNeeds) {
  const std::vector<std::pair<std::vector<const char*>, std::string>> cases = {
      {{"check"}, "check: give --server HISTORY, --client LOG, or both"},
      {{"check", "--server", "/no/such/file"}, "/no/such/file"},
      {{"check", "--same-as", "/dev/null", "--server", "/dev/null"}, "with one --client LOG"},
      {{"check", "--client", "a", "--client", "b", "--same-as", "/dev/null"},
       "with one --client LOG"}};
  for (const auto& [words, expected] : cases) {
    const ParsedCommandLine parsed = ParseWords(words);
    EXPECT_EQ(parsed.exit_status, kUsage) << expected;
    EXPECT_THAT(parsed.message, HasSubstr(expected));
  }
}

TEST(CommandLine, RunAndReplayTakeWhenToColour) {
  for (const auto& [word, when] : {std::pair{"auto", ColorWhen::kAuto},
                                   {"always", ColorWhen::kAlways},
                                   {"never", ColorWhen::kNever}}) {
    EXPECT_EQ(std::get<RunOptions>(ParseWords({"run", "/dev/null", "--color", word}).command).color,
              when);
    EXPECT_EQ(
        std::get<ReplayOptions>(ParseWords({"replay", "/dev/null", "--color", word}).command).color,
        when);
  }
  EXPECT_EQ(std::get<RunOptions>(ParseWords({"run", "/dev/null"}).command).color, ColorWhen::kAuto);
}

TEST(CommandLine, WhatIsWrongIsOneLineThatNamesItAndExitStatusOne) {
  const std::vector<std::pair<std::vector<const char*>, std::string>> cases = {
      {{}, "a command is missing"},
      {{"--bogus"}, "unknown option --bogus"},
      {{"-v", "serve"}, "unknown option -v"},
      {{"frobnicate"}, "unknown command `frobnicate`"},
      {{"explore"}, "`explore` is not in this version"},
      {{"serve", "--port", "70000"}, "--port"},
      {{""}, "unknown command ``"},
      {{"serve", "--nonsense"}, "--nonsense"},
      {{"serve", "--token", ""}, "--token: the value is empty"},
      {{"serve", "--token="}, "--token: the value is empty"},
      {{"serve", "--history", ""}, "--history: the value is empty"},
      {{"serve", "--kubeconfig", ""}, "--kubeconfig: the value is empty"},
      {{"serve", "--scenario", ""}, "--scenario: the value is empty"},
      {{"serve", "--objects", ""}, "--objects: the value is empty"},
      {{"serve", "--address", ""}, "--address: the value is empty"},
      {{"serve", "--history", "--tls"}, "--history: its value is missing"},
      {{"watch", "cm", "-n", ""}, "-n: the value is empty"},
      {{"watch", "cm", "-l", ""}, "-l: the value is empty"},
      {{"watch", "cm", "--kubeconfig", ""}, "--kubeconfig: the value is empty"},
      {{"watch", ""}, "an argument is empty"},
      {{"run", "--report", "", "/dev/null"}, "--report: the value is empty"},
      {{"run", "--bogus", "x"}, "--bogus"},
      {{"watch", "-q", "cm"}, "-q"},
      {{"replay", "--bogus", "/no/such/file"}, "--bogus"},
      {{"serve", "--objects", "/no/such/file"}, "/no/such/file"},
      {{"serve", "--shutdown-grace", "soon"}, "`soon` is no duration"},
      {{"serve", "--bookmark-period", "5"}, "--bookmark-period: `5`: a unit is missing"},
      {{"serve", "--bookmark-period", "0s"}, "--bookmark-period: `0s` is too short"},
      {{"serve", "--timeout-min", "0s"}, "--timeout-min: `0s` is too short"},
      {{"serve", "--compaction-period", "1ms"}, "--compaction-period: `1ms` is too short"},
      {{"serve", "--shutdown-grace", "1"}, "a unit is missing"},
      {{"serve", "--rate", "nan"}, "--rate: `nan` is no number from 1 to 60"},
      {{"serve", "--rate", "inf"}, "--rate"},
      {{"serve", "--watch-window", "-1"}, "--watch-window"},
      {{"serve", "--watch-window", "nan"}, "--watch-window"},
      {{"serve", "--port", "-1"}, "--port"},
      {{"run", "/dev/null", "--seed", "-1"}, "--seed: `-1` is no whole number"},
      {{"replay", "/dev/null", "--seed", "-1"}, "--seed: `-1` is no whole number"},
      {{"replay", "/dev/null", "--seed", "1e3"}, "--seed"},
      {{"serve", "--address", "web"}, "--address: `web` is no IP address"},
      {{"serve", "--history", "None"}, "--history: `None`: did you mean `none`"},
      {{"serve", "--controllers", "None"},
       "--controllers: \"None\" is no controller; there are all"},
      {{"serve", "--controllers", "some"}, "--controllers: \"some\" is no controller"},
      {{"serve", "--rate", "1", "--rate", "2"}, "--rate is given twice"},
      {{"serve", "--rate", "1", "--rate", "nan"}, "--rate is given twice"},
      {{"serve", "--tls", "--tls"}, "--tls is given twice"},
      {{"serve", "--scenario", "/dev/null", "--scenario", "/dev/null"},
       "--scenario is given twice"},
      {{"run", "/dev/null", "--seed", "1", "--seed=1"}, "--seed is given twice"},
      {{"run", "/dev/null", "--world", "sim", "--world", "http"}, "--world is given twice"},
      {{"watch", "cm", "-n", "a", "--namespace", "b"}, "-n and --namespace are the same option"},
      {{"watch", "cm", "a", "-n", "b"}, "--namespace is given twice"},
      {{"watch", "cm", "a", "b"}, "b"},
      {{"watch"}, "resource"},
      {{"run"}, "scenario"},
      {{"run", "/dev/null", "--world", "moon"}, "--world"},
      {{"run", "/dev/null", "--color", "pink"}, "--color"},
      {{"replay", "/dev/null", "--color"}, "--color: its value is missing"},
      {{"replay", "/no/such/file"}, "/no/such/file"}};
  for (const auto& [words, expected] : cases) {
    const ParsedCommandLine parsed = ParseWords(words);
    EXPECT_EQ(parsed.exit_status, kUsage) << expected;
    EXPECT_THAT(parsed.message, HasSubstr(expected));
    EXPECT_EQ(std::count(parsed.message.begin(), parsed.message.end(), '\n'), 1) << expected;
  }
}

TEST(CommandLine, HelpIsNoError) {
  EXPECT_EQ(ParseWords({"--help"}).exit_status, kGood);
  EXPECT_THAT(ParseWords({"serve", "--help"}).message, HasSubstr("--objects"));
  EXPECT_THAT(ParseWords({"serve", "--help"}).message, HasSubstr("or none"));
}

// Each option is a line with two spaces before its name.
TEST(CommandLine, HelpTellsTheDefaultOfEveryOption) {
  for (const char* command : {"serve", "watch", "run", "replay"}) {
    std::istringstream help(ParseWords({command, "--help"}).message);
    std::vector<std::string> options;
    for (std::string line; std::getline(help, line);) {
      if (line.starts_with("  -")) {
        options.push_back(line);
      } else if (!options.empty()) {
        options.back() += line;
      }
    }
    EXPECT_GE(options.size(), 3u) << command;
    for (const std::string& option : options) {
      if (option.find("--help") != std::string::npos) continue;
      if (option.find("--timeline") != std::string::npos) continue;        // off, as said
      if (option.find("--all-namespaces") != std::string::npos) continue;  // one, as said above it
      EXPECT_THAT(option, testing::ContainsRegex("[Bb]y default|the default"));
    }
  }
  EXPECT_THAT(ParseWords({"replay", "--help"}).message,
              HasSubstr("property tests that fail save one, and print where"));
}

// A help that tells another default than there is would be worse than none.
TEST(CommandLine, TheDefaultsThatHelpTellsAreThoseThatThereAre) {
  const std::string help = ParseWords({"serve", "--help"}).message;
  const Scenario scenario;
  EXPECT_THAT(help, HasSubstr("by default " + FormatDuration(scenario.bookmark_period) + ","));
  EXPECT_THAT(help, HasSubstr("by default " + FormatDuration(scenario.timeout_min) + ","));
}

TEST(CommandLine, AShutdownGraceAndACompactionPeriodMayBeNone) {
  const ParsedCommandLine parsed =
      ParseWords({"serve", "--shutdown-grace", "0s", "--compaction-period", "0"});
  const auto& serve = std::get<ServeOptions>(parsed.command);
  EXPECT_EQ(serve.shutdown_grace, Duration(0));
  EXPECT_EQ(serve.compaction_period, Duration(0));
}

}  // namespace
}  // namespace relist::command
