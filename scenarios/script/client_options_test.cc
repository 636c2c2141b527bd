#include "scenarios/script/client_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/script/scenario.h"

namespace relist {
namespace {

using ::testing::HasSubstr;

Scenario With(const std::string& text, const std::vector<std::string>& options) {
  const Result<std::string> changed = WithClientOptions(text, "s.yaml", options);
  EXPECT_TRUE(changed.ok()) << changed.error().message();
  const Result<Scenario> scenario = ParseScenario(changed.ok() ? *changed : "", "s.yaml");
  EXPECT_TRUE(scenario.ok());
  return scenario.ok() ? *scenario : Scenario();
}

TEST(ClientOptionsTest, EveryClientHasThem) {
  const Scenario scenario =
      With("name: n\nclients: [{name: a, page_size: 7}, {name: b}]\n",
           {"watch_deadline: false", "{page_size: 2, backoff: {initial: \"2s\"}}"});
  ASSERT_EQ(scenario.clients.size(), 2u);
  for (const ClientSpec& client : scenario.clients) {
    EXPECT_FALSE(client.watch_deadline);
    EXPECT_EQ(client.page_size, 2);
    EXPECT_EQ(client.backoff.initial, Seconds(2));
  }
  EXPECT_EQ(scenario.clients[1].name, "b");
}

TEST(ClientOptionsTest, AScenarioWithoutClientsHasOne) {
  for (const char* text : {"name: n\n", "name: n\nclients: []\n"})
    EXPECT_FALSE(With(text, {"streaming_list: false"}).clients.at(0).streaming_list);
}

TEST(ClientOptionsTest, WhatIsNoOptionIsTold) {
  const auto flaw = [](const std::string& option) {
    const Result<std::string> text = WithClientOptions("name: n\n", "s.yaml", {option});
    return text.ok() ? *text : text.error().message();
  };
  EXPECT_THAT(flaw("page_siez: 2"),
              HasSubstr("\"page_siez: 2\" is no client's option: unknown key \"page_siez\""));
  EXPECT_THAT(flaw("page_size: many"), HasSubstr("\"page_size\" is a whole number"));
  for (const char* option : {"page_size", "", "[", "- a"})
    EXPECT_THAT(flaw(option), HasSubstr("write KEY: VALUE")) << option;
  const Result<std::string> text = WithClientOptions("nme: n\n", "s.yaml", {});
  EXPECT_THAT(text.error().message(), HasSubstr("s.yaml:1:1: unknown key \"nme\""));
}

}  // namespace
}  // namespace relist
