#include "core/net/tls.h"

#include <gtest/gtest.h>

#include "core/net/tls_test_support.h"

namespace relist::tls_test {

using namespace tls_test_support;

std::shared_ptr<TlsClientContext> Client(const TlsClientOptions& options) {
  Result<std::shared_ptr<TlsClientContext>> made = TlsClientContext::Make(options);
  EXPECT_TRUE(made.ok()) << made.error().message();
  return *made;
}

// The other end, in memory, too.
class MemoryServer {
 public:
  explicit MemoryServer(const std::shared_ptr<SSL_CTX>& context)
      : ssl_(SSL_new(context.get()), SSL_free) {
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_accept_state(ssl_.get());
  }
  void Feed(const std::string& cipher) {
    BIO_write(SSL_get_rbio(ssl_.get()), cipher.data(), static_cast<int>(cipher.size()));
    char buffer[4096];
    for (;;) {
      ERR_clear_error();
      const int got = SSL_read(ssl_.get(), buffer, sizeof buffer);
      if (got <= 0) break;
      plain.append(buffer, static_cast<size_t>(got));
    }
  }
  std::string Take() {
    std::string bytes(BIO_ctrl_pending(SSL_get_wbio(ssl_.get())), '\0');
    BIO_read(SSL_get_wbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
  }
  void Write(const std::string& text) {
    SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size()));
  }
  SSL* ssl() { return ssl_.get(); }
  std::string plain;

 private:
  std::shared_ptr<SSL> ssl_;
};

// Carries bytes to and fro, `piece` at a time, until neither end has any.
void Exchange(TlsEngine& client, MemoryServer& server, size_t piece = SIZE_MAX) {
  for (bool moved = true; moved;) {
    const std::string up = client.TakeCipher();
    for (size_t i = 0; i < up.size(); i += std::min(piece, up.size() - i))
      server.Feed(up.substr(i, piece));
    const std::string down = server.Take();
    for (size_t i = 0; i < down.size(); i += std::min(piece, down.size() - i))
      client.FeedCipher(down.substr(i, piece));
    moved = !up.empty() || !down.empty();
  }
}

class TlsTest : public testing::Test {
 protected:
  // Shakes hands with a server of `server`; the error's text, or "" where all is good.
  std::string Handshake(const TlsClientOptions& options, const TestIdentity& server,
                        const std::string& host) {
    TlsEngine engine(Client(options), host);
    MemoryServer other(ServerContext(server));
    Exchange(engine, other);
    EXPECT_EQ(engine.handshake_done(), engine.state().ok());
    if (engine.state().ok()) return "";
    EXPECT_EQ(engine.state().error().transport, Transport::kTls);
    return engine.state().error().message();
  }

  const TestIdentity ca_ = MakeIdentity({.name = "test CA", .authority = true});
  const TestIdentity other_ca_ = MakeIdentity({.name = "other CA", .authority = true});
  const TestIdentity server_ =
      MakeIdentity({.sans = "DNS:localhost,DNS:*.example.com,IP:127.0.0.1,IP:::1", .issuer = &ca_});
};

TEST_F(TlsTest, CarriesPlaintextBothWaysInPiecesOfAnySize) {
  for (const size_t piece : {size_t{1}, size_t{100}, SIZE_MAX}) {
    TlsEngine engine(Client({.ca_pem = ca_.cert_pem}), "localhost");
    MemoryServer server(ServerContext(server_));
    engine.Write("written before ");
    engine.Write("hands were shaken");
    EXPECT_FALSE(engine.handshake_done());
    Exchange(engine, server, piece);
    EXPECT_TRUE(engine.handshake_done());
    EXPECT_EQ(server.plain, "written before hands were shaken");
    const std::string large(100000, 'x');
    server.Write(large);
    Exchange(engine, server, piece);
    std::string got;
    EXPECT_EQ(engine.Read(&got, 10), 10u);
    while (engine.Read(&got, 1 << 20) > 0) {
    }
    EXPECT_EQ(got, large);
    EXPECT_FALSE(engine.peer_done());
  }
}

