// TLS over real sockets: what tls_test.cc cannot see.
#include <gtest/gtest.h>

#include <csignal>
#include <future>

#include "core/net/tls.h"
#include "core/net/tls_test_support.h"
#include "core/runtime/socket_port.h"
#include "core/runtime/socket_test_support.h"

namespace relist::socket_tls_test {

using namespace socket_test_support;
using namespace tls_test_support;
using State = Connection::State;

class SocketTlsTest : public testing::Test {
 protected:
  // A server that shakes hands, then serves; where hands cannot be shaken it just closes.
  std::function<void(int)> Tls(std::function<void(SSL*)> serve) {
    signal(SIGPIPE, SIG_IGN);  // this server's end writes as OpenSSL does; ours must not need it
    return [serve = std::move(serve), context = ServerContext(identity_)](int fd) {
      const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(context.get()), SSL_free);
      SSL_set_fd(ssl.get(), fd);
      if (SSL_accept(ssl.get()) == 1) serve(ssl.get());
    };
  }
  std::unique_ptr<Connection> Dial(SocketPort& port, int number, const std::string& ca_pem,
                                   const std::string& host = "127.0.0.1") {
    return port.Connect({host, number, *TlsClientContext::Make({.ca_pem = ca_pem})});
  }

  const TestIdentity ca_ = MakeIdentity({.name = "test CA", .authority = true});
  const TestIdentity identity_ =
      MakeIdentity({.sans = "DNS:localhost,IP:127.0.0.1", .issuer = &ca_});
  SocketPort port_;
  SocketPort fast_{{.rate = 1000}};
};

// Writes what it reads until it has `size` bytes.
void EchoOverTls(SSL* ssl, size_t size) {
  std::string got(size, '\0');
  size_t have = 0;
  while (have < size) {
    const int n = SSL_read(ssl, got.data() + have, static_cast<int>(size - have));
    if (n <= 0) return;
    have += static_cast<size_t>(n);
  }
  SSL_write(ssl, got.data(), static_cast<int>(size));
}

TEST_F(SocketTlsTest, CarriesMegabytesBothWays) {
  std::string sent;
  for (int i = 0; i < 3000000; ++i) sent += static_cast<char>(i * 31 % 251);
  TestServer server(Tls([&](SSL* ssl) {
    EchoOverTls(ssl, sent.size());
    SSL_shutdown(ssl);
  }));
  for (const char* host : {"127.0.0.1", "localhost"}) {
    const auto connection = Dial(port_, server.port(), ca_.cert_pem, host);
    connection->Send(sent);
    const std::string got = ReceiveAll(port_, *connection);
    EXPECT_EQ(connection->state(), State::kPeerDone) << connection->error().message();
    EXPECT_TRUE(got == sent) << got.size();
  }
}

TEST_F(SocketTlsTest, OpensOnlyWhenHandsWereShaken) {
  TestServer server(Tls([](SSL* ssl) { EchoOverTls(ssl, 1); }));
  const auto connection = Dial(port_, server.port(), ca_.cert_pem);
  EXPECT_EQ(connection->state(), State::kOpening);
  ASSERT_TRUE(Settle(port_, *connection));
  EXPECT_EQ(connection->state(), State::kOpen);
  connection->Send("x");
  EXPECT_EQ(ReceiveAll(port_, *connection), "x");
  EXPECT_EQ(connection->state(), State::kPeerDone) << "FIN without close_notify is an end, too";
}

