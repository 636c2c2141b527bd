#include "fakeapi/write/body_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/wire/base64.h"
#include "fakeapi/write/write_bench.h"

namespace relist::fakeapi {
namespace body_reader_test {

using Json = WriteBench::Json;

constexpr const char* kProtobuf = "application/vnd.kubernetes.protobuf";
// metadata.name "a".
constexpr std::string_view kNamedA("\x0a\x03\x0a\x01\x61", 5);

std::string Field(int number, std::string_view bytes) {
  std::string field{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())};
  return field.append(bytes);
}

std::string Enveloped(std::string_view api_version, std::string_view kind, std::string_view raw) {
  const std::string type = Field(1, api_version) + Field(2, kind);
  return std::string("k8s\0", 4) + Field(1, type) + Field(2, raw);
}

nlohmann::ordered_json SampleOf(const std::string& kind) {
  std::ifstream in(RELIST_SOURCE_DIR "/fakeapi/testdata/protobuf/written.json");
  for (const nlohmann::ordered_json& sample : nlohmann::ordered_json::parse(in)) {
    if (sample["name"] == kind) return sample;
  }
  return nullptr;
}

std::string BodyOf(const nlohmann::ordered_json& sample) {
  return *DecodeBase64(sample["body"].get<std::string>());
}

TEST(ProtobufBodies, AreStoredAsTheSameObjectInJsonWouldBe) {
  for (const ResourceType* resource : AllResources()) {
    const std::string& plural = resource->resource.plural;
    const nlohmann::ordered_json sample = SampleOf(resource->kind());
    ASSERT_TRUE(sample.is_object()) << plural;
    WriteBench json, protobuf;
    const Json expected = json.Create(plural, sample["json"].dump());
    EXPECT_EQ(protobuf.Create(plural, BodyOf(sample), {}, kProtobuf), expected);
    EXPECT_EQ(protobuf.status(), json.status());
    EXPECT_EQ(protobuf.last.BodyText(), json.last.BodyText());
    EXPECT_EQ(protobuf.status(), 201) << expected;
  }
}

TEST(ProtobufBodies, ReplaceObjects) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"},"data":{"k":"v"}})");
  const std::string data = Field(2, Field(1, "k") + Field(2, "new"));
  bench.Send(WriteVerb::kReplace, "cm", "a",
             Enveloped("v1", "ConfigMap", std::string(kNamedA) + data), {}, kProtobuf);
  EXPECT_EQ(bench.status(), 200);
  EXPECT_NE(bench.Find("cm", "a")->bytes.find(R"("data":{"k":"new"})"), std::string::npos);
}

TEST(ProtobufBodies, WithoutAKindAreOfTheResources) {
  WriteBench bench;
  bench.Create("deployments", Enveloped("", "", kNamedA), {}, kProtobuf);
  EXPECT_EQ(bench.status(), 201);
}

TEST(ProtobufBodies, UnknownFieldsAreLeftOutEvenWhereStrictnessIsAskedFor) {
  WriteBench bench;
  const std::string raw = std::string(kNamedA) + "\x78\x01";  // field 15
  bench.Create("cm", Enveloped("v1", "ConfigMap", raw), {{"fieldValidation", "Strict"}}, kProtobuf);
  EXPECT_EQ(bench.status(), 201);
  EXPECT_EQ(bench.Header("Warning"), "");
}

TEST(ProtobufBodies, ThatAreNoneAreRefusedInTheRealServersWords) {
  const std::string unrecognized =
      "the object provided is unrecognized (must be of type ConfigMap): ";
  const std::string handled = "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: ";
  const std::pair<std::string, std::string> kCases[] = {
      {"", unrecognized + "empty data (<empty>)"},
      {std::string("k8s\0", 4), unrecognized + "empty body (6b387300)"},
      {R"({"kind":"ConfigMap"})",
       unrecognized +
           "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] "
           R"(({"kind":"ConfigMap"}))"},
      {std::string("k8s\0\x7f", 5), unrecognized + "proto: illegal wireType 7 (6b3873007f)"},
      {std::string("k8s\0\x0a\x05", 6), unrecognized + "unexpected EOF (6b3873000a05)"},
      {Enveloped("v1", "ConfigMap", "\x0a\x05"), handled + "unexpected EOF"},
      {Enveloped("v1", "ConfigMap", "\x08\x05"),
       handled + "proto: wrong wireType = 0 for field ObjectMeta"},
      {Enveloped("v1", "Secret", kNamedA),
       "Secret in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Secret) to "
       "(core.ConfigMap): unknown conversion"},
      {Enveloped("batch/v1", "Job", kNamedA),
       "Job in version \"v1\" cannot be handled as a ConfigMap: no kind \"Job\" is registered for "
       "version \"batch/v1\" in scheme \"pkg/runtime/scheme.go:110\""}};
  WriteBench bench;
  for (const auto& [body, text] : kCases) {
    EXPECT_EQ(bench.Create("cm", body, {}, kProtobuf)["message"], text);
    EXPECT_EQ(bench.status(), 400);
  }
}

