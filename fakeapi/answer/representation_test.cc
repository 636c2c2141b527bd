#include "fakeapi/answer/representation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/write/write_bench.h"

namespace relist::fakeapi {
namespace representation_test {

using nlohmann::json;

class Representation : public testing::Test {
 protected:
  Representation() {
    bench_.Create("cm",
                  R"({"metadata":{"name":"a","annotations":{"q":"\"}}]"}},"data":{"k":"x\"}]{"}})");
    object_ = bench_.Find("cm", "a");
  }
  std::string Header(const Response& response, const std::string& name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return "";
  }

  WriteBench bench_;
  const ResourceType& configmaps_ = *FindByName("cm");
  StoredRef object_;
};

TEST_F(Representation, AnObjectSharesItsStoredBytes) {
  const Response response = RenderObject(configmaps_, object_, {}, bench_.now);
  bool shared = false;
  for (const Slice& slice : response.body) shared |= slice.owner == object_;
  EXPECT_TRUE(shared);
  EXPECT_TRUE(response.BodyText().starts_with(R"({"kind":"ConfigMap","apiVersion":"v1","meta)"));
  EXPECT_TRUE(response.BodyText().ends_with("}\n"));
  EXPECT_EQ(Header(response, "Content-Type"), "application/json");
  EXPECT_FALSE(response.chunked);
}

TEST_F(Representation, MetadataIsCutOutWhateverStringsHold) {
  EXPECT_EQ(json::parse(MetadataBytes(*object_)), json::parse(object_->bytes)["metadata"]);
}

TEST_F(Representation, ATableRowCarriesWhatWasAskedFor) {
  Negotiated form;
  form.shape = Shape::kTable;
  json table = json::parse(ObjectJson(configmaps_, *object_, form, bench_.now));
  EXPECT_EQ(table["apiVersion"], "meta.k8s.io/v1");
  EXPECT_EQ(table["metadata"]["resourceVersion"], std::to_string(object_->revision));
  EXPECT_EQ(table["rows"][0]["cells"], json::parse(R"(["a",1,"0s"])"));
  EXPECT_EQ(table["rows"][0]["object"]["kind"], "PartialObjectMetadata");
  form.include_object = IncludeObject::kNone;
  table = json::parse(ObjectJson(configmaps_, *object_, form, bench_.now, false));
  EXPECT_TRUE(table["rows"][0]["object"].is_null());
  EXPECT_TRUE(table["columnDefinitions"].is_null());
  form.include_object = IncludeObject::kObject;
  form.version = "v1beta1";
  table = json::parse(ObjectJson(configmaps_, *object_, form, bench_.now));
  EXPECT_EQ(table["apiVersion"], "meta.k8s.io/v1beta1");
  EXPECT_EQ(table["rows"][0]["object"]["data"]["k"], "x\"}]{");
}

TEST_F(Representation, AListHasItsHeadAndItemsWithoutKind) {
  ListHead head{7, "token", 3};
  const json list =
      json::parse(RenderList(configmaps_, head, {object_}, {}, bench_.now).BodyText());
  EXPECT_EQ(list["kind"], "ConfigMapList");
  EXPECT_EQ(list["metadata"],
            json::parse(R"({"resourceVersion":"7","continue":"token","remainingItemCount":3})"));
  EXPECT_FALSE(list["items"][0].contains("kind"));
  const std::string empty = RenderList(configmaps_, {}, {}, {}, bench_.now).BodyText();
  EXPECT_TRUE(empty.ends_with("\"items\":[]}\n")) << empty;
}

TEST_F(Representation, LongAnswersAreChunkedAsGoDoes) {
  bench_.Create("cm",
                R"({"metadata":{"name":"b"},"data":{"k":")" + std::string(3000, 'x') + "\"}}");
  EXPECT_TRUE(bench_.last.chunked);
}

TEST_F(Representation, YamlIsSortedAndPrettyEndsWithoutANewline) {
  Negotiated form;
  form.media = Media::kYaml;
  const Response yaml = RenderObject(configmaps_, object_, form, bench_.now);
  EXPECT_EQ(Header(yaml, "Content-Type"), "application/yaml");
  EXPECT_TRUE(yaml.BodyText().starts_with("apiVersion: v1\ndata:\n  k: x\"}]{\nkind: ConfigMap\n"))
      << yaml.BodyText();
  Negotiated pretty;
  pretty.pretty = true;
  const std::string text = RenderObject(configmaps_, object_, pretty, bench_.now).BodyText();
  EXPECT_TRUE(text.starts_with("{\n  \"kind\": \"ConfigMap\",\n")) << text;
  EXPECT_TRUE(text.ends_with("}"));
}