TEST_F(SocketTlsTest, ACertificateThatIsNotGoodFailsTheConnection) {
  const TestIdentity other = MakeIdentity({.name = "other CA", .authority = true});
  TestServer server(Tls([](SSL* ssl) { EchoOverTls(ssl, 1); }));
  const auto untrusted = Dial(port_, server.port(), other.cert_pem);
  ASSERT_TRUE(Settle(port_, *untrusted));
  EXPECT_EQ(untrusted->state(), State::kFailed);
  EXPECT_EQ(untrusted->error().transport, Transport::kTls);
  EXPECT_NE(untrusted->error().message().find("not trusted"), std::string::npos);

  TlsClientOptions named{.ca_pem = ca_.cert_pem, .server_name = "elsewhere"};
  const auto misnamed = port_.Connect({"127.0.0.1", server.port(), *TlsClientContext::Make(named)});
  ASSERT_TRUE(Settle(port_, *misnamed));
  EXPECT_EQ(misnamed->error().transport, Transport::kTls);
  EXPECT_NE(misnamed->error().message().find("not valid for \"elsewhere\""), std::string::npos);
}

TEST_F(SocketTlsTest, AServerWithoutTlsFailsTheConnection) {
  TestServer server(
      [](int fd) { WriteAll(fd, "HTTP/1.0 400 Bad Request\r\n\r\n" + ReadAll(fd, 1).substr(1)); });
  const auto connection = Dial(port_, server.port(), ca_.cert_pem);
  ASSERT_TRUE(Settle(port_, *connection));
  EXPECT_EQ(connection->error().transport, Transport::kTls);
  EXPECT_NE(connection->error().message().find("does not speak TLS"), std::string::npos)
      << connection->error().message();
}

TEST_F(SocketTlsTest, AnEndInsideTheHandshakeIsNoSuccess) {
  TestServer server([](int fd) {
    ReadAll(fd, 1);
    shutdown(fd, SHUT_WR);
    ReadAll(fd);
  });
  const auto connection = Dial(port_, server.port(), ca_.cert_pem);
  ASSERT_TRUE(Settle(port_, *connection));
  EXPECT_EQ(connection->state(), State::kFailed);
  EXPECT_EQ(connection->error().transport, Transport::kEof);

  TestServer resetting([](int fd) {
    ReadAll(fd, 1);
    ResetOnClose(fd);
  });
  const auto reset = Dial(port_, resetting.port(), ca_.cert_pem);
  ASSERT_TRUE(Settle(port_, *reset));
  EXPECT_EQ(reset->error().transport, Transport::kReset);
}

TEST_F(SocketTlsTest, AHungHandshakeIsClosedAtOnce) {
  std::promise<void> gone;
  TestServer server([&](int fd) {
    ReadAll(fd);
    gone.set_value();
  });
  const auto connection = Dial(port_, server.port(), ca_.cert_pem);
  port_.Wait(port_.Now() + Millis(20));
  EXPECT_EQ(connection->state(), State::kOpening);
  const TimePoint before = port_.Now();
  connection->Close();
  EXPECT_LT(port_.Now() - before, Seconds(1));
  gone.get_future().wait();
}

TEST_F(SocketTlsTest, AHungHandshakeTimesOutAtTheClocksRate) {
  TestServer server([](int fd) { ReadAll(fd); });
  const auto before = std::chrono::steady_clock::now();
  const auto connection = Dial(fast_, server.port(), ca_.cert_pem);
  ASSERT_TRUE(Settle(fast_, *connection));
  EXPECT_EQ(connection->error().transport, Transport::kTimeout);
  EXPECT_EQ(connection->error().message(), "net/http: TLS handshake timeout");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(8))
      << "10 fast seconds are 10 ms";
}

TEST_F(SocketTlsTest, CloseSaysCloseNotify) {
  std::promise<int> heard;
  TestServer server(Tls([&](SSL* ssl) {
    SSL_write(ssl, "x", 1);  // the client has read all before it closes, so there is no RST
    char byte;
    const int got = SSL_read(ssl, &byte, 1);
    heard.set_value(SSL_get_error(ssl, got));
  }));
  const auto connection = Dial(port_, server.port(), ca_.cert_pem);
  std::string bytes;
  ASSERT_TRUE(WaitFor(port_, [&] { return connection->Receive(&bytes) > 0; }));
  connection->Close();
  EXPECT_EQ(heard.get_future().get(), SSL_ERROR_ZERO_RETURN);
}

}  // namespace relist::socket_tls_test
