#include "scenarios/script/scenario.h"
#include "scenarios/script/scenario_test_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace relist {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ScenarioTest, TheSmallestScenarioIsAName) {
  const Result<Scenario> scenario = ParseScenario("name: nothing happens\n", "s.yaml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  EXPECT_EQ(scenario->clients.size(), 1u);
  EXPECT_EQ(scenario->clients[0].name, "client");
  EXPECT_TRUE(scenario->RunsIn(WorldKind::kHttp));
  EXPECT_EQ(scenario->length, Seconds(1));
}

TEST(ScenarioTest, EverythingThatIsWrittenIsRead) {
  const Result<Scenario> scenario = ParseScenario(R"(
name: all of it
worlds: [sim]
why_sim: for a test
legal: false
seed: 18446744073709551615
rate: 30
server: {window: 7, bookmark_period: 5s, timeout_min: 1m, fresh_wait: 100ms, controllers: namespace-controller,
         watcher_buffer: 9, not_ready: 3s, replicas: 2, balance: [1, 0]}
within: {requests: 5}
calm: 3m
clients:
  - {name: one, resource: pods, namespace: ns, selector: a=b, streaming_list: false, page_size: 3, handlers: 2,
     watch_deadline: false, start: 1s}
objects:
  - {object: ns/p, resource: pods, labels: {a: b}, body: {spec: {containers: [{name: c, image: i}], priority: 5}}}
steps:
  - {at: 2s, do: delete, resource: pods, object: ns/p}
  - {at: 2s, do: lag, by: 4s, replica: 1}
  - {at: 2s, do: restart, not_ready: 5s}
  - {when: {on: list, nth: 2-4, continued: true, once: read}, do: compact, learned: true}
  - {when: {on: watch, nth: 2, events: 3, after: 1s}, do: evict}
faults:
  - {on: watch, client: one, nth: every, events: 2, bytes: 12, fault: cut}
  - {on: connection, nth: 1, fault: reset}
  - {on: list, fault: status, code: 429, headers: {Retry-After: "2"}, plain: true}
expect:
  one: {requests: [LIST *], callbacks: [], store: []}
  verdicts: ["faithful: WCH-06"]
)",
                                                  "s.yaml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  EXPECT_FALSE(scenario->RunsIn(WorldKind::kHttp));
  EXPECT_EQ(scenario->seed, ~uint64_t{0});
  EXPECT_EQ(scenario->watch_window, 7u);
  EXPECT_EQ(scenario->fresh_wait, Millis(100));
  EXPECT_EQ(scenario->watcher_buffer, 9u);
  EXPECT_EQ(scenario->not_ready, Seconds(3));
  EXPECT_EQ(scenario->replicas, 2u);
  EXPECT_EQ(scenario->balance, (std::vector<size_t>{1, 0}));
  EXPECT_EQ(scenario->steps[1].length, Seconds(4));
  EXPECT_EQ(scenario->steps[1].replica, size_t{1});
  EXPECT_EQ(scenario->steps[2].length, Seconds(5));
  EXPECT_FALSE(scenario->steps[2].replica.has_value());
  EXPECT_EQ(scenario->controllers, (fakeapi::ControllerSet{.namespaces = true}));
  EXPECT_EQ(scenario->clients[0].page_size, 3);
  EXPECT_FALSE(scenario->clients[0].watch_deadline);
  EXPECT_EQ(
      scenario->objects[0].body_json,
      R"({"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}],"priority":5}})");
  EXPECT_EQ(scenario->steps[3].trigger.place.last, 4);
  EXPECT_EQ(scenario->steps[4].trigger.after, Seconds(1));
  EXPECT_EQ(scenario->faults[0].place.last, kEvery);
  EXPECT_EQ(scenario->faults[0].bytes, 12u);
  EXPECT_TRUE(scenario->faults[1].on_connection);
  EXPECT_EQ(scenario->faults[2].headers.at(0).second, "2");
  EXPECT_EQ(scenario->expect[0].requests->size(), 1u);
  EXPECT_EQ(scenario->length, Seconds(8));
}

