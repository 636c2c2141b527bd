#include "core/net/proxy_handshake.h"

#include <gtest/gtest.h>

namespace relist {
namespace proxy_handshake_test {

using namespace std::string_literals;

ProxyHop Http(const std::string& username = "", const std::string& password = "") {
  return {.host = "proxy", .port = 3128, .username = username, .password = password};
}
ProxyHop Socks(const std::string& username = "", const std::string& password = "") {
  return {ProxyHop::Kind::kSocks5, "proxy", 1080, nullptr, username, password};
}
std::string Why(const ProxyHandshake& handshake) {
  return handshake.state().ok() ? "good" : handshake.state().error().message();
}

TEST(ProxyHandshake, AsksAnHttpProxyForATunnel) {
  ProxyHandshake handshake(Http(), "api.example", 6443);
  EXPECT_EQ(handshake.TakeBytes(),
            "CONNECT api.example:6443 HTTP/1.1\r\nHost: api.example:6443\r\n"
            "User-Agent: relist\r\n\r\n");
  handshake.Feed("HTTP/1.1 200 Connection est");
  EXPECT_FALSE(handshake.done());
  handshake.Feed("ablished\r\nContent-Length: 7\r\n\r\n");
  EXPECT_TRUE(handshake.done()) << "the answer to CONNECT has no body";
  EXPECT_EQ(handshake.TakeBytes(), "");
  ProxyHandshake v6(Http(), "::1", 6443);
  EXPECT_TRUE(v6.TakeBytes().starts_with("CONNECT [::1]:6443 HTTP/1.1\r\nHost: [::1]:6443\r\n"));
}

TEST(ProxyHandshake, TellsAnHttpProxyWhoWeAre) {
  ProxyHandshake handshake(Http("user", "pass:word"), "h", 1);
  EXPECT_NE(handshake.TakeBytes().find("\r\nProxy-Authorization: Basic dXNlcjpwYXNzOndvcmQ=\r\n"),
            std::string::npos);
}

TEST(ProxyHandshake, SaysHowAnHttpProxyRefuses) {
  ProxyHandshake handshake(Http(), "h", 1);
  handshake.Feed("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(Why(handshake), "proxyconnect tcp: the proxy says 407 Proxy Authentication Required");
  EXPECT_EQ(handshake.state().error().transport, Transport::kOther);
  EXPECT_FALSE(handshake.done());
  ProxyHandshake junk(Http(), "h", 1);
  junk.Feed("SSH-2.0-OpenSSH\r\n");
  EXPECT_EQ(junk.state().error().transport, Transport::kProtocol);
}

TEST(ProxyHandshake, LeavesNamesToASocksProxyAndTakesWhatStandsBehindItsAnswer) {
  ProxyHandshake handshake(Socks(), "api.example", 6443);
  EXPECT_EQ(handshake.TakeBytes(), "\x05\x01\x00"s);
  handshake.Feed("\x05");
  EXPECT_EQ(handshake.TakeBytes(), "");
  handshake.Feed("\x00"s);
  EXPECT_EQ(handshake.TakeBytes(), "\x05\x01\x00\x03\x0b"s + "api.example" + "\x19\x2b"s);
  const std::string reply = "\x05\x00\x00\x01\x7f\x00\x00\x01\x04\x38"s;
  for (const char byte : reply) {
    EXPECT_FALSE(handshake.done());
    handshake.Feed({&byte, 1});
  }
  EXPECT_TRUE(handshake.done());
  EXPECT_EQ(handshake.TakeExcess(), "");

  ProxyHandshake quick(Socks(), "h", 1);
  quick.Feed("\x05\x00"s + "\x05\x00\x00\x03\x01x\x00\x01"s + "hello");
  EXPECT_TRUE(quick.done());
  EXPECT_EQ(quick.TakeExcess(), "hello");
}

TEST(ProxyHandshake, GivesASocksProxyAddressesAsAddresses) {
  ProxyHandshake v4(Socks(), "10.0.0.1", 443);
  v4.TakeBytes();
  v4.Feed("\x05\x00"s);
  EXPECT_EQ(v4.TakeBytes(), "\x05\x01\x00\x01\x0a\x00\x00\x01\x01\xbb"s);
  ProxyHandshake v6(Socks(), "::1", 443);
  v6.TakeBytes();
  v6.Feed("\x05\x00"s);
  EXPECT_EQ(v6.TakeBytes(), "\x05\x01\x00\x04"s + std::string(15, '\0') + "\x01\x01\xbb"s);
  v6.Feed("\x05\x00\x00\x04"s + std::string(18, '\0'));
  EXPECT_TRUE(v6.done());
}

TEST(ProxyHandshake, TellsASocksProxyWhoWeAreWhereItAsks) {
  ProxyHandshake handshake(Socks("me", "secret"), "10.0.0.1", 443);
  EXPECT_EQ(handshake.TakeBytes(), "\x05\x02\x00\x02"s);
  handshake.Feed("\x05\x02"s);
  EXPECT_EQ(handshake.TakeBytes(), "\x01\x02me\x06secret"s);
  handshake.Feed("\x01\x00"s);
  EXPECT_TRUE(handshake.TakeBytes().starts_with("\x05\x01"));

  ProxyHandshake refused(Socks("me", "wrong"), "h", 443);
  refused.Feed("\x05\x02\x01\x01"s);
  EXPECT_EQ(Why(refused), "proxyconnect tcp: socks: username/password authentication failed");
}

TEST(ProxyHandshake, SaysHowASocksProxyRefuses) {
  ProxyHandshake none(Socks(), "h", 443);
  none.Feed("\x05\xff"s);
  EXPECT_EQ(Why(none), "proxyconnect tcp: socks: no acceptable authentication methods");
  ProxyHandshake unasked(Socks(), "h", 443);
  unasked.Feed("\x05\x02"s);
  EXPECT_FALSE(unasked.state().ok()) << "a password was not offered";
  ProxyHandshake unreachable(Socks(), "h", 443);
  unreachable.Feed("\x05\x00"s + "\x05\x04\x00\x01"s + std::string(6, '\0'));
  EXPECT_EQ(Why(unreachable), "proxyconnect tcp: socks connect h:443: host unreachable");
  ProxyHandshake old(Socks(), "h", 443);
  old.Feed("\x04\x5a"s);
  EXPECT_EQ(Why(old), "proxyconnect tcp: the proxy does not speak SOCKS5");
  ProxyHandshake odd(Socks(), "h", 443);
  odd.Feed("\x05\x00\x05\x00\x00\x09\x00"s);
  EXPECT_EQ(odd.state().error().transport, Transport::kProtocol);
  ProxyHandshake lengthy(Socks(), std::string(256, 'x'), 443);
  lengthy.Feed("\x05\x00"s);
  EXPECT_EQ(Why(lengthy), "proxyconnect tcp: socks: FQDN too long");
  ProxyHandshake nameless(Socks("", "x"), "h", 443);
  nameless.Feed("\x05\x02"s);
  EXPECT_EQ(Why(nameless), "proxyconnect tcp: socks: invalid username/password");
}

}  // namespace proxy_handshake_test
}  // namespace relist
