#include "scenarios/script/language.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/script/fault_spec.h"
#include "scenarios/script/step_spec.h"

namespace relist {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

std::vector<std::string> NamesOf(const LanguageMap& map) {
  std::vector<std::string> names;
  for (const YamlNotes::Key& key : map.keys) names.push_back(key.name);
  return names;
}

TEST(LanguageTest, HasEveryKindWithItsKeys) {
  const Language language = ScenarioLanguage();
  EXPECT_THAT(NamesOf(language.Of("scenario")),
              IsSupersetOf({"name", "report", "server", "clients", "objects", "steps", "faults",
                            "expect", "legal", "length", "calm"}));
  for (auto kind = StepSpec::Kind::kWrite; kind <= StepSpec::Kind::kAsk;
       kind = static_cast<StepSpec::Kind>(static_cast<int>(kind) + 1)) {
    const LanguageMap& map = language.Of("step: " + std::string(Name(kind)));
    EXPECT_THAT(NamesOf(map), IsSupersetOf({"at", "when", "do", "chance"})) << map.name;
    EXPECT_NE(map.says, "") << map.name;
  }
  for (auto kind = FaultSpec::Kind::kStatus; kind <= FaultSpec::Kind::kGzip;
       kind = static_cast<FaultSpec::Kind>(static_cast<int>(kind) + 1)) {
    const LanguageMap& map = language.Of("fault: " + std::string(Name(kind)));
    EXPECT_THAT(NamesOf(map), IsSupersetOf({"on", "nth", "fault", "chance", "events"})) << map.name;
    EXPECT_NE(map.says, "") << map.name;
  }
  EXPECT_THAT(NamesOf(language.Of("step: lag")), Contains("by"));
  EXPECT_THAT(NamesOf(language.Of("step: evict")), Not(Contains("by")));
  EXPECT_THAT(NamesOf(language.Of("fault: alter")), Contains("patch"));
  EXPECT_THAT(NamesOf(language.Of("fault: insert")), Contains("object"));
  EXPECT_THAT(NamesOf(language.Of("expect: client")),
              ElementsAre("requests", "lines", "callbacks", "store"));
  EXPECT_THAT(NamesOf(language.Of("expect: ask")), ElementsAre("requests", "lines", "items"));
}

// What has no shape is a map, a list, or anything; whoever reads a new one says what it is.
TEST(LanguageTest, EveryOtherKeyHasItsShape) {
  const std::vector<std::string> any = {"server", "within",   "clients", "objects",  "steps",
                                        "faults", "expect",   "backoff", "handlers", "when",
                                        "body",   "manifest", "status",  "patch",    "callbacks"};
  for (const LanguageMap& map : ScenarioLanguage().maps) {
    for (const YamlNotes::Key& key : map.keys) {
      if (!key.shapes.empty() || std::count(any.begin(), any.end(), key.name) > 0) continue;
      const bool is_object = key.name == "object" && map.name == "fault: insert";
      EXPECT_TRUE(is_object) << map.name << ": " << key.name;
    }
  }
}

TEST(LanguageTest, IsToldAndIsASchema) {
  const std::string text = LanguageText();
  EXPECT_EQ(text, LanguageText());
  EXPECT_THAT(text, HasSubstr("\nstep: evict (the watch windows start empty"));
  EXPECT_THAT(text,
              HasSubstr("\n  handlers                         1 to 20; or a list: handler\n"));
  EXPECT_THAT(text, HasSubstr("\nstep (every one has)\n  at "));
  EXPECT_THAT(text,
              HasSubstr("\nfault: slow (so many bytes a second, from there on)\n  per_second "));
  EXPECT_THAT(text, HasSubstr("\n  page_size                        0 to 100000\n"));
  EXPECT_THAT(text, HasSubstr("\n  list_deadline                    none; or a time, 1ms to 1h\n"));
  const auto schema = nlohmann::json::parse(LanguageSchema());
  EXPECT_EQ(schema["required"], nlohmann::json::array({"name"}));
  EXPECT_EQ(schema["definitions"]["step"]["oneOf"].size(), 16u);
  EXPECT_EQ(schema["definitions"]["fault"]["oneOf"].size(), 21u);
  EXPECT_EQ(schema["additionalProperties"], false);
}

}  // namespace
}  // namespace relist