TEST(ScenarioTest, AnUnknownKeyIsToldWithItsPlaceAndWhatWasMeant) {
  const std::string mistakes = MistakesIn("name: x\nsteps:\n  - {att: 2s, do: evict}\n");
  EXPECT_THAT(mistakes,
              HasSubstr("s.yaml:3:6: unknown key \"att\" in a step, did you mean \"at\"?"));
}

TEST(ScenarioTest, AWrongIndentIsToldWhereItIs) {
  EXPECT_THAT(MistakesIn("name: x\nserver:\nwindow: 5\n"),
              HasSubstr("s.yaml:3:1: unknown key \"window\""));
  EXPECT_THAT(MistakesIn("name: x\nseed: 18446744073709551616\n"),
              StartsWith("s.yaml:2:7: \"seed\" is at most 18446744073709551615"));
  EXPECT_THAT(MistakesIn("name: x\n  seed: 1\n"), StartsWith("s.yaml:2:"));
  EXPECT_THAT(MistakesIn("name: x\n\tseed: 1\n"), StartsWith("s.yaml:2:1: a tab"));
}

TEST(ScenarioTest, ADoubledKeyIsTold) {
  EXPECT_THAT(MistakesIn("name: x\nseed: 1\nseed: 2\n"),
              HasSubstr("s.yaml:3:1: \"seed\" stands twice"));
}

TEST(ScenarioTest, ADoubledKeyIsToldOnce) {
  const std::string mistakes = MistakesIn("name: x\nsteps: []\nsteps: []\n");
  EXPECT_THAT(mistakes, HasSubstr("s.yaml:3:1: \"steps\" stands twice in the scenario"));
  EXPECT_EQ(mistakes.find('\n'), std::string::npos) << mistakes;
}

TEST(ScenarioTest, AnUnknownKindIsToldWithoutComplaintsOfTheKeysThatItMayHave) {
  for (const char* text :
       {"faults:\n  - {on: watch, fault: cutt, bytes: 5}\n", "faults:\n  - {on: watch, bytes: 5}\n",
        "steps:\n  - {at: 1s, do: wrote, object: default/a}\n"}) {
    const std::string mistakes = MistakesIn(std::string("name: x\n") + text);
    EXPECT_EQ(mistakes.find('\n'), std::string::npos) << mistakes;
    EXPECT_NE(mistakes, "");
  }
}

TEST(ScenarioTest, WhatIsNoMapIsToldOnce) {
  EXPECT_EQ(MistakesIn("just text\n"),
            "s.yaml:1:1: the scenario is a map of keys and values, not \"just text\"");
  EXPECT_EQ(MistakesIn("name: x\nsteps: [evict]\n"),
            "s.yaml:2:9: a step is a map of keys and values, not \"evict\"");
  EXPECT_EQ(MistakesIn("name: x\nsteps: [{when: watch, do: evict}]\n"),
            "s.yaml:2:16: \"when\" is a map of keys and values, not \"watch\"");
}

TEST(ScenarioTest, WhatIsWrongWithAPartIsToldAtThePart) {
  EXPECT_THAT(MistakesIn("name: x\nobjects:\n  - {object: default/a}\n  - {object: b}\n"),
              StartsWith("s.yaml:4:5: \"b\" lacks its namespace"));
  EXPECT_THAT(MistakesIn("name: x\nobjects:\n  - {object: default/a, resource: gadgets}\n"),
              StartsWith("s.yaml:3:5: no resource is called"));
  EXPECT_THAT(MistakesIn("name: x\nclients:\n  - {resource: gadgets}\n"),
              StartsWith("s.yaml:3:5: no resource is called"));
  EXPECT_THAT(MistakesIn("name: x\nclients:\n  - {start: 9s}\n"),
              StartsWith("s.yaml:3:5: client \"client\" starts at 9s"));
}

TEST(ScenarioTest, ThingsThatAreThereTwiceAreRefused) {
  EXPECT_THAT(MistakesIn("name: x\nclients:\n  - {name: a}\n  - {name: a}\n"),
              HasSubstr("s.yaml:4:12: two clients are called \"a\""));
  EXPECT_THAT(MistakesIn("name: x\nclients:\n  - {}\n  - {}\n"),
              HasSubstr("s.yaml:4:5: two clients are called \"client\""));
  EXPECT_THAT(MistakesIn("name: x\nobjects:\n  - {object: default/a}\n  - {object: default/a}\n"),
              HasSubstr("s.yaml:4:5: configmaps default/a stands twice"));
}

