// Pager::EachListItem (PGR-05): client-go's TestListPager_EachListItem and _eachListPageBuffered.
#include <gmock/gmock.h>

#include "core/runtime/loop.h"
#include "core/runtime/sim_port.h"
#include "reflector/pager.h"

namespace relist {
namespace pager_each_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A collection of "0", "1", ... that answers pages at once, and notes what was asked.
class Numbers : public ListerWatcher {
 public:
  explicit Numbers(int64_t all) : all_(all) {}
  Task<Result<ListPage>> List(ListOptions options, Signal&) override {
    asked.push_back(options.ToQuery());
    if (expires && !options.continue_token.empty()) co_return Error::Api(410, "Expired", "old");
    int64_t next = options.continue_token.empty() ? 0 : std::stoll(options.continue_token);
    ListPage page;
    for (int64_t n = 0; next < all_ && (options.limit == 0 || n < options.limit); ++n, ++next) {
      Object::Head head;
      head.key.name = std::to_string(next);
      page.items.push_back(std::make_shared<Object>("{}", std::move(head)));
    }
    if (next < all_) page.continue_token = std::to_string(next);
    co_return page;
  }
  Task<Result<std::unique_ptr<WatchStream>>> Watch(ListOptions, Signal&) override {
    co_return Error::Net(Transport::kOther, "no watch here");
  }
  std::vector<std::string> asked;
  bool expires = false;

 private:
  int64_t all_;
};

struct EachWorld {
  explicit EachWorld(int64_t all) : loop(port), numbers(all) {}

  template <class Each>
  static Task<void> Run(EachWorld& world, ListOptions options, Each each) {
    Pager pager(world.numbers, world.pager);
    Task<Result<void>> all = pager.EachListItem(options, each, world.stop);
    world.outcome.emplace(co_await all);
  }
  // Runs it, up to a wait of `each` that has no end.
  template <class Each>
  void Start(Each each, ListOptions options = {}) {
    scope = std::make_unique<TaskScope>(loop);
    scope->Spawn(Run<Each>(*this, options, each));
    loop.RunUntil([] { return false; }, loop.Now());
  }
  Result<void> Visit(int stop_at = 0, int fail_at = 0) {
    Start(Pager::EachItem([this, stop_at, fail_at](const ObjectRef& object) -> Result<void> {
      visited.push_back(object->key().name);
      const int n = static_cast<int>(visited.size());
      if (n == stop_at) stop.Set();
      if (n == fail_at) return Error::Net(Transport::kOther, "processor error");
      return {};
    }));
    CHECK(outcome.has_value(), "nothing in it waits");
    return *outcome;
  }

  SimPort port;
  Loop loop;
  Numbers numbers;
  PagerOptions pager{.page_size = 10};
  Signal stop;
  std::vector<std::string> visited;
  int visited_items = 0;
  std::optional<Result<void>> outcome;
  std::unique_ptr<TaskScope> scope;
};

TEST(PagerEach, VisitsEveryItemOfEveryPageInOrder) {
  for (const int64_t all : {0, 9, 10, 11, 21}) {
    EachWorld world(all);
    ASSERT_TRUE(world.Visit().ok());
    ASSERT_EQ(world.visited.size(), static_cast<size_t>(all));
    for (int64_t i = 0; i < all; ++i) {
      EXPECT_EQ(world.visited[static_cast<size_t>(i)], std::to_string(i));
    }
    EXPECT_EQ(world.numbers.asked.size(), all == 0 ? 1u : static_cast<size_t>((all + 9) / 10));
  }
}

TEST(PagerEach, ReturnsTheErrorOfALaterPageAfterTheItemsBefore) {
  EachWorld world(21);
  world.numbers.expires = true;
  EXPECT_EQ(world.Visit().error().status.reason, "Expired");
  EXPECT_EQ(world.visited.size(), 10u);
  EXPECT_EQ(world.numbers.asked.size(), 2u);  // no list of all
}

TEST(PagerEach, EndsWithTheFirstErrorOfItsCaller) {
  EachWorld world(51);
  EXPECT_EQ(world.Visit(0, 3).error().message(), "processor error");
  EXPECT_EQ(world.visited.size(), 3u);
}

TEST(PagerEach, LooksAtStopBeforeEachPage) {
  EachWorld world(51);
  EXPECT_EQ(world.Visit(3).error().transport, Transport::kStopped);
  EXPECT_EQ(world.visited.size(), 10u);
}

TEST(PagerEach, ThrowsWhatItsCallerThrows) {
  EachWorld world(51);
  EXPECT_THROW(world.Start(Pager::EachItem([](const ObjectRef&) -> Result<void> {
    CHECK(false, "from the callback");
    return {};
  })),
               CheckFailed);
}

TEST(PagerEach, SendsTheVersionWithEveryPageUnlessToldOtherwise) {
  EachWorld world(11);
  const Pager::EachItem nothing = [](const ObjectRef&) -> Result<void> { return {}; };
  world.Start(nothing, {.resource_version = "5"});
  EXPECT_THAT(world.numbers.asked,
              ElementsAre("limit=10&resourceVersion=5", "continue=10&limit=10&resourceVersion=5"));
  world.numbers.asked.clear();
  world.pager.each_clears_version = true;
  world.Start(nothing, {.resource_version = "5"});
  EXPECT_THAT(world.numbers.asked,
              ElementsAre("limit=10&resourceVersion=5", "continue=10&limit=10"));
}

// Waits for ever at the last item of a page.
struct Stuck {
  EachWorld* world;
  int pages;

  static Task<Result<void>> Wait(Stuck self) {
    Signal never;
    if (++self.world->visited_items == self.pages * 10) {
      Select which(self.world->loop, never);
      co_await which;
    }
    co_return Result<void>();
  }
};

TEST(PagerEach, FetchesAsManyPagesAheadAsMayWait) {
  struct Case {
    int all, looked_at;
    size_t asked;
    int64_t buffer;
  };
  for (const Case& c : {Case{1, 1, 1, 0}, Case{5, 1, 2, 0}, Case{5, 2, 3, 0}, Case{5, 5, 5, 0},
                        Case{5, 1, 3, 1}, Case{5, 5, 5, 1}, Case{5, 1, 5, 10}}) {
    EachWorld world(c.all * 10);
    world.pager.page_buffer = c.buffer;
    const Stuck stuck{&world, c.looked_at};
    world.Start(Pager::EachItemTask([stuck](ObjectRef) { return Stuck::Wait(stuck); }));
    EXPECT_EQ(world.numbers.asked.size(), c.asked)
        << c.looked_at << " of " << c.all << ", buffer " << c.buffer;
    EXPECT_FALSE(world.outcome);
  }
}

TEST(PagerEach, StopsFetchingWhereItsCallerGoesAway) {
  EachWorld world(50);
  world.pager.page_buffer = 0;
  const Stuck stuck{&world, 1};
  world.Start(Pager::EachItemTask([stuck](ObjectRef) { return Stuck::Wait(stuck); }));
  world.scope->Clear();
  world.loop.RunUntil([] { return false; }, world.loop.Now() + Seconds(1));
  EXPECT_EQ(world.numbers.asked.size(), 2u);
}

TEST(PagerEach, RefusesANegativeBuffer) {
  EachWorld world(5);
  world.pager.page_buffer = -1;
  EXPECT_EQ(world.Visit().error().message(), "ListPager.PageBufferSize must be >= 0, got -1");
  EXPECT_THAT(world.numbers.asked, IsEmpty());
}

}  // namespace pager_each_test
}  // namespace relist
