// TLS and proxies, over each other, with real peers on real sockets.
#include "core/net/client_layers.h"

#include <gtest/gtest.h>

#include <csignal>
#include <future>

#include "core/net/tls_test_support.h"
#include "core/runtime/socket_test_support.h"

namespace relist::client_layers_test {

using namespace socket_test_support;
using namespace std::string_literals;
using namespace tls_test_support;
using State = Connection::State;
using SslPtr = std::unique_ptr<SSL, decltype(&SSL_free)>;

std::string ReadHead(int fd) {
  std::string head;
  while (!head.ends_with("\r\n\r\n")) {
    const std::string byte = ReadAll(fd, 1);
    if (byte.empty()) break;
    head += byte;
  }
  return head;
}

class ClientLayersTest : public testing::Test {
 protected:
  ClientLayersTest() { signal(SIGPIPE, SIG_IGN); }

  std::shared_ptr<TlsClientContext> Context() {
    return *TlsClientContext::Make({.ca_pem = ca_.cert_pem});
  }
  // To api.example, which only the proxy can reach.
  std::unique_ptr<Connection> Dial(SocketPort& port, ProxyHop hop, bool tls = true) {
    hop.host = "127.0.0.1";
    return port.Connect({"api.example", 6443, tls ? Context() : nullptr,
                         std::make_shared<const ProxyHop>(std::move(hop))});
  }
  // The server behind the proxy, on the connection that the proxy would have passed on.
  void Greet(BIO* through) {
    const SslPtr ssl(SSL_new(server_.get()), SSL_free);
    SSL_set_bio(ssl.get(), through, through);
    if (SSL_accept(ssl.get()) != 1) return;
    char name[4] = {};
    if (SSL_read(ssl.get(), name, 3) != 3) return;
    const std::string greeting = "hello "s + name;
    SSL_write(ssl.get(), greeting.data(), static_cast<int>(greeting.size()));
    SSL_shutdown(ssl.get());
  }

