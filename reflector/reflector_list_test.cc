// The list, its pages and its versions: what client-go's reflector_test.go says of them.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "reflector/decoding/list_decoder.h"
#include "reflector/reflector.h"
#include "reflector/testing/reflector_bench.h"

namespace relist {
namespace reflector_list_test {

using ::testing::ElementsAre;
using testing::ErrorEvent;
using testing::Ev;
using testing::Page;
using testing::ReflectorBench;
using testing::Stream;

constexpr char kFirstList[] = "list limit=500&resourceVersion=0";

std::string WatchFrom(const std::string& version) {
  return "watch allowWatchBookmarks=true&resourceVersion=" + version;
}

Error Expired() {
  return Error::Api(410, "Expired", "too old");
}

// A watch that ends in an error: the round is over.
std::unique_ptr<testing::QueueStream> Broken() {
  return Stream({ErrorEvent(500, "InternalError")});
}

TEST(ReflectorList, DescribesItsTypeByWhatItExpects) {  // RFL-01
  const auto described = [](const std::string& example, const std::string& given) {
    ReflectorOptions options;
    if (!example.empty()) ExpectTypeOf(**Object::Parse(example), &options);
    options.type_description = given;
    return ReflectorBench(std::move(options)).reflector.type_description();
  };
  EXPECT_EQ(described("", ""), "<unspecified>");
  EXPECT_EQ(described("{}", ""), "<unspecified>");
  EXPECT_EQ(described(R"({"kind":"Pod","apiVersion":"v1"})", ""), "/v1, Kind=Pod");
  EXPECT_EQ(described(R"({"kind":"MyKind","apiVersion":"mygroup/v1"})", ""),
            "mygroup/v1, Kind=MyKind");
  EXPECT_EQ(described(R"({"kind":"Pod","apiVersion":"v1"})", "my pods"), "my pods");
}

TEST(ReflectorList, ChecksKindsOnlyWhereAnExampleSaysOne) {  // RFL-01
  ReflectorOptions options;
  ExpectTypeOf(**Object::Parse("{}"), &options);
  EXPECT_EQ(options.expected_kind + options.expected_api_version, "");
  ExpectTypeOf(**Object::Parse(R"({"kind":"K","apiVersion":"g/v1"})"), &options);
  EXPECT_EQ(options.expected_kind + options.expected_api_version, "Kg/v1");
}

TEST(ReflectorList, RaisesSmallWatchTimeoutsAndTakesLongOnes) {  // RFL-02
  for (const auto& [asked, least] :
       {std::pair(Seconds(0), 300), std::pair(Seconds(1), 300), std::pair(Seconds(1800), 1800)}) {
    for (uint64_t seed = 1; seed < 20; ++seed) {
      SeededChoices choices(seed);
      ReflectorOptions options;
      options.choices = &choices;
      options.min_watch_timeout = asked;
      ReflectorBench bench(std::move(options));
      bench.RunFor(Millis(1));
      ASSERT_EQ(bench.lister.timeouts.size(), 1u);
      EXPECT_GE(bench.lister.timeouts[0], least);
      EXPECT_LT(bench.lister.timeouts[0], 2 * least);
    }
  }
}

TEST(ReflectorList, RelistsNotOlderThanWhatItSaw) {  // RFL-08
  ReflectorBench bench;
  bench.lister.Lists(Page("10", {"a@1"}));
  bench.lister.Watches(Broken());
  bench.lister.Lists(Page("11", {"a@1", "b@2"}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked,
              ElementsAre(kFirstList, WatchFrom("10"), "list resourceVersion=10", WatchFrom("11")));
  EXPECT_EQ(bench.store.objects.size(), 2u);
}

TEST(ReflectorList, ListsFromScratchWhereTheVersionIsGone) {  // RFL-11, RFL-12
  ReflectorBench bench;
  bench.lister.Watches(Broken());
  bench.lister.Lists(Page("10", {}));
  bench.lister.Lists(Expired());
  bench.lister.Lists(Page("11", {"a@1"}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstList, WatchFrom("10"),
                                              "list resourceVersion=10", "list ", WatchFrom("11")));
}

// The three ways in which servers have said it (RFL-13).
TEST(ReflectorList, ListsFromScratchWhereTheVersionIsTooLargeInAnyWording) {
  const auto too_large = [](const std::string& message, StatusCause cause) {
    Error error = Error::Api(504, "Timeout", message);
    error.status.details = StatusDetails{};
    if (!cause.reason.empty() || !cause.message.empty()) {
      error.status.details->causes.push_back(std::move(cause));
    }
    return error;
  };
  ReflectorBench bench;
  bench.lister.Lists(Page("20", {}));
  int version = 20;
  for (const Error& error :
       {too_large("too large resource version", {"ResourceVersionTooLarge", "", ""}),
        too_large("too large resource version", {"", "Too large resource version", ""}),
        too_large("Too large resource version", {})}) {
    bench.lister.Watches(Broken());
    bench.lister.Lists(error);
    bench.lister.Lists(Page(std::to_string(version += 10), {}));
  }
  bench.RunFor(Seconds(8));
  std::vector<std::string> lists;
  for (const std::string& request : bench.lister.asked) {
    if (request.starts_with("list")) lists.push_back(request);
  }
  EXPECT_THAT(lists,
              ElementsAre(kFirstList, "list resourceVersion=20", "list ", "list resourceVersion=30",
                          "list ", "list resourceVersion=40", "list "));
}

TEST(ReflectorList, PagesAsItIsToldAlsoWithAVersion) {  // RFL-09
  ReflectorOptions options;
  options.page_size = 4;
  ReflectorBench bench(std::move(options));
  bench.lister.Lists(Page("10", {}));
  bench.lister.Watches(Broken());
  bench.lister.Lists(Page("10", {"a@1", "b@2", "c@3", "d@4"}, "C1"));
  bench.lister.Lists(Page("99", {"e@5", "f@6", "g@7", "h@8"}, "C2"));
  bench.lister.Lists(Page("99", {"i@9", "j@10"}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked,
              ElementsAre("list limit=4&resourceVersion=0", WatchFrom("10"),
                          "list limit=4&resourceVersion=10", "list continue=C1&limit=4",
                          "list continue=C2&limit=4", WatchFrom("10")));
  EXPECT_EQ(bench.store.objects.size(), 10u);
}

TEST(ReflectorList, ListsWholeAtTheSameVersionWhereALaterPageExpired) {  // RFL-09, PGR-03
  ReflectorOptions options;
  options.page_size = 4;
  ReflectorBench bench(std::move(options));
  bench.lister.Lists(Page("10", {}));
  bench.lister.Watches(Broken());
  bench.lister.Lists(Page("11", {"a@1", "b@2", "c@3", "d@4"}, "C1"));
  bench.lister.Lists(Expired());
  bench.lister.Lists(Page("11", {"e@5"}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked,
              ElementsAre("list limit=4&resourceVersion=0", WatchFrom("10"),
                          "list limit=4&resourceVersion=10", "list continue=C1&limit=4",
                          "list resourceVersion=10", WatchFrom("11")));
}

TEST(ReflectorList, PagesForGoodWhereAListOfZeroCameInPages) {  // RFL-10
  ReflectorBench bench;
  bench.lister.Lists(Page("10", {"a@1"}, "C1"));
  bench.lister.Lists(Page("10", {"b@2"}));
  bench.lister.Watches(Broken());
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked,
              ElementsAre(kFirstList, "list continue=C1&limit=500", WatchFrom("10"),
                          "list limit=500&resourceVersion=10", WatchFrom("10")));
}

TEST(ReflectorList, DoesNotPageForGoodWhereALaterListCameInPages) {  // RFL-10
  ReflectorBench bench;
  bench.lister.Lists(Page("10", {}));
  bench.lister.Watches(Broken());
  bench.lister.Lists(Expired());
  bench.lister.Lists(Page("20", {"a@1"}, "C1"));
  bench.lister.Lists(Page("20", {"b@2"}));
  bench.lister.Watches(Broken());
  bench.RunFor(Seconds(4));
  EXPECT_EQ(bench.lister.asked[6], "list resourceVersion=20");
}

TEST(ReflectorList, DropsEachItemByItself) {  // RFL-15: no item holds its list in memory
  std::string body = R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[)";
  for (int i = 0; i < 100; ++i) {
    body += (i ? "," : "") + std::string(R"({"metadata":{"name":"o)") + std::to_string(i) + "\"}}";
  }
  ReflectorBench bench;
  std::vector<std::weak_ptr<const Object>> items;
  {
    Result<ListPage> page = DecodeList(body + "]}");
    ASSERT_TRUE(page.ok());
    for (const ObjectRef& item : page->items) items.push_back(item);
    bench.lister.Lists(std::move(page));
  }
  bench.RunFor(Seconds(1));
  ASSERT_EQ(bench.store.objects.size(), 100u);
  const ObjectRef kept = items[25].lock();
  bench.store.objects.clear();
  for (size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i].expired(), i != 25) << i;
  EXPECT_LT(kept->bytes().size(), 100u);
}

TEST(ReflectorList, IsGivenUpWithTheDeletionWhereAnObjectWasDeletedUnread) {  // RFL-17
  ReflectorBench bench;
  bench.lister.Lists(Page("3", {"x@1", "y@2", "z@3"}));
  bench.lister.Watches(Stream({Ev("ADDED", "corrupt@4"), ErrorEvent(500, "StorageReadError")}));
  bench.lister.Lists(Page("5", {"x@1", "y@2", "z@3"}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 3: x@1 y@2 z@3", "add corrupt@4", "rv 4",
                                             "replace 5: x@1 y@2 z@3"));
  EXPECT_EQ(bench.reflector.last_sync_resource_version(), "5");
  EXPECT_EQ(bench.store.objects.size(), 3u);
}

TEST(ReflectorList, TellsItsPositionToOtherThreads) {  // RFL-16
  ReflectorBench bench;
  auto stream = Stream({});
  for (int i = 0; i < 3000; ++i)
    stream->events.Push(Ev("MODIFIED", "a@" + std::to_string(100 + i)));
  bench.lister.Watches(std::move(stream));
  std::atomic<bool> over = false;
  size_t torn = 0;
  std::thread reader([&] {
    while (!over) torn += bench.reflector.last_sync_resource_version().size() > 4;
  });
  bench.RunFor(Seconds(1));
  over = true;
  reader.join();
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(bench.reflector.last_sync_resource_version(), "3099");
}

}  // namespace reflector_list_test
}  // namespace relist
