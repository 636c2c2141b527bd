#include "reflector/rest/proxy.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace relist {
namespace proxy_test {

// The proxy's host for a server, "" for none.
std::string Way(const ProxyEnvironment& environment, bool tls, const std::string& host,
                int port = 443) {
  const Result<std::optional<ProxyUrl>> proxy = ProxyFor(environment, tls, host, port);
  EXPECT_TRUE(proxy.ok());
  return *proxy ? (*proxy)->host : "";
}

bool Excluded(const std::string& no_proxy, const std::string& host, int port = 443) {
  return Way({.https_proxy = "p", .no_proxy = no_proxy}, true, host, port).empty();
}

TEST(Proxy, IsReadFromAUrl) {
  const Result<ProxyUrl> proxy = ParseProxyUrl("https://me:s%40@10.0.0.1:3128/");
  ASSERT_TRUE(proxy.ok());
  EXPECT_EQ(*proxy, (ProxyUrl{"https", "10.0.0.1", 3128, "me", "s@"}));
  EXPECT_EQ(ToText(*proxy), "https://me:s%40@10.0.0.1:3128");
  EXPECT_EQ(ParseProxyUrl("http://p")->port, 80);
  EXPECT_EQ(ParseProxyUrl("https://p")->port, 443);
  EXPECT_EQ(ParseProxyUrl("socks5://[::1]")->port, 1080);
  EXPECT_EQ(ToText(*ParseProxyUrl("socks5h://[::1]")), "socks5://[::1]:1080");
  EXPECT_EQ(ParseProxyUrl("ftp://p").error().message(),
            "unsupported scheme \"ftp\" of a proxy, must be http, https, or socks5");
}

TEST(Proxy, OfTheEnvironmentIsForItsKindOfServer) {
  const ProxyEnvironment both{.http_proxy = "http://plain:1", .https_proxy = "secure:2"};
  EXPECT_EQ(Way(both, false, "api"), "plain");
  EXPECT_EQ(Way(both, true, "api"), "secure");
  EXPECT_EQ(ProxyFor(both, true, "api", 443)->value().scheme, "http") << "where none is given";
  EXPECT_EQ(Way({.http_proxy = "http://plain:1"}, true, "api"), "");
}

TEST(Proxy, IsNeverForThisMachine) {
  for (const char* host : {"localhost", "127.0.0.1", "127.1.2.3", "::1", "LOCALHOST"}) {
    EXPECT_EQ(Way({.https_proxy = "p"}, true, host), "") << host;
  }
  EXPECT_EQ(Way({.https_proxy = "p"}, true, "128.0.0.1"), "p");
}

TEST(Proxy, IsNotForHostsThatAreExcluded) {
  EXPECT_TRUE(Excluded("a.com, foo.com", "foo.com"));
  EXPECT_TRUE(Excluded("foo.com", "bar.FOO.com"));
  EXPECT_FALSE(Excluded("foo.com", "barfoo.com"));
  EXPECT_TRUE(Excluded(".foo.com", "bar.foo.com"));
  EXPECT_FALSE(Excluded(".foo.com", "foo.com"));
  EXPECT_TRUE(Excluded("*.foo.com", "bar.foo.com"));
  EXPECT_FALSE(Excluded("*.foo.com", "foo.com"));
  EXPECT_TRUE(Excluded("foo.com:6443", "foo.com", 6443));
  EXPECT_FALSE(Excluded("foo.com:6443", "foo.com", 443));
  EXPECT_TRUE(Excluded("x,*", "foo.com"));
  EXPECT_FALSE(Excluded("", "foo.com"));
  EXPECT_FALSE(Excluded(" ,:80,", "foo.com"));
}

TEST(Proxy, IsNotForAddressesThatAreExcluded) {
  EXPECT_TRUE(Excluded("10.0.0.0/8", "10.200.0.1"));
  EXPECT_FALSE(Excluded("10.0.0.0/8", "11.0.0.1"));
  EXPECT_TRUE(Excluded("10.0.0.128/25", "10.0.0.129"));
  EXPECT_FALSE(Excluded("10.0.0.128/25", "10.0.0.1"));
  EXPECT_TRUE(Excluded("fd00::/8", "fd12::1"));
  EXPECT_FALSE(Excluded("::/0", "10.0.0.1"));
  EXPECT_FALSE(Excluded("10.0.0.0/33", "10.0.0.1"));
  EXPECT_TRUE(Excluded("10.0.0.1", "10.0.0.1"));
  EXPECT_TRUE(Excluded("10.0.0.1", "::ffff:10.0.0.1"));
  EXPECT_TRUE(Excluded("10.0.0.1:6443", "10.0.0.1", 6443));
  EXPECT_FALSE(Excluded("10.0.0.1:6443", "10.0.0.1", 443));
  EXPECT_TRUE(Excluded("[fd00::1]:6443", "fd00::1", 6443));
  EXPECT_TRUE(Excluded("fd00::1", "fd00::1"));
  EXPECT_FALSE(Excluded("0.0.1", "10.0.0.1")) << "the end of an address is no domain";
}

TEST(Proxy, ThatIsNoneIsAnErrorWithItsVariable) {
  EXPECT_EQ(ProxyFor({.https_proxy = "ftp://p"}, true, "api", 443).error().message(),
            "HTTPS_PROXY: unsupported scheme \"ftp\" of a proxy, must be http, https, or socks5");
  EXPECT_TRUE(ProxyFor({.https_proxy = "ftp://p", .no_proxy = "api"}, true, "api", 443).ok());
  EXPECT_FALSE(ProxyFor({.http_proxy = "p", .cgi = true}, false, "api", 80).ok());
  EXPECT_TRUE(ProxyFor({.https_proxy = "p", .cgi = true}, true, "api", 443).ok());
}

TEST(Proxy, IsFoundInTheEnvironmentByEitherName) {
  setenv("https_proxy", "http://lower:1", 1);
  setenv("NO_PROXY", "foo.com", 1);
  EXPECT_EQ(ProxyEnvironment::OfProcess().https_proxy, "http://lower:1");
  setenv("HTTPS_PROXY", "http://upper:1", 1);
  EXPECT_EQ(ProxyEnvironment::OfProcess().https_proxy, "http://upper:1");
  EXPECT_EQ(ProxyEnvironment::OfProcess().no_proxy, "foo.com");
  for (const char* name : {"https_proxy", "HTTPS_PROXY", "NO_PROXY"}) unsetenv(name);
  EXPECT_EQ(ProxyEnvironment::OfProcess().https_proxy, "");
}

}  // namespace proxy_test
}  // namespace relist
