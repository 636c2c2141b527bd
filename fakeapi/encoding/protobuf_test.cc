#include "fakeapi/encoding/protobuf.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/wire/base64.h"
#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace protobuf_test {

using nlohmann::ordered_json;

// {"name", "body", "json" or "error"}: what Go made of a body (testdata/protobuf/README.md).
std::vector<ordered_json> SamplesOf(const std::string& file) {
  std::ifstream in(RELIST_SOURCE_DIR "/fakeapi/testdata/protobuf/" + file + ".json");
  return ordered_json::parse(in).get<std::vector<ordered_json>>();
}

// As Go's, kind and apiVersion first; or "error: " and its text.
std::string Decoded(const std::string& body, const std::string& kind) {
  Result<ProtobufBody> read = ReadProtobufBody(body);
  if (!read.ok()) return "error: " + read.error().message();
  Result<ordered_json> value = DecodeProtobuf(*FindProtobufKind(kind), read->raw);
  if (!value.ok()) return "error: " + value.error().message();
  ordered_json object = ordered_json::object();
  if (!read->kind.empty()) object["kind"] = read->kind;
  if (!read->api_version.empty()) object["apiVersion"] = read->api_version;
  object.update(*value);
  return object.dump();
}

void ExpectAsGo(const ordered_json& sample, const std::string& kind) {
  const std::string body = *DecodeBase64(sample["body"].get<std::string>());
  const std::string expected = sample.contains("json")
                                   ? sample["json"].dump()
                                   : "error: " + sample["error"].get<std::string>();
  EXPECT_EQ(Decoded(body, kind), expected) << kind << ": " << sample["name"];
}

TEST(Protobuf, EveryKindServedAndDeleteOptionsAreInTheTable) {
  for (const ResourceType* resource : AllResources()) {
    EXPECT_NE(FindProtobufKind(resource->kind()), nullptr) << resource->kind();
  }
  EXPECT_NE(FindProtobufKind("DeleteOptions"), nullptr);
  EXPECT_EQ(FindProtobufKind("Job"), nullptr);
}

TEST(Protobuf, EveryFieldOfEveryKindIsWhatGoMakesOfIt) {
  std::vector<std::string> kinds = {"DeleteOptions"};
  for (const ResourceType* resource : AllResources()) kinds.push_back(resource->kind());
  for (const std::string& kind : kinds) {
    const std::vector<ordered_json> samples = SamplesOf(kind);
    EXPECT_EQ(samples.size(), 3u);
    for (const ordered_json& sample : samples) ExpectAsGo(sample, kind);
  }
}

TEST(Protobuf, ObjectsAsPeopleWriteThemAreWhatGoMakesOfThem) {
  const std::vector<ordered_json> samples = SamplesOf("written");
  EXPECT_EQ(samples.size(), 10u);
  for (const ordered_json& sample : samples) ExpectAsGo(sample, sample["name"]);
}

TEST(Protobuf, BrokenBodiesAreRefusedOrReadAsGoDoes) {
  const std::vector<ordered_json> samples = SamplesOf("broken");
  EXPECT_GE(samples.size(), 150u);
  for (const ordered_json& sample : samples) {
    const std::string name = sample["name"];
    const std::string first = name.substr(0, name.find(' '));
    ExpectAsGo(sample, FindProtobufKind(first) != nullptr ? first : "Pod");
  }
}

TEST(Protobuf, NoMessageContainsItself) {
  // A chain of the table's messages ends: depth, and with it the stack, is bounded.
  const std::function<int(const ProtobufMessage&)> depth = [&](const ProtobufMessage& message) {
    int deepest = 0;
    for (const ProtobufField& field : message.fields) {
      if (field.message != nullptr) deepest = std::max(deepest, depth(*field.message));
    }
    return deepest + 1;
  };
  EXPECT_LE(depth(*FindProtobufKind("Deployment")), 15);
}

}  // namespace protobuf_test
}  // namespace relist::fakeapi