TEST_F(TlsTest, NamesAndAddressesAreJudgedByTheirSans) {
  const TlsClientOptions trusting{.ca_pem = ca_.cert_pem};
  for (const char* host :
       {"localhost", "localhost.", "LOCALHOST", "api.example.com", "127.0.0.1", "::1"}) {
    EXPECT_EQ(Handshake(trusting, server_, host), "") << host;
  }
  EXPECT_EQ(Handshake(trusting, server_, "elsewhere"),
            "tls: the server's certificate is not valid for \"elsewhere\"");
  EXPECT_EQ(Handshake(trusting, server_, "127.0.0.2"),
            "tls: the server's certificate is not valid for \"127.0.0.2\"");
  const TestIdentity only_subject = MakeIdentity({.name = "localhost", .issuer = &ca_});
  EXPECT_EQ(Handshake(trusting, only_subject, "localhost"),
            "tls: the server's certificate is not valid for \"localhost\"");
}

TEST_F(TlsTest, AnotherServerNameMayBeAskedFor) {
  EXPECT_EQ(Handshake({.ca_pem = ca_.cert_pem, .server_name = "localhost"}, server_, "10.0.0.1"),
            "");
  EXPECT_NE(Handshake({.ca_pem = ca_.cert_pem, .server_name = "other"}, server_, "localhost"), "");
}

TEST_F(TlsTest, SendsTheNameButNoAddressAsSni) {
  for (const char* host : {"localhost", "127.0.0.1"}) {
    TlsEngine engine(Client({.ca_pem = ca_.cert_pem}), host);
    MemoryServer server(ServerContext(server_));
    Exchange(engine, server);
    const char* sni = SSL_get_servername(server.ssl(), TLSEXT_NAMETYPE_host_name);
    EXPECT_STREQ(sni, host == std::string("localhost") ? "localhost" : nullptr);
  }
}

TEST_F(TlsTest, SaysWhyACertificateIsNotTrusted) {
  EXPECT_EQ(Handshake({.ca_pem = other_ca_.cert_pem}, server_, "localhost"),
            "tls: the server's certificate is not trusted: unable to get local issuer certificate");
  EXPECT_EQ(Handshake({}, server_, "localhost"),
            "tls: the server's certificate is not trusted: unable to get local issuer certificate");
  const TestIdentity expired =
      MakeIdentity({.sans = "DNS:localhost", .issuer = &ca_, .expired = true});
  EXPECT_EQ(Handshake({.ca_pem = ca_.cert_pem}, expired, "localhost"),
            "tls: the server's certificate is not trusted: certificate has expired");
  const TestIdentity own = MakeIdentity({.sans = "DNS:localhost"});
  EXPECT_EQ(Handshake({.ca_pem = ca_.cert_pem}, own, "localhost"),
            "tls: the server's certificate is not trusted: self-signed certificate");
  EXPECT_EQ(Handshake({.ca_pem = own.cert_pem}, own, "localhost"), "")
      << "unless it is itself the authority";
}

TEST_F(TlsTest, AnyOfSeveralAuthoritiesWillDo) {
  EXPECT_EQ(Handshake({.ca_pem = other_ca_.cert_pem + "text between\n" + ca_.cert_pem}, server_,
                      "localhost"),
            "");
}

TEST_F(TlsTest, VerificationCanBeSkipped) {
  const TestIdentity expired = MakeIdentity({.expired = true});
  EXPECT_EQ(Handshake({.insecure_skip_verify = true}, expired, "whatever"), "");
  EXPECT_EQ(Handshake({.insecure_skip_verify = true}, expired, "10.0.0.1"), "");
}

TEST_F(TlsTest, ShowsItsCertificateToAServerThatAsks) {
  const TestIdentity user = MakeIdentity({.name = "alice", .issuer = &other_ca_});
  TlsEngine engine(
      Client({.ca_pem = ca_.cert_pem, .cert_pem = user.cert_pem, .key_pem = user.key_pem}),
      "localhost");
  MemoryServer server(ServerContext(server_, &other_ca_));
  engine.Write("hello");
  Exchange(engine, server);
  EXPECT_EQ(server.plain, "hello");
  X509* seen = SSL_get1_peer_certificate(server.ssl());
  ASSERT_NE(seen, nullptr);
  EXPECT_EQ(X509_cmp(seen, user.certificate.get()), 0);
  X509_free(seen);
}