TEST_F(Representation, IndentingLeavesStringsAndEmptyThingsAlone) {
  EXPECT_EQ(IndentJson(R"({"a":{},"b":[],"c":[1,{"d":"x,{:\"}"}]})"),
            "{\n  \"a\": {},\n  \"b\": [],\n  \"c\": [\n    1,\n    {\n      \"d\": "
            "\"x,{:\\\"}\"\n    }\n  ]\n}");
}

TEST_F(Representation, ABookmarkIsTheKindsZeroValue) {
  EXPECT_EQ(BookmarkJson(configmaps_, 9, false, {}),
            R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"9"}})");
  const json pod = json::parse(BookmarkJson(*FindByName("pods"), 9, true, {}));
  EXPECT_EQ(pod["spec"], json::parse(R"({"containers":null})"));
  EXPECT_EQ(pod["metadata"]["annotations"]["k8s.io/initial-events-end"], "true");
}

TEST_F(Representation, ABookmarkInATableHasItsObjectEvenWhereNoneIsAskedFor) {
  Negotiated form;
  form.shape = Shape::kTable;
  form.include_object = IncludeObject::kNone;
  const json table = json::parse(BookmarkJson(configmaps_, 9, true, form));
  EXPECT_EQ(table["rows"][0]["object"]["kind"], "PartialObjectMetadata");
  EXPECT_EQ(table["rows"][0]["object"]["metadata"]["resourceVersion"], "9");
}

TEST_F(Representation, AStatusSetsCodeAndRetryAfterAndIsNeverATable) {
  Status status;
  status.code = 504;
  status.details = StatusDetails{};
  status.details->retry_after_seconds = 1;
  Negotiated form;
  form.shape = Shape::kTable;
  const Response response = RenderStatus(status, form);
  EXPECT_EQ(response.status, 504);
  EXPECT_EQ(Header(response, "Retry-After"), "1");
  EXPECT_EQ(json::parse(response.BodyText())["kind"], "Status");
  EXPECT_FALSE(RenderStatus(status, NotNegotiated("text/html")).BodyText().ends_with("\n"));
}

TEST_F(Representation, AFailureHasAMediaTypeOfItsOwnAndASuccessHasNot) {
  Status status;
  status.code = 410;
  Negotiated form;
  form.media = Media::kYaml;
  form.error_raw = true;
  EXPECT_EQ(Header(RenderStatus(status, form), "Content-Type"), "application/json");
  EXPECT_TRUE(RenderStatus(status, form).BodyText().starts_with("{\n  \"kind\": \"Status\""));
  form.error_raw = false;
  form.error_media = Media::kYaml;
  EXPECT_EQ(Header(RenderStatus(status, form), "Content-Type"), "application/yaml");
  status.code = 0;
  form.error_media = Media::kJson;
  EXPECT_EQ(Header(RenderStatus(status, form), "Content-Type"), "application/yaml");
}

TEST_F(Representation, WhatSucceedsIsTheRefusalWhereThereIsOne) {
  Status status;
  status.code = 406;
  Negotiated form;
  form.refusal = std::make_shared<Status>(status);
  EXPECT_EQ(RenderObject(configmaps_, object_, form, bench_.now).status, 406);
  EXPECT_EQ(RenderList(configmaps_, {}, {object_}, form, bench_.now).status, 406);
}

TEST_F(Representation, AListOfPartialObjectsThatIsEmptyIsNull) {
  Negotiated form;
  form.shape = Shape::kPartialObjectMetadataList;
  const auto body = [&](const std::vector<StoredRef>& items) {
    return RenderList(configmaps_, {5, "", {}}, items, form, bench_.now).BodyText();
  };
  EXPECT_TRUE(body({}).ends_with(R"("metadata":{"resourceVersion":"5"},"items":null})"
                                 "\n"));
  EXPECT_TRUE(body({object_}).ends_with("}]}\n"));
  form.shape = Shape::kTable;
  EXPECT_TRUE(body({}).ends_with("\"rows\":[]}\n"));
}

}  // namespace representation_test
}  // namespace relist::fakeapi