TEST(ScenarioTest, NamesAndTextsGoIntoReports) {
  EXPECT_THAT(MistakesIn("name: \"a\\x07b\"\n"), HasSubstr("s.yaml:1:7: \"name\" holds U+0007"));
  EXPECT_THAT(MistakesIn("name: a\xff\n"), StartsWith("s.yaml:1:8: this file is not UTF-8"));
  EXPECT_THAT(MistakesIn("name: |\n  one\n  two\n"), HasSubstr("one line"));
  EXPECT_THAT(MistakesIn("name: x\nclients: [{name: \"a\\r\\nb\"}]\n"),
              HasSubstr("cannot be a client's name"));
  EXPECT_THAT(MistakesIn("name: x\nclients: [{name: \"\"}]\n"),
              HasSubstr("cannot be a client's name"));
  EXPECT_EQ(MistakesIn("name: x\nobjects: [{object: default/a, data: {k: \"\\x07\"}}]\n"), "")
      << "what an object holds is its own affair";
}

TEST(ScenarioTest, EveryNumberHasItsBounds) {
  const auto server = [](const std::string& text) {
    return MistakesIn("name: x\nserver: {" + text + "}\n");
  };
  const auto client = [](const std::string& text) {
    return MistakesIn("name: x\nclients: [{" + text + "}]\n");
  };
  const auto fault = [](const std::string& text) {
    return MistakesIn("name: x\nfaults: [{on: watch, fault: " + text + "}]\n");
  };
  EXPECT_THAT(server("bookmark_period: 0s"),
              HasSubstr("s.yaml:2:27: \"bookmark_period\" is at least 1s, not 0s"));
  EXPECT_THAT(server("controllers: some"),
              HasSubstr("s.yaml:2:23: \"some\" is no controller; there are all, none,"));
  EXPECT_THAT(server("timeout_min: 0s"), HasSubstr("at least 1s"));
  EXPECT_THAT(server("window: 0"), HasSubstr("at least 1, not 0"));
  EXPECT_THAT(server("window: 99999999999999999999"), HasSubstr("at most 100000"));
  EXPECT_THAT(client("page_size: -1"), HasSubstr("at least 0, not -1"));
  EXPECT_THAT(client("page_size: .nan"),
              HasSubstr("a whole number from 0 to 100000, not \".nan\""));
  EXPECT_THAT(client("handlers: 1.5"), HasSubstr("a whole number from 1 to 20"));
  EXPECT_THAT(client("handlers: 21"), HasSubstr("at most 20"));
  EXPECT_THAT(client("min_watch_timeout: 2h"), HasSubstr("at most 1h, not 2h"));
  EXPECT_THAT(client("deadline_margin: 2h"), HasSubstr("at most 1h"));
  EXPECT_THAT(fault("cut, bytes: -5"), HasSubstr("at least 0, not -5"));
  EXPECT_THAT(fault("cut, bytes: 1e9"), HasSubstr("a whole number"));
  EXPECT_THAT(fault("cut, bytes: 99999999999"), HasSubstr("at most 16777216"));
  EXPECT_THAT(fault("cut, events: 999999"), HasSubstr("at most 100000"));
  EXPECT_THAT(fault("cut, nth: 1000000"), HasSubstr("from 1 to 100000"));
  EXPECT_THAT(fault("cut, nth: 3-2"), HasSubstr("from 1 to 100000"));
  EXPECT_THAT(fault("status, code: 600"), HasSubstr("at most 599"));
  EXPECT_THAT(fault("status, code: 100"), HasSubstr("at least 200"));
  EXPECT_THAT(fault("hold, for: 0s"), HasSubstr("at least 1ms"));
  EXPECT_THAT(MistakesIn("name: x\nseed: -1\n"), HasSubstr("at least 0"));
  EXPECT_THAT(MistakesIn("name: x\nwithin: {requests: 10001}\n"), HasSubstr("at most 10000"));
}

