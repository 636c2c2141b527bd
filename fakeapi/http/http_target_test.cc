#include "fakeapi/http/http_target.h"

#include <gtest/gtest.h>

namespace relist::fakeapi {
namespace http_target_test {

std::string Shown(std::string_view target, std::string_view method = "GET") {
  return PathAndQueryOf(method, target).value_or("none");
}

TEST(HttpTarget, IsAPathAndAQueryAsTheyWereSent) {
  EXPECT_EQ(Shown("/a%20b?x=%zz"), "/a%20b?x=%zz") << "of a query nothing is asked";
  EXPECT_EQ(Shown("//api/v1"), "//api/v1");
  EXPECT_EQ(Shown("/a#b"), "/a#b");
  EXPECT_EQ(Shown("*"), "*");
}

TEST(HttpTarget, MayBeginWithASchemeAndAHost) {
  EXPECT_EQ(Shown("http://a:1/x?y"), "/x?y");
  EXPECT_EQ(Shown("FTP://u@[::1]:8/x"), "/x");
  EXPECT_EQ(Shown("http:/x"), "/x");
  EXPECT_EQ(Shown("http://a?y"), "?y");
  for (const char* target : {"http://a", "mailto:x", "a:1"}) EXPECT_EQ(Shown(target), "") << target;
}

TEST(HttpTarget, OfConnectIsAHost) {
  EXPECT_EQ(Shown("a:1", "CONNECT"), "");
  EXPECT_EQ(Shown("a", "CONNECT"), "");
  EXPECT_EQ(Shown("/x", "CONNECT"), "/x");
  EXPECT_EQ(Shown("a:b", "CONNECT"), "none");
}

TEST(HttpTarget, IsNoneWhereGoTakesNone) {
  for (const char* target : {"", "a", "?x", ":", "/%zz", "/a%", "/a%2", "/a b", "/a\tb", "/a\x7f",
                             "http://a:b/x", "http://[::1/x", "http://[::1]x/y", "api/v1"}) {
    EXPECT_EQ(Shown(target), "none") << target;
  }
}

}  // namespace http_target_test
}  // namespace relist::fakeapi
