#include "reflector/pager.h"

#include <gmock/gmock.h>

#include <deque>

#include "core/runtime/loop.h"
#include "core/runtime/sim_port.h"
#include "reflector/testing/scripted_server.h"

namespace relist {
namespace pager_test {

using ::testing::ElementsAre;

// Answers pages in turn, and notes what was asked.
class Pages : public ListerWatcher {
 public:
  Task<Result<ListPage>> List(ListOptions options, Signal& stop) override {
    asked.push_back(options.ToQuery());
    if (--stops_after == 0) stop.Set();
    CHECK(!pages.empty(), "one page too many was asked for");
    Result<ListPage> page = std::move(pages.front());
    pages.pop_front();
    co_return page;
  }
  Task<Result<std::unique_ptr<WatchStream>>> Watch(ListOptions, Signal&) override {
    co_return Error::Net(Transport::kOther, "no watch here");
  }
  std::deque<Result<ListPage>> pages;
  std::vector<std::string> asked;
  int stops_after = 0;
};

ListPage Page(const std::string& rv, const std::string& name, const std::string& token) {
  Object::Head head;
  head.key.name = name;
  ListPage page;
  page.resource_version = rv;
  page.continue_token = token;
  page.items.push_back(std::make_shared<Object>("{}", std::move(head)));
  return page;
}

Task<void> ListAll(ListerWatcher& lister, PagerOptions with, ListOptions options, Signal& stop,
                   std::optional<Result<PagedList>>* into) {
  Pager pager(lister, with);
  Task<Result<PagedList>> task = pager.List(options, stop);
  into->emplace(co_await task);
}

Result<PagedList> ListWith(Pages* pages, ListOptions options, PagerOptions pager = {}) {
  SimPort port;
  Loop loop(port);
  Signal stop;
  std::optional<Result<PagedList>> result;
  TaskScope scope(loop);
  scope.Spawn(ListAll(*pages, pager, options, stop, &result));
  CHECK(result.has_value(), "nothing in it waits");
  return *result;
}

TEST(Pager, AddsPagesUpUnderTheFirstVersion) {  // PGR-02
  Pages pages;
  pages.pages = {Page("10", "a", "t1"), Page("99", "b", "t2"), Page("98", "c", "")};
  const Result<PagedList> all =
      ListWith(&pages, {.resource_version = "5", .resource_version_match = "NotOlderThan"});
  ASSERT_TRUE(all.ok());
  EXPECT_TRUE(all->paginated);
  EXPECT_EQ(all->list.resource_version, "10");
  EXPECT_EQ(all->list.items.size(), 3u);
  EXPECT_EQ(all->list.continue_token, "");
  EXPECT_THAT(pages.asked,
              ElementsAre("limit=500&resourceVersion=5&resourceVersionMatch=NotOlderThan",
                          "continue=t1&limit=500", "continue=t2&limit=500"));
}

TEST(Pager, IsDoneAfterOnePageWithoutAToken) {  // PGR-01
  Pages pages;
  pages.pages = {Page("10", "a", "")};
  const Result<PagedList> all = ListWith(&pages, {}, {.page_size = 0});
  ASSERT_TRUE(all.ok());
  EXPECT_FALSE(all->paginated);
  EXPECT_THAT(pages.asked, ElementsAre(""));
}

TEST(Pager, ListsWholeAtTheOriginalVersionWhereALaterPageExpires) {  // PGR-03, PGR-04
  Pages pages;
  pages.pages = {Page("10", "a", "t1"), Error::Api(410, "Expired", "x"), Page("12", "z", "")};
  const Result<PagedList> all =
      ListWith(&pages, {.resource_version = "5", .resource_version_match = "Exact"});
  ASSERT_TRUE(all.ok());
  EXPECT_TRUE(all->paginated);
  EXPECT_EQ(all->list.resource_version, "12");
  EXPECT_EQ(all->list.items.size(), 1u);
  EXPECT_EQ(pages.asked.back(), "resourceVersion=5&resourceVersionMatch=Exact");
}

TEST(Pager, GivesUpOnAnExpiredFirstPageAndOnOtherErrors) {
  Pages first;
  first.pages = {Error::Api(410, "Expired", "x")};
  EXPECT_FALSE(ListWith(&first, {}).ok());
  Pages gone;  // only the reason Expired counts here
  gone.pages = {Page("10", "a", "t1"), Error::Api(410, "Gone", "x")};
  EXPECT_FALSE(ListWith(&gone, {}).ok());
  Pages again;
  again.pages = {Page("10", "a", "t1"), Error::Api(410, "Expired", "x"),
                 Error::Api(410, "Expired", "y")};
  EXPECT_EQ(ListWith(&again, {}).error().message(), "y");
}

TEST(Pager, ReturnsTheErrorWhereItMayNotListWhole) {  // "expires on second page"
  Pages pages;
  pages.pages = {Page("10", "a", "t1"), Error::Api(410, "Expired", "x")};
  EXPECT_EQ(ListWith(&pages, {}, {.full_list_if_expired = false}).error().message(), "x");
}

TEST(Pager, ListsWholeToWhereATokenOfTheCallersOwnExpired) {
  Pages pages;
  pages.pages = {Error::Api(410, "Expired", "x"), Page("12", "z", "")};
  const Result<PagedList> all = ListWith(&pages, {.continue_token = "old"});
  ASSERT_TRUE(all.ok());
  EXPECT_FALSE(all->paginated);
  EXPECT_THAT(pages.asked, ElementsAre("continue=old&limit=500", ""));
}

TEST(Pager, AsksForNothingOnceItIsStopped) {
  Pages pages;
  pages.stops_after = 1;
  pages.pages = {Page("10", "a", "t1"), Page("10", "b", "")};
  EXPECT_EQ(ListWith(&pages, {}).error().transport, Transport::kStopped);
  EXPECT_EQ(pages.asked.size(), 1u);
}

}  // namespace pager_test
}  // namespace relist