TEST(ScenarioTest, EveryTimeHasItsBounds) {
  for (const char* text :
       {"length: 25h", "calm: 87600h", "calm: 99999999999999999999h",
        "steps: [{at: 25h, do: evict}]", "steps: [{when: {on: watch, after: 900h}, do: evict}]",
        "steps: [{at: 1s, do: refuse, for: 25h}]", "faults: [{on: watch, fault: delay, for: 25h}]",
        "clients: [{start: 25h}]", "server: {fresh_wait: 25h}"}) {
    EXPECT_THAT(MistakesIn(std::string("name: x\n") + text + "\n"),
                HasSubstr("is at most 24h, not "))
        << text;
  }
  EXPECT_THAT(MistakesIn("name: x\nsteps:\n  - {at: 24h, do: refuse, for: 1h}\n"),
              StartsWith("s.yaml:3:5: with this step the scenario would last 25h: at most 24h"));
  EXPECT_THAT(MistakesIn("name: x\ncalm: infs\n"), HasSubstr("a time with its unit"));
}

TEST(ScenarioTest, AsMuchAsEndsSoonIsAllowed) {
  EXPECT_THAT(MistakesIn("name: x\nrate: 1\nlength: 10m\n"),
              HasSubstr("over HTTP this scenario would take 12m of your time"));
  EXPECT_EQ(MistakesIn("name: x\nrate: 1\nlength: 10m\nworlds: [sim]\nwhy_sim: long\n"), "");
  EXPECT_THAT(MistakesIn("name: x\nworlds: [sim]\nwhy_sim: long\nlength: 24h\nserver: "
                         "{bookmark_period: 1s}\nclients: [{name: a}, {name: b}]\n"),
              HasSubstr("bookmarks"));
  std::string told =
      "name: x\nclients: [{name: a, handlers: 20}, {name: b, handlers: 20}, {name: c, "
      "handlers: 20}]\nobjects:\n";
  for (int i = 0; i < 900; ++i) told += "  - {object: default/o" + std::to_string(i) + "}\n";
  EXPECT_THAT(MistakesIn(told), HasSubstr("would be 54000 callbacks: at most 50000"));
  std::string many = "name: x\nclients:\n";
  for (int i = 0; i < 21; ++i) many += "  - {name: c" + std::to_string(i) + "}\n";
  EXPECT_THAT(MistakesIn(many), HasSubstr("\"clients\" has 21 items: at most 20"));
}

TEST(ScenarioTest, MalformedSelectorsAreToldAtTheirClient) {
  EXPECT_THAT(MistakesIn("name: x\nclients:\n  - {selector: 'a in ('}\n"),
              StartsWith("s.yaml:3:5: \"selector: a in (\" is none: "));
  EXPECT_THAT(MistakesIn("name: x\nclients:\n  - {fields: metadata.colour=red}\n"),
              StartsWith("s.yaml:3:5: \"fields: metadata.colour=red\" is no field selector: "));
}

TEST(ScenarioTest, AKeyOfATriggerThatStandsBesideItIsToldWhereItGoes) {
  EXPECT_EQ(MistakesIn("name: x\nsteps:\n  - {when: {on: watch}, after: 3s, do: evict}\n"),
            "s.yaml:3:32: \"after\" goes into \"when\": {when: {on: watch, after: ...}, do: ...}");
}

TEST(ScenarioTest, HeadersOfAStatusStayHeaders) {
  const auto headers = [](const std::string& text) {
    return MistakesIn("name: x\nfaults: [{on: list, fault: status, code: 429, headers: {" + text +
                      "}}]\n");
  };
  EXPECT_THAT(headers("\"a b\": c"), HasSubstr("is no header's name"));
  EXPECT_THAT(headers("a: \"b\\r\\nc: d\""), HasSubstr("is one line of text"));
  EXPECT_THAT(headers("Content-Length: 5"), HasSubstr("is the server's own"));
  EXPECT_EQ(headers("Retry-After: 3"), "");
}

TEST(ScenarioTest, AConnectionHasOnlyANumber) {
  EXPECT_THAT(MistakesIn("name: x\nfaults:\n  - {on: connection, bytes: 5, fault: cut}\n"),
              StartsWith("s.yaml:3:5: a connection has only a number"));
  EXPECT_THAT(MistakesIn("name: x\nfaults:\n  - {on: connection, client: client, fault: cut}\n"),
              HasSubstr("a connection has only a number"));
}