TEST(BodyMedia, ParametersDoNotCountAndTheRestIsRefusedWithWhatIsAccepted) {
  WriteBench bench;
  const std::string body = Enveloped("v1", "ConfigMap", kNamedA);
  bench.Create("cm", body, {}, std::string(kProtobuf) + "; stream=watch");
  EXPECT_EQ(bench.status(), 201);
  bench.Create("cm", body, {}, "APPLICATION/vnd.Kubernetes.protobuf");
  EXPECT_EQ(bench.status(), 409);
  for (const char* media : {"application/protobuf", "application/cbor", "text/plain"}) {
    EXPECT_EQ(bench.Create("cm", body, {}, media)["message"],
              "the body of the request was in an unknown format - accepted media types include: "
              "application/json, application/yaml, application/vnd.kubernetes.protobuf");
    EXPECT_EQ(bench.status(), 415);
  }
}

TEST(BodyMedia, APatchIsNeverProtobuf) {
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  const Json refused =
      bench.Patch("cm", "a", Enveloped("v1", "ConfigMap", kNamedA), "vnd.kubernetes.protobuf");
  EXPECT_EQ(refused["message"], "415: Unsupported Media Type");
  EXPECT_EQ(bench.status(), 415);
}

TEST(ProtobufDeleteOptions, SayTheSameAsInJson) {
  const nlohmann::ordered_json sample = SampleOf("DeleteOptions");
  WriteBench bench;
  const Json made = bench.Create("cm", R"({"metadata":{"name":"a"}})");
  const auto remove = [&](const std::string& body) {
    return bench.Send(WriteVerb::kDelete, "cm", "a", body, {}, kProtobuf);
  };
  EXPECT_EQ(remove(BodyOf(sample)), bench.Delete("cm", "a", sample["json"].dump()));
  EXPECT_EQ(bench.status(), 409);  // uid "u"
  const std::string uid = made["metadata"]["uid"];
  const std::string preconditions = Field(2, Field(1, uid));
  remove(Enveloped("apps/v1", "DeleteOptions", preconditions + Field(5, "All")));
  EXPECT_EQ(bench.status(), 200);
  EXPECT_NE(bench.Find("cm", "a"), nullptr);  // a dry run
  const Json held = remove(Enveloped("", "", preconditions + Field(4, "Foreground")));
  EXPECT_EQ(held["metadata"]["finalizers"], Json::array({"foregroundDeletion"}));
  remove(Enveloped("v1", "DeleteOptions", preconditions + Field(4, "Background")));
  EXPECT_EQ(bench.Find("cm", "a"), nullptr);
}

TEST(ProtobufDeleteOptions, ThatAreNoneAreRefused) {
  const std::pair<std::string, std::string> kCases[] = {
      {"no",
       "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"},
      {std::string("k8s\0\x0a", 5), "unexpected EOF"},
      {Enveloped("v1", "DeleteOptions", "\x0d"),
       "proto: wrong wireType = 5 for field GracePeriodSeconds"},
      {Enveloped("v1", "DeleteOptions", Field(4, "Sideways")),
       "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value: "
       "\"Sideways\": "
       "supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\""},
      {Enveloped("v1", "Pod", "\x0d"),
       "no kind \"Pod\" is registered for version \"v1\" in scheme \"pkg/runtime/scheme.go:110\""}};
  WriteBench bench;
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  for (const auto& [body, text] : kCases) {
    const Json refused = bench.Send(WriteVerb::kDelete, "cm", "a", body, {}, kProtobuf);
    EXPECT_EQ(refused["message"], text);
  }
  EXPECT_NE(bench.Find("cm", "a"), nullptr);
}

}  // namespace body_reader_test
}  // namespace relist::fakeapi
