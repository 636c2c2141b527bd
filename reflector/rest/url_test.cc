#include "reflector/rest/url.h"

#include <gtest/gtest.h>

namespace relist {
namespace url_test {

TEST(Url, IsTakenApart) {
  const Result<Url> url = ParseUrl("HTTPS://me:s%40c:rt@[::1]:6443/a/b?c");
  ASSERT_TRUE(url.ok()) << url.error().message();
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->username, "me");
  EXPECT_EQ(url->password, "s@c:rt");
  EXPECT_EQ(url->host, "::1");
  EXPECT_EQ(url->port, 6443);
  EXPECT_EQ(url->path, "/a/b?c");
  const Result<Url> bare = ParseUrl("socks5://user@host");
  EXPECT_EQ(bare->username, "user");
  EXPECT_EQ(bare->password, "");
  EXPECT_EQ(bare->port, 0);
  EXPECT_EQ(bare->path, "");
}

TEST(Url, OfAServerHasItsSchemesPortAndNoSlashAtItsEnd) {
  EXPECT_EQ(ParseServerUrl("https://h")->port, 443);
  EXPECT_EQ(ParseServerUrl("http://h/")->port, 80);
  EXPECT_EQ(ParseServerUrl("http://h/")->path, "");
  EXPECT_EQ(ParseServerUrl("https://h:1/k8s/c1//?x#y")->path, "/k8s/c1");
  EXPECT_TRUE(ParseServerUrl("https://h")->tls);
  EXPECT_EQ(HostAndPort("::1", 443), "[::1]:443");
  EXPECT_EQ(HostAndPort("h", 443), "h:443");
}

TEST(Url, SaysWhatIsWrongWithItButNoPassword) {
  const auto why = [](const std::string& text) {
    const Result<ServerUrl> url = ParseServerUrl(text);
    return url.ok() ? "good" : url.error().message();
  };
  EXPECT_EQ(why("10.0.0.1:6443"), "`10.0.0.1:6443`: a URL without a scheme");
  EXPECT_EQ(why("ftp://h"), "`ftp://h`: not an http:// or https:// URL");
  EXPECT_EQ(why("https://"), "`https://`: a URL without a host");
  EXPECT_EQ(why("https://h:0"), "`https://h:0`: a port is a number from 1 to 65535");
  EXPECT_EQ(why("https://h:x"), "`https://h:x`: a port is a number from 1 to 65535");
  EXPECT_EQ(why("https://me:secret@h:x"), "`https://...@h:x`: a port is a number from 1 to 65535");
  EXPECT_EQ(why("https://me:%zz@h"), "`https://...@h`: a bad % in user name or password");
}

}  // namespace url_test
}  // namespace relist
