#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kBookmarkC10 = R"(
  60 server event id=2 type=BOOKMARK resource=configmaps rv=9
  61 server end id=2 how=last_chunk
)";

TEST(BookmarksTest, ABookmarkMovesThePosition) {
  EXPECT_TRUE(Found(CheckBookmarks, kGoodStart + kBookmarkC10 + WatchFrom(3, 9, 62)).empty());
  const auto found = Found(CheckBookmarks, kGoodStart + kBookmarkC10 + WatchFrom(3, 6, 62));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("resumes at 6 after the bookmark at 9"), std::string::npos);
}

TEST(BookmarksTest, ABookmarkThatWasCutOffNeedNotHaveArrived) {
  EXPECT_TRUE(Found(CheckBookmarks, kGoodStart + R"(
    60 server event id=2 type=BOOKMARK resource=configmaps rv=9
    60 server end id=2 how=FIN
  )" + WatchFrom(3, 6, 62))
                  .empty());
}

TEST(BookmarksTest, AnObjectWithoutANameIsABookmarkThatWasShown) {
  EXPECT_EQ(
      Found(CheckBookmarks, kGoodStart + "60 client callback handler=h type=added key= uid= rv=9\n")
          .size(),
      1u);
}

TEST(BookmarksTest, ALogMayLackUidsButNoNames) {
  const std::string log = "0 client log file=l agent=client\n";
  const std::string named = "2 client callback handler=h type=added key=default/a rv=5\n";
  EXPECT_TRUE(Found(CheckBookmarks, log + named).empty());
  EXPECT_EQ(Found(CheckBookmarks, named).size(), 1u);
  EXPECT_EQ(
      Found(CheckBookmarks, log + "2 client callback handler=h type=modified key= rv=5\n").size(),
      1u);
}

}  // namespace
}  // namespace relist
