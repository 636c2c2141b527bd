#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fakeapi/read/read_test_world.h"
#include "fakeapi/store/pagination.h"

namespace relist::fakeapi {
namespace list_handler_test {

// a=1, b=1, then b=2, a goes, c=1: revisions 2 to 6.
class Lists : public testing::Test {
 protected:
  Lists() {
    world_.Put("ns/a", "1", {{"app", "x"}});
    world_.Put("ns/b", "1", {{"app", "y"}});
    world_.Put("ns/b", "2", {{"app", "y"}});
    world_.Remove("ns/a");
    world_.Put("ns/c", "1", {{"app", "x"}});
  }
  std::string Items(const std::string& query) { return ItemsOf(world_.List(query)); }
  std::string Revision(const std::string& query) {
    return MetaOf(world_.List(query), "resourceVersion");
  }

  ReadTestWorld world_;
};

TEST_F(Lists, WithoutAResourceVersionAreTheNewest) {
  EXPECT_EQ(Items(""), "b=2 c=1");
  EXPECT_EQ(Revision(""), "6");
  world_.Elsewhere();
  EXPECT_EQ(Revision(""), "7") << "the clock is everybody's";
}

TEST_F(Lists, NotOlderThanAreTheNewest) {
  for (const char* query : {"resourceVersion=0", "resourceVersion=3",
                            "resourceVersion=3&resourceVersionMatch=NotOlderThan",
                            "resourceVersion=0&resourceVersionMatch=NotOlderThan"}) {
    EXPECT_EQ(Items(query), "b=2 c=1") << query;
    EXPECT_EQ(Revision(query), "6") << query;
  }
}

TEST_F(Lists, ExactOnesAreAsItWasThen) {
  const char* const wanted[] = {"", "", "a=1", "a=1 b=1", "a=1 b=2", "b=2", "b=2 c=1"};
  for (int revision = 1; revision <= 6; ++revision) {
    const std::string query =
        fmt::format("resourceVersion={}&resourceVersionMatch=Exact", revision);
    EXPECT_EQ(Items(query), wanted[revision]) << query;
    EXPECT_EQ(Revision(query), std::to_string(revision));
  }
}

TEST_F(Lists, ALimitMakesAResourceVersionExact) {
  EXPECT_EQ(Items("resourceVersion=3&limit=5"), "a=1 b=1");
  EXPECT_EQ(Items("resourceVersion=3&limit=1"), "a=1");
  EXPECT_EQ(Items("resourceVersion=3&limit=1&resourceVersionMatch=NotOlderThan"), "b=2");
  EXPECT_EQ(Items("resourceVersion=0&limit=1"), "b=2 c=1") << "any: the limit is ignored";
}

TEST_F(Lists, OfOneObjectAreNeverExactByALimit) {
  EXPECT_EQ(ItemsOf(world_.List("resourceVersion=3&limit=5&fieldSelector=metadata.name=b", "ns")),
            "b=2");
  EXPECT_EQ(ItemsOf(world_.List("resourceVersion=3&limit=5&fieldSelector=metadata.name=b")), "b=1")
      << "without a namespace it may be several";
}

TEST_F(Lists, NewerThanTheWorldWaitThreeSecondsAndAreThenTooLarge) {
  for (const char* query : {"resourceVersion=9", "resourceVersion=9&resourceVersionMatch=Exact"}) {
    world_.now = world_.start;
    const Reply waiting = world_.List(query);
    const Wait* wait = std::get_if<Wait>(&waiting);
    ASSERT_NE(wait, nullptr) << query;
    EXPECT_EQ(wait->until, world_.start + Seconds(3));
    world_.now = wait->until;
    const Reply late = world_.List(query);
    EXPECT_EQ(StatusOf(late), 504);
    EXPECT_EQ(MessageOf(late), "Timeout: Too large resource version: 9, current: 6");
    EXPECT_NE(std::get<Response>(late).BodyText().find("\"retryAfterSeconds\":1"),
              std::string::npos);
  }
}

TEST_F(Lists, ThatWaitedAreAnsweredWhenTheWorldHasComeSoFar) {
  ASSERT_TRUE(std::holds_alternative<Wait>(world_.List("resourceVersion=7")));
  world_.Elsewhere();
  EXPECT_EQ(Items("resourceVersion=7"), "b=2 c=1");
}

// Neither is for the cache: etcd does not wait (found by tools/real/compare, the second one).
TEST_F(Lists, ExactOrLimitedOnesOfOneObjectAreTooLargeAtOnce) {
  for (const std::string more : {"resourceVersionMatch=Exact", "limit=5"}) {
    const Reply reply =
        world_.List("resourceVersion=9&fieldSelector=metadata.name=b&" + more, "ns");
    ASSERT_TRUE(std::holds_alternative<Response>(reply)) << more;
    EXPECT_EQ(StatusOf(reply), 504);
    EXPECT_EQ(std::get<Response>(reply).BodyText().find("retryAfterSeconds"), std::string::npos);
  }
}

TEST_F(Lists, PagesAreOfTheFirstPagesMoment) {
  world_.Put("ns/d", "1");
  const Reply first = world_.List("limit=1");
  EXPECT_EQ(ItemsOf(first), "b=2");
  EXPECT_EQ(MetaOf(first, "remainingItemCount"), "2");
  world_.Remove("ns/c");
  world_.Put("ns/bb", "1");
  const Reply second = world_.List("limit=1&continue=" + MetaOf(first, "continue"));
  EXPECT_EQ(ItemsOf(second), "c=1");
  EXPECT_EQ(MetaOf(second, "resourceVersion"), "7");
  EXPECT_EQ(MetaOf(second, "remainingItemCount"), "1");
  const Reply last = world_.List("limit=1&continue=" + MetaOf(second, "continue"));
  EXPECT_EQ(ItemsOf(last), "d=1");
  EXPECT_EQ(MetaOf(last, "continue"), "");
  EXPECT_EQ(MetaOf(last, "remainingItemCount"), "");
}

TEST_F(Lists, PagesOfANamespaceStayInIt) {
  world_.Put("ms/b", "1");
  world_.Put("os/b", "1");
  const Reply first = world_.List("limit=1", "ns");
  EXPECT_EQ(ItemsOf(first), "b=2");
  EXPECT_EQ(MetaOf(first, "remainingItemCount"), "1");
  EXPECT_EQ(ItemsOf(world_.List("continue=" + MetaOf(first, "continue"), "ns")), "c=1");
}

TEST_F(Lists, APageThatIsFullBySelectorHasATokenWhileKeysAreLeft) {
  const Reply first = world_.List("limit=1&labelSelector=app=y");
  EXPECT_EQ(ItemsOf(first), "b=2");
  EXPECT_NE(MetaOf(first, "continue"), "");
  EXPECT_EQ(MetaOf(first, "remainingItemCount"), "");
  const Reply second =
      world_.List("limit=1&labelSelector=app=y&continue=" + MetaOf(first, "continue"));
  EXPECT_EQ(ItemsOf(second), "");
  EXPECT_EQ(MetaOf(second, "continue"), "");
}

TEST_F(Lists, BelowAFloorThatTheCacheHasNotLearnedOfAreServed) {
  world_.Compact(6, /*learned=*/false);
  EXPECT_EQ(Items("resourceVersion=3&resourceVersionMatch=Exact"), "a=1 b=1");
}

TEST_F(Lists, BelowAFloorThatWasLearnedAreExpired) {
  world_.Compact(5, /*learned=*/true);
  const Reply expired = world_.List("resourceVersion=4&resourceVersionMatch=Exact");
  EXPECT_EQ(StatusOf(expired), 410);
  EXPECT_EQ(MessageOf(expired), "The resourceVersion for the provided list is too old.");
  EXPECT_EQ(StatusOf(world_.List("resourceVersion=4&limit=1")), 410);
  EXPECT_EQ(Items("resourceVersion=5&resourceVersionMatch=Exact"), "b=2");
  EXPECT_EQ(Items("resourceVersion=4"), "b=2 c=1") << "not older than is always fine";
}

TEST_F(Lists, ARestartForgetsTheSnapshotsAndEtcdHasTheRest) {
  world_.Compact(4, /*learned=*/false);
  world_.replica->Restart(world_.now, {});
  EXPECT_EQ(StatusOf(world_.List("resourceVersion=3&resourceVersionMatch=Exact")), 410);
  EXPECT_EQ(Items("resourceVersion=4&resourceVersionMatch=Exact"), "a=1 b=2");
}

TEST_F(Lists, AnExpiredPageGivesATokenThatGoesOnAtTheNewest) {
  const Reply first = world_.List("limit=1");
  world_.Put("ns/d", "1");
  world_.Compact(7, /*learned=*/true);
  const Reply expired = world_.List("limit=1&continue=" + MetaOf(first, "continue"));
  EXPECT_EQ(StatusOf(expired), 410);
  EXPECT_TRUE(MessageOf(expired).starts_with("The provided continue parameter is too old"));
  const Reply second = world_.List("limit=1&continue=" + MetaOf(expired, "continue"));
  EXPECT_EQ(ItemsOf(second), "c=1");
  EXPECT_EQ(MetaOf(second, "resourceVersion"), "7");
  EXPECT_EQ(DecodeContinue(MetaOf(second, "continue"))->revision, 7) << "normal from here on";
}

TEST_F(Lists, SelectAcrossAndWithinNamespaces) {
  world_.Put("ms/a", "9", {{"app", "x"}});
  EXPECT_EQ(Items("labelSelector=app=x"), "a=9 c=1");
  EXPECT_EQ(Items("fieldSelector=metadata.namespace=ms"), "a=9");
  EXPECT_EQ(Items("fieldSelector=metadata.namespace!=ms,metadata.name!=b"), "c=1");
  EXPECT_EQ(ItemsOf(world_.List("fieldSelector=metadata.namespace=ms", "ns")), "");
}

TEST_F(Lists, ShareTheBytesOfTheObjects) {
  const Reply reply = world_.List("");
  const StoredRef b = world_.store.Find(world_.configmaps, {"ns", "b"});
  bool found = false;
  for (const Slice& slice : std::get<Response>(reply).body) {
    found |= slice.bytes.data() >= b->bytes.data() &&
             slice.bytes.data() < b->bytes.data() + b->bytes.size();
  }
  EXPECT_TRUE(found);
}

TEST_F(Lists, MalformedResourceVersionsAndTokensAreBadRequests) {
  EXPECT_EQ(MessageOf(world_.List("resourceVersion=abc")),
            "invalid resource version: resourceVersion: Invalid value: \"abc\": "
            "strconv.ParseUint: parsing \"abc\": invalid syntax");
  EXPECT_EQ(MessageOf(world_.List("resourceVersion=99999999999999999999")),
            "invalid resource version: resourceVersion: Invalid value: \"99999999999999999999\": "
            "strconv.ParseUint: parsing \"99999999999999999999\": value out of range");
  const std::string token = EncodeContinue({6, std::string("ns/b\0", 5)});
  EXPECT_EQ(ItemsOf(world_.List("continue=" + token)), "c=1");
  EXPECT_EQ(MessageOf(world_.List("resourceVersion=3&continue=" + token)),
            "specifying resource version is not allowed when using continue");
}

}  // namespace list_handler_test
}  // namespace relist::fakeapi