  const TestIdentity ca_ = MakeIdentity({.name = "test CA", .authority = true});
  const TestIdentity identity_ =
      MakeIdentity({.sans = "DNS:api.example,IP:127.0.0.1", .issuer = &ca_});
  const std::shared_ptr<SSL_CTX> server_ = ServerContext(identity_);
  SocketPort port_;
  SocketPort fast_{{.rate = 1000}};
};

TEST_F(ClientLayersTest, TlsGoesThroughAnHttpProxy) {
  std::string head;
  TestServer proxy([&](int fd) {
    head = ReadHead(fd);
    WriteAll(fd, "HTTP/1.1 200 OK\r\n\r\n");
    Greet(BIO_new_socket(fd, BIO_NOCLOSE));
  });
  const auto connection = Dial(port_, {.port = proxy.port(), .username = "u", .password = "p"});
  connection->Send("you");
  EXPECT_EQ(ReceiveAll(port_, *connection), "hello you");
  EXPECT_EQ(connection->state(), State::kPeerDone);
  EXPECT_TRUE(head.starts_with("CONNECT api.example:6443 HTTP/1.1\r\n")) << head;
  EXPECT_NE(head.find("Proxy-Authorization: Basic dTpw\r\n"), std::string::npos);
}

TEST_F(ClientLayersTest, TlsGoesThroughAProxyThatSpeaksTlsItself) {
  std::string head;
  TestServer proxy([&](int fd) {
    const SslPtr outer(SSL_new(server_.get()), SSL_free);
    SSL_set_fd(outer.get(), fd);
    if (SSL_accept(outer.get()) != 1) return;
    char byte;
    while (!head.ends_with("\r\n\r\n") && SSL_read(outer.get(), &byte, 1) == 1) head += byte;
    SSL_write(outer.get(), "HTTP/1.1 200 OK\r\n\r\n", 19);
    BIO* inside = BIO_new(BIO_f_ssl());
    BIO_set_ssl(inside, outer.get(), BIO_NOCLOSE);
    Greet(inside);
    SSL_shutdown(outer.get());
  });
  const auto connection = Dial(port_, {.port = proxy.port(), .tls = Context()});
  connection->Send("you");
  EXPECT_EQ(ReceiveAll(port_, *connection), "hello you");
  EXPECT_TRUE(head.starts_with("CONNECT api.example:6443 HTTP/1.1\r\n")) << head;
}

TEST_F(ClientLayersTest, TlsAndPlainBytesGoThroughASocksProxy) {
  for (const bool tls : {true, false}) {
    std::string asked;
    TestServer proxy([&](int fd) {
      ReadAll(fd, 3);
      WriteAll(fd, "\x05\x00"s);
      asked = ReadAll(fd, 18);
      WriteAll(fd, "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"s);
      if (tls) return Greet(BIO_new_socket(fd, BIO_NOCLOSE));
      WriteAll(fd, "hello " + ReadAll(fd, 3));
    });
    const auto connection =
        Dial(port_, {.kind = ProxyHop::Kind::kSocks5, .port = proxy.port()}, tls);
    connection->Send("you");
    EXPECT_EQ(ReceiveAll(port_, *connection), "hello you");
    EXPECT_EQ(asked.substr(5, 11), "api.example");
  }
}

TEST_F(ClientLayersTest, PlainBytesReachAnHttpProxyAsTheyAre) {
  TestServer proxy([](int fd) { WriteAll(fd, "re: " + ReadAll(fd, 3)); });
  const auto connection = Dial(port_, {.port = proxy.port()}, /*tls=*/false);
  connection->Send("GET");
  EXPECT_EQ(ReceiveAll(port_, *connection), "re: GET");
}

TEST_F(ClientLayersTest, AProxyThatRefusesOrHangsUpIsCalledThat) {
  TestServer refusing([](int fd) {
    ReadHead(fd);
    WriteAll(fd, "HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  const auto refused = Dial(port_, {.port = refusing.port()});
  ASSERT_TRUE(Settle(port_, *refused));
  EXPECT_EQ(refused->error().message(), "proxyconnect tcp: the proxy says 403 Forbidden");
  TestServer leaving([](int fd) { ReadHead(fd); });
  const auto left = Dial(port_, {.port = leaving.port()});
  ASSERT_TRUE(Settle(port_, *left));
  EXPECT_EQ(left->error().transport, Transport::kEof);
  EXPECT_EQ(left->error().message(), "proxyconnect tcp: EOF");
}

TEST_F(ClientLayersTest, AProxyThatCannotBeReachedOrTrustedIsCalledThat) {
  int number = 0;
  const int bound = BindAnywhere(-1, &number);
  const auto refused = Dial(port_, {.port = number});
  ASSERT_TRUE(Settle(port_, *refused));
  EXPECT_EQ(refused->error().transport, Transport::kRefused);
  EXPECT_TRUE(refused->error().message().starts_with("proxyconnect tcp: dial tcp 127.0.0.1:"));
  close(bound);
  TestServer proxy([&](int fd) {
    const SslPtr outer(SSL_new(server_.get()), SSL_free);
    SSL_set_fd(outer.get(), fd);
    SSL_accept(outer.get());
  });
  const TestIdentity stranger = MakeIdentity({.name = "stranger", .authority = true});
  const auto untrusted = Dial(
      port_, {.port = proxy.port(), .tls = *TlsClientContext::Make({.ca_pem = stranger.cert_pem})});
  ASSERT_TRUE(Settle(port_, *untrusted));
  EXPECT_TRUE(untrusted->error().message().starts_with("proxyconnect tcp: tls: "))
      << untrusted->error().message();
}

TEST_F(ClientLayersTest, AProxyThatDoesNotAnswerTimesOutAtTheClocksRate) {
  TestServer silent([](int fd) { ReadAll(fd); });
  const TimePoint before = fast_.Now();
  const auto connection = Dial(fast_, {.port = silent.port()});
  ASSERT_TRUE(Settle(fast_, *connection));
  EXPECT_EQ(connection->error().transport, Transport::kTimeout);
  EXPECT_EQ(connection->error().message(), "proxyconnect tcp: context deadline exceeded");
  EXPECT_GE(fast_.Now() - before, Seconds(60));
}

}  // namespace relist::client_layers_test