TEST(ScenarioTest, WrongTypesAreToldWithWhatWouldBeRight) {
  EXPECT_THAT(MistakesIn("name: x\nsteps:\n  - {at: 10, do: evict}\n"),
              HasSubstr("a time with its unit, such as 1500ms"));
  EXPECT_THAT(MistakesIn("name: x\nlegal: perhaps\n"), HasSubstr("true or false"));
  EXPECT_THAT(MistakesIn("name: x\nseed: many\n"), HasSubstr("a whole number"));
  EXPECT_THAT(MistakesIn("name: x\nsteps: {at: 1s}\n"), HasSubstr("is a list"));
  EXPECT_THAT(MistakesIn("name: x\nfaults:\n  - {on: wacht, fault: cut}\n"),
              HasSubstr("did you mean \"watch\"?"));
  EXPECT_THAT(MistakesIn("name: x\nclients:\n  - {resource: configmap5}\n"),
              HasSubstr("did you mean \"configmaps\"?"));
}

TEST(ScenarioTest, ATriggerThatCannotComeTrueIsTold) {
  const auto step = [](const std::string& text) {
    return MistakesIn("name: x\nsteps:\n  - " + text + "\n");
  };
  const auto fault = [](const std::string& text) {
    return MistakesIn("name: x\nfaults:\n  - " + text + "\n");
  };
  EXPECT_THAT(step("{at: -3s, do: evict}"), HasSubstr("nothing happens before the start"));
  EXPECT_THAT(MistakesIn("name: x\nlength: 5s\nsteps:\n  - {at: 9s, do: evict}\n"),
              HasSubstr("it would never happen"));
  EXPECT_THAT(fault("{on: watch, nth: 0, fault: cut}"), HasSubstr("from 1"));
  EXPECT_THAT(fault("{on: list, events: 2, fault: cut}"), HasSubstr("no stream of events"));
  EXPECT_THAT(fault("{on: watch, events: 2, fault: status, code: 410}"),
              HasSubstr("never after some"));
  EXPECT_THAT(fault("{on: watch, client: nobody, fault: cut}"),
              HasSubstr("no client is called \"nobody\""));
  EXPECT_THAT(fault("{on: watch, resource: pods, fault: cut}"),
              HasSubstr("no client of this scenario asks for pods"));
  EXPECT_THAT(step("{at: 1s, do: delete, object: default/ghost}"),
              HasSubstr("nothing in this scenario ever writes"));
  EXPECT_THAT(step("{at: 1s, do: write, object: nowhere}"), HasSubstr("lacks its namespace"));
  EXPECT_THAT(step("{at: 1s, do: delete, resource: namespaces, object: ghost}"),
              HasSubstr("nothing in this scenario ever writes"));
  EXPECT_THAT(step("{do: evict}"), HasSubstr("either \"at\""));
  EXPECT_THAT(MistakesIn("name: x\nclients: [{streaming_list: false}]\nfaults:\n  - {on: "
                         "streaming-list, fault: cut}\n"),
              HasSubstr("can never happen"));
  EXPECT_THAT(fault("{on: watch, events: 1, fault: duplicate}"), HasSubstr("legal: false"));
}

TEST(ScenarioTest, ASimulationOnlyScenarioSaysWhy) {
  EXPECT_THAT(MistakesIn("name: x\nworlds: [sim]\n"), HasSubstr("why_sim"));
  EXPECT_THAT(MistakesIn("name: x\nrate: 61\n"), HasSubstr("at most 60"));
}

TEST(ScenarioTest, AMistakeInItsWorldsIsOneMessage) {
  const auto worlds = [](const std::string& text) {
    return MistakesIn("name: x\nworlds: " + text + "\n");
  };
  EXPECT_EQ(worlds("[htp]"), "s.yaml:2:9: \"htp\" is no world; there are sim and http");
  EXPECT_EQ(worlds("[sim, htp]"), "s.yaml:2:9: \"htp\" is no world; there are sim and http");
  EXPECT_EQ(worlds("[]"), "s.yaml:2:9: \"worlds\" is empty: there are sim and http");
  EXPECT_EQ(worlds("sim"), "s.yaml:2:9: \"worlds\" is a list, not \"sim\"");
  EXPECT_EQ(worlds("[[sim]]"), "s.yaml:2:10: an item of \"worlds\" is text, not a list: quote it");
}

