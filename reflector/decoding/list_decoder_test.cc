#include "reflector/decoding/list_decoder.h"

#include <gmock/gmock.h>

namespace relist {
namespace list_decoder_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string List(const std::string& items, const std::string& more = "") {
  return R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"10"})" + more +
         ",\"items\":" + items + "}";
}

std::string WhyNot(const std::string& body) {
  const Result<ListPage> page = DecodeList(body);
  return page.ok() ? "good" : page.error().message();
}

TEST(ListDecoder, ReadsItemsAndMetadata) {
  const Result<ListPage> page = DecodeList(
      R"( {"kind":"ConfigMapList", "apiVersion":"v1","metadata":{"resourceVersion":"10","continue":"tok","remainingItemCount":3},
        "items":[ {"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7"},"x":"}],"} ,{"kind":"Other","apiVersion":"v2","metadata":{"name":"b"}}]} )");
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_EQ(page->kind, "ConfigMapList");
  EXPECT_EQ(page->resource_version, "10");
  EXPECT_EQ(page->continue_token, "tok");
  EXPECT_EQ(page->remaining_item_count, 3);
  ASSERT_EQ(page->items.size(), 2u);
  EXPECT_EQ(page->items[0]->key(), (ObjectKey{"n", "a"}));
  EXPECT_EQ(page->items[0]->uid(), "u");
  EXPECT_EQ(page->items[0]->resource_version(), "7");
  EXPECT_EQ(
      page->items[0]->bytes(),
      R"({"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7"},"x":"}],"})");
}

TEST(ListDecoder, LetsItemsInheritTheirKind) {  // NET-14
  const Result<ListPage> page = DecodeList(List(R"([{},{"kind":"K"},{"apiVersion":"v9"}])"));
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->items[0]->kind(), "ConfigMap");
  EXPECT_EQ(page->items[0]->api_version(), "v1");
  EXPECT_EQ(page->items[1]->kind(), "K");
  EXPECT_EQ(page->items[1]->api_version(), "");
  EXPECT_EQ(page->items[2]->kind(), "");
}

TEST(ListDecoder, InheritsAlsoWhatComesAfterTheItems) {
  const Result<ListPage> page =
      DecodeList(R"({"items":[{}],"kind":"PodList","apiVersion":"v1","metadata":{}})");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->items[0]->kind(), "Pod");
}

TEST(ListDecoder, TakesEmptyListsInEveryForm) {
  for (const char* items : {"[]", "null", "[ ]"}) {
    const Result<ListPage> page = DecodeList(List(items));
    ASSERT_TRUE(page.ok()) << items;
    EXPECT_TRUE(page->items.empty());
  }
  EXPECT_TRUE(DecodeList(R"({"kind":"PodList"})").ok());
}

TEST(ListDecoder, SkipsItemsThatAreNull) {  // C18
  const Result<ListPage> page = DecodeList(List(R"([null,{"metadata":{"name":"a"}},null])"));
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page->items.size(), 1u);
}

TEST(ListDecoder, LetsTheLastOfDuplicateKeysWin) {
  const Result<ListPage> page = DecodeList(
      R"({"kind":"XList","items":[{"metadata":{"name":"old"}}],"metadata":{"resourceVersion":"1"},"metadata":{"resourceVersion":"2"},"items":[{"metadata":{"name":"new"}}]})");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->resource_version, "2");
  ASSERT_EQ(page->items.size(), 1u);
  EXPECT_EQ(page->items[0]->key().name, "new");
}

TEST(ListDecoder, MendsTheOneItemThatHoldsInvalidUtf8) {
  const Result<ListPage> page = DecodeList(
      List("[{\"metadata\":{\"name\":\"a\"},\"d\":\"\xc3\"},{\"metadata\":{\"name\":\"b\"}}]"));
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_EQ(page->items[0]->bytes(), "{\"metadata\":{\"name\":\"a\"},\"d\":\"\xef\xbf\xbd\"}");
  EXPECT_EQ(page->items[1]->key().name, "b");
}

TEST(ListDecoder, ReadsKeysThatAreSpelledWithEscapes) {
  const Result<ListPage> page =
      DecodeList(R"({"\u006bind":"XList","it\u0065ms":[{"metadata":{"name":"a"}}]})");
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_EQ(page->items.size(), 1u);
}

TEST(ListDecoder, TakesNumbersThatFitNoMachineWord) {
  const std::string big = "123456789012345678901234567890";
  const Result<ListPage> page =
      DecodeList(List("[{\"n\":" + big + ",\"metadata\":{\"name\":\"a\"}}]", ",\"x\":" + big));
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_EQ(page->items[0]->key().name, "a");
  EXPECT_EQ(page->items[0]->kind(), "ConfigMap");
}

TEST(ListDecoder, RefusesWhatIsNoList) {
  EXPECT_THAT(WhyNot(R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[]})"),
              HasSubstr("unsupported list gvk meta.k8s.io/v1 Table"));
  EXPECT_THAT(WhyNot(R"({"kind":"ConfigMap","metadata":{"name":"x"}})"), HasSubstr("no list"));
  EXPECT_THAT(WhyNot(R"({"items":[]})"), HasSubstr("'Kind' is missing"));
  EXPECT_THAT(WhyNot(List("{}")), HasSubstr("unable to understand"));
  EXPECT_THAT(WhyNot(List(R"([{},5])")), HasSubstr("item 1"));
  EXPECT_THAT(WhyNot(List(R"([{},"x"])")), HasSubstr("item 1"));
}

TEST(ListDecoder, RefusesWhatIsNoJson) {
  for (const std::string& body : {std::string(""),
                                  std::string("<html>"),
                                  std::string("[]"),
                                  std::string("{"),
                                  List("[{}"),
                                  List("[{},]"),
                                  List("[{}{}]"),
                                  List("[{]"),
                                  List("[]") + "x",
                                  List("[]", ",\"x\":tru"),
                                  List("[]", ",\"x\":"),
                                  List("[]", ",x:1"),
                                  List("[]", ",,"),
                                  List("[{\"a\":}]"),
                                  std::string(R"({"kind":"XList","metadata":x"y","metadata":{}})"),
                                  std::string(R"({"kind":"XList","items":[{x}],"items":[]})"),
                                  List("[]", ",\"\x1b\":1"),
                                  List("[]", ",\"x\":01"),
                                  List("[{\"x\":1.}]"),
                                  List("[]", std::string(",\"x\":4\0\0", 8)),
                                  List("[]", std::string(",\"x\":true\0", 10)),
                                  List(std::string("[4\0]", 4)),
                                  List("[]") + std::string("\0", 1),
                                  List("[]") + std::string("\0x", 2),
                                  std::string("{\"kind\":\"XList\" \"items\":[]}")}) {
    EXPECT_FALSE(DecodeList(body).ok()) << body;
  }
}

TEST(ListDecoder, GivesAFailureAsItsError) {
  const Result<ListPage> page = DecodeList(
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410})");
  ASSERT_FALSE(page.ok());
  EXPECT_TRUE(IsExpired(page.error()));
}

TEST(ListDecoder, SurvivesNestingOfAHundredThousand) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_FALSE(DecodeList(List("[{\"x\":" + deep + "}]")).ok());
  EXPECT_FALSE(DecodeList(List("[]", ",\"x\":" + deep)).ok());
  EXPECT_FALSE(DecodeList(deep).ok());
}

}  // namespace list_decoder_test
}  // namespace relist