TEST_F(TlsTest, ARefusedClientIsToldSoAfterTheHandshake) {
  TlsEngine engine(Client({.ca_pem = ca_.cert_pem}), "localhost");
  MemoryServer server(ServerContext(server_, &other_ca_));
  Exchange(engine, server);
  std::string got;
  engine.Read(&got, 100);
  ASSERT_FALSE(engine.state().ok());
  EXPECT_EQ(engine.state().error().transport, Transport::kTls);
  EXPECT_NE(engine.state().error().message().find("certificate required"), std::string::npos)
      << engine.state().error().message();
}

TEST_F(TlsTest, ClosesWithAndHearsACloseNotify) {
  TlsEngine engine(Client({.ca_pem = ca_.cert_pem}), "localhost");
  MemoryServer server(ServerContext(server_));
  engine.Finish();
  Exchange(engine, server);
  ASSERT_TRUE(engine.handshake_done()) << "Finish before the handshake says nothing";
  server.Write("last words");
  SSL_shutdown(server.ssl());
  Exchange(engine, server);
  std::string got;
  EXPECT_EQ(engine.Read(&got, 100), 10u);
  EXPECT_EQ(engine.Read(&got, 100), 0u);
  EXPECT_TRUE(engine.peer_done());
  EXPECT_TRUE(engine.state().ok());
  engine.Finish();
  Exchange(engine, server);
  EXPECT_NE(SSL_get_shutdown(server.ssl()) & SSL_RECEIVED_SHUTDOWN, 0);
}

TEST_F(TlsTest, AServerWithoutTlsIsCalledThat) {
  TlsEngine engine(Client({.ca_pem = ca_.cert_pem}), "localhost");
  engine.TakeCipher();
  engine.FeedCipher(
      "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
  ASSERT_FALSE(engine.state().ok());
  EXPECT_EQ(engine.state().error().message(),
            "tls: the server does not speak TLS (wrong version number)");
  engine.FeedCipher("more");
  engine.Write("more");
  std::string got;
  EXPECT_EQ(engine.Read(&got, 10), 0u);
}

TEST_F(TlsTest, ABrokenRecordAfterTheHandshakeIsAFailure) {
  TlsEngine engine(Client({.ca_pem = ca_.cert_pem}), "localhost");
  MemoryServer server(ServerContext(server_));
  Exchange(engine, server);
  server.Write("good");
  std::string cipher = server.Take();
  cipher.back() ^= 1;
  engine.FeedCipher(cipher);
  std::string got;
  EXPECT_EQ(engine.Read(&got, 100), 0u);
  ASSERT_FALSE(engine.state().ok());
  EXPECT_NE(engine.state().error().message().find("bad record mac"), std::string::npos);
}

TEST_F(TlsTest, BadFilesAreToldByName) {
  const TestIdentity user = MakeIdentity({.issuer = &ca_});
  const auto why = [](const TlsClientOptions& options) {
    const Result<std::shared_ptr<TlsClientContext>> made = TlsClientContext::Make(options);
    return made.ok() ? "" : made.error().message();
  };
  std::string torn = ca_.cert_pem;
  torn.erase(100, 50);
  EXPECT_EQ(why({.ca_pem = "nonsense"}), "tls: the certificate authority holds no PEM certificate");
  EXPECT_TRUE(why({.ca_pem = torn}).starts_with("tls: bad certificate authority: "))
      << why({.ca_pem = torn});
  EXPECT_TRUE(why({.ca_pem = ca_.cert_pem + torn}).starts_with("tls: bad certificate authority: "));
  EXPECT_EQ(why({.cert_pem = user.cert_pem}),
            "tls: a client certificate needs its key, and a key its certificate");
  EXPECT_EQ(why({.key_pem = user.key_pem}),
            "tls: a client certificate needs its key, and a key its certificate");
  EXPECT_EQ(why({.cert_pem = "nonsense", .key_pem = user.key_pem}),
            "tls: the client certificate holds no PEM certificate");
  EXPECT_TRUE(
      why({.cert_pem = user.cert_pem, .key_pem = "nonsense"}).starts_with("tls: bad client key: "));
  EXPECT_TRUE(why({.cert_pem = user.cert_pem, .key_pem = ca_.key_pem})
                  .starts_with("tls: the client key does not fit its certificate"));
  EXPECT_EQ(why({.cert_pem = user.cert_pem + ca_.cert_pem, .key_pem = user.key_pem}), "")
      << "with its chain";
}

}  // namespace relist::tls_test