TEST(ScenarioTest, WhatIsKnownIsToldOnceAndWhatIsFarIsNotSuggested) {
  EXPECT_EQ(MistakesIn("name: x\nexpect: {clients: {}}\n"),
            "s.yaml:2:10: unknown key \"clients\" in \"expect\", did you mean \"client\"?; known "
            "here: client, verdicts");
  const std::string data = MistakesIn("name: x\nsteps: [{at: 1s, do: evict, data: {}}]\n");
  EXPECT_THAT(data, HasSubstr("unknown key \"data\" in a step (is the indent right?)"));
  EXPECT_THAT(data, Not(HasSubstr("did you mean")));
}

TEST(ScenarioTest, AllMistakesAreToldInTheirOrder) {
  const std::string mistakes = MistakesIn("name: x\nseed: many\nfoo: 1\n");
  EXPECT_LT(mistakes.find("s.yaml:2:"), mistakes.find("s.yaml:3:"));
}

TEST(ScenarioTest, ABombOfAliasesIsAMistakeAndNotTheEnd) {
  std::string text =
      "name: x\nobjects:\n  - object: default/a\n    body:\n      a0: &a0 [x, x, x, x, x, x, x, x, "
      "x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string one = "*a" + std::to_string(i - 1);
    text += "      a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + one;
    for (int k = 0; k < 9; ++k) text += ", " + one;
    text += "]\n";
  }
  EXPECT_THAT(MistakesIn(text), HasSubstr("too many parts"));
}

TEST(ScenarioTest, WhatNoLegalServerRefusesWithNeedsAWord) {
  for (const char* fault :
       {"fault: status, code: 200", "fault: status, code: 302", "fault: error, code: 201"}) {
    const std::string text = std::string("name: n\nfaults: [{on: watch, ") + fault + "}]\n";
    EXPECT_THAT(MistakesIn(text), HasSubstr("s.yaml:2:10: no legal server refuses with ")) << fault;
    EXPECT_TRUE(ParseScenario(text + "legal: false\n", "s.yaml").ok()) << fault;
  }
}

TEST(ScenarioTest, TheSentinelIsNobodysObject) {
  EXPECT_THAT(MistakesIn("name: n\nobjects:\n- {object: default/relist-sentinel}\n"),
              HasSubstr("s.yaml:3:3: \"relist-sentinel\" is written by every run at its end"));
}

TEST(ScenarioTest, AMessageIsOneLineWhateverItQuotes) {
  const std::string error = MistakesIn("name: n\n\"a\\e[31m\\nb\": 1\n");
  EXPECT_THAT(error, HasSubstr("a\\x1b[31m\\x0ab"));
  EXPECT_THAT(error, Not(HasSubstr("\n")));
}

TEST(ScenarioTest, AFileThatIsNotThereIsTold) {
  const Result<Scenario> scenario = LoadScenario("/nowhere/s.yaml");
  ASSERT_FALSE(scenario.ok());
  EXPECT_THAT(scenario.error().message(), HasSubstr("/nowhere/s.yaml: cannot be read"));
}

TEST(ScenarioTest, StepsByTimeGoInTheOrderOfTimeAndOtherwiseAsInTheFile) {
  const Result<Scenario> scenario = ParseScenario(R"(
name: n
clients: [{name: client, resource: configmaps}]
steps:
  - {at: 9s, do: evict}
  - {when: {on: watch, nth: 1}, do: restart}
  - {at: 2s, do: bookmark}
  - {at: 9s, do: compact}
)",
                                                  "s.yaml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  std::vector<StepSpec::Kind> kinds;
  for (const StepSpec* step : StepsByTime(*scenario)) kinds.push_back(step->kind);
  EXPECT_EQ(kinds, (std::vector{StepSpec::Kind::kBookmark, StepSpec::Kind::kEvict,
                                StepSpec::Kind::kCompact}));
}

}  // namespace
}  // namespace relist
