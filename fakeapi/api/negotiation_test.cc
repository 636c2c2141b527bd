#include "fakeapi/api/negotiation.h"

#include <gtest/gtest.h>

namespace relist::fakeapi {
namespace negotiation_test {

constexpr const char* kTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
constexpr const char* kPartial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
constexpr const char* kPartialList =
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

std::string RefusalOf(std::string_view accept, Wanted wanted, std::string_view type = "") {
  Result<Negotiated> form = Negotiate(accept, wanted, type);
  EXPECT_FALSE(form.ok()) << accept;
  if (form.ok()) return "";
  EXPECT_EQ(form.error().status.code, 406);
  EXPECT_EQ(form.error().status.reason, "NotAcceptable");
  return form.error().message();
}

TEST(Negotiation, JsonIsTheAnswerToEveryVagueWish) {
  for (const char* accept : {"", "*/*", "application/json", "application/*, application/json",
                             "text/html, */*", "application/json;stream=watch"}) {
    for (const Wanted wanted : {Wanted::kObject, Wanted::kList, Wanted::kWatch}) {
      Result<Negotiated> form = Negotiate(accept, wanted);
      ASSERT_TRUE(form.ok()) << accept;
      EXPECT_EQ(form->media, Media::kJson);
      EXPECT_EQ(form->shape, Shape::kObject);
    }
  }
}

TEST(Negotiation, TheClientsOrderDecidesAndQComesBeforeIt) {
  EXPECT_EQ(Negotiate("application/yaml,application/json", Wanted::kList)->media, Media::kYaml);
  EXPECT_EQ(Negotiate("application/yaml;q=0.5,application/json", Wanted::kList)->media,
            Media::kJson);
  EXPECT_EQ(Negotiate("*/*,application/yaml", Wanted::kList)->media, Media::kYaml);
}

TEST(Negotiation, ProtobufOrJsonIsJson) {
  EXPECT_EQ(Negotiate("application/vnd.kubernetes.protobuf,application/json", Wanted::kList)->media,
            Media::kJson);
  EXPECT_EQ(Negotiate("application/vnd.kubernetes.protobuf;stream=watch, application/json",
                      Wanted::kWatch)
                ->media,
            Media::kJson);
}

TEST(Negotiation, ProtobufAloneIsNotAcceptable) {
  EXPECT_EQ(RefusalOf("application/vnd.kubernetes.protobuf", Wanted::kList),
            "only the following media types are accepted: application/json, application/yaml");
}

TEST(Negotiation, AWatchIsNotStreamedAsYaml) {
  for (const char* accept :
       {"application/yaml", "application/json;q=0.1, application/yaml;q=0.9"}) {
    const Result<Negotiated> form = Negotiate(accept, Wanted::kWatch);
    ASSERT_TRUE(form.ok() && form->refusal != nullptr) << accept;
    EXPECT_EQ(form->refusal->message,
              "only the following media types are accepted: application/json;stream=watch, "
              "application/vnd.kubernetes.protobuf;stream=watch");
    EXPECT_EQ(form->error_media, Media::kYaml);
  }
  EXPECT_EQ(Negotiate("application/yaml", Wanted::kList)->refusal, nullptr);
}

TEST(Negotiation, WhatTheRouterDoesNotKnowIsRefusedWithAllThatThereIs) {
  for (const char* accept : {"application/xml", "text/html", "application/cbor"}) {
    const std::string one =
        "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, "
        "application/vnd.kubernetes.protobuf";
    EXPECT_EQ(RefusalOf(accept, Wanted::kObject), one);
    EXPECT_EQ(RefusalOf(accept, Wanted::kList),
              one +
                  ", application/json;stream=watch, "
                  "application/vnd.kubernetes.protobuf;stream=watch");
  }
}

TEST(Negotiation, AClauseThatNothingFitsIsToldOfListsInAWatchToo) {
  for (const char* accept : {"application/json;as=Table", "application/json;stream=other",
                             "application/yaml;stream=watch"}) {
    EXPECT_EQ(RefusalOf(accept, Wanted::kWatch),
              "only the following media types are accepted: application/json, application/yaml, "
              "application/vnd.kubernetes.protobuf");
  }
}

TEST(Negotiation, AnErrorTakesTheFirstClauseWithoutAShape) {
  EXPECT_TRUE(Negotiate(kTable, Wanted::kList)->error_raw);
  const auto error = [](std::string accept) { return *Negotiate(accept, Wanted::kList); };
  EXPECT_FALSE(error(std::string(kTable) + ", application/json").error_raw);
  EXPECT_EQ(error(std::string(kTable) + ", application/json").error_media, Media::kJson);
  EXPECT_EQ(error(std::string(kTable) + ", application/yaml").error_media, Media::kYaml);
  EXPECT_EQ(error("application/yaml").error_media, Media::kYaml);
  EXPECT_TRUE(error("application/yaml;as=Table;v=v1;g=meta.k8s.io").error_raw);
}

TEST(Negotiation, ShapesAreTakenFromTheFirstClauseThatIsKnown) {
  EXPECT_EQ(Negotiate(kTable, Wanted::kList)->shape, Shape::kTable);
  EXPECT_EQ(Negotiate(kPartial, Wanted::kObject)->shape, Shape::kPartialObjectMetadata);
  EXPECT_EQ(Negotiate(kPartial, Wanted::kWatch)->shape, Shape::kPartialObjectMetadata);
  EXPECT_EQ(Negotiate(kPartialList, Wanted::kList)->shape, Shape::kPartialObjectMetadataList);
  Result<Negotiated> older = Negotiate(
      "application/json;as=Table;v=v1alpha9;g=meta.k8s.io,"
      "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
      Wanted::kList);
  EXPECT_EQ(older->shape, Shape::kTable);
  EXPECT_EQ(older->version, "v1beta1");
  EXPECT_EQ(
      Negotiate("application/json;as=Nonsense;v=v1;g=meta.k8s.io,application/json", Wanted::kList)
          ->shape,
      Shape::kObject);
}

TEST(Negotiation, AShapeThatDoesNotFitTheAnswerIsRefusedInItsPlace) {
  const Result<Negotiated> list = Negotiate(kPartial, Wanted::kList, "core.ConfigMapList");
  ASSERT_TRUE(list.ok() && list->refusal != nullptr);
  EXPECT_EQ(list->refusal->code, 406);
  EXPECT_EQ(list->refusal->message,
            "you requested PartialObjectMetadata, but the requested object is a list "
            "(*core.ConfigMapList)");
  const Result<Negotiated> object = Negotiate(kPartialList, Wanted::kObject, "core.ConfigMap");
  ASSERT_TRUE(object.ok() && object->refusal != nullptr);
  EXPECT_EQ(object->refusal->message,
            "you requested PartialObjectMetadataList, but the requested object is not a list "
            "(*core.ConfigMap)");
  EXPECT_EQ(Negotiate(kPartialList, Wanted::kList)->refusal, nullptr);
  EXPECT_NE(Negotiate(kPartialList, Wanted::kWatch)->refusal, nullptr);
}

TEST(Negotiation, AStatusOfAFailedNegotiationTakesWhatIsGoodForIt) {
  EXPECT_TRUE(NotNegotiated("text/html").raw);
  EXPECT_TRUE(NotNegotiated("application/json;as=Table").raw);
  EXPECT_FALSE(NotNegotiated("application/*").raw);
  EXPECT_EQ(NotNegotiated("application/yaml").error_media, Media::kYaml);
}

TEST(Negotiation, PrettyIsForThoseWhoAskAndForPeople) {
  EXPECT_TRUE(WantsPretty({{"pretty", "true"}}, ""));
  EXPECT_TRUE(WantsPretty({{"pretty", "1"}}, ""));
  EXPECT_FALSE(WantsPretty({{"pretty", "no"}}, "curl/7.88"));
  EXPECT_FALSE(WantsPretty({{"pretty", "false"}}, "curl/7.88"));
  EXPECT_TRUE(WantsPretty({}, "curl/7.88"));
  EXPECT_TRUE(WantsPretty({}, "Mozilla/5.0 (X11)"));
  EXPECT_FALSE(WantsPretty({}, "kubectl/v1.37"));
}

TEST(Negotiation, IncludeObjectHasThreeValues) {
  EXPECT_EQ(*ParseIncludeObject(""), IncludeObject::kMetadata);
  EXPECT_EQ(*ParseIncludeObject("None"), IncludeObject::kNone);
  EXPECT_EQ(*ParseIncludeObject("Object"), IncludeObject::kObject);
  EXPECT_EQ(ParseIncludeObject("all").error().status.code, 400);
  EXPECT_EQ(
      ParseIncludeObject("all").error().message(),
      "Unable to convert to Table as requested: includeObject: Invalid value: \"all\": must be "
      "'Metadata', 'Object', 'None', or empty");
}

}  // namespace negotiation_test
}  // namespace relist::fakeapi
