// A blocking client for tests of the front: plain TCP, or TLS that checks the certificate. Every
// wait ends after ten seconds, with a failure.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <string_view>

namespace relist::fakeapi {

class TestClient {
 public:
  TestClient() = default;
  explicit TestClient(int port) { Connect(port); }
  TestClient(int port, const std::string& ca_pem) {
    if (Connect(port) == 0) StartTls(ca_pem);
  }
  TestClient(TestClient&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        tls_(std::move(other.tls_)),
        got_(std::move(other.got_)) {}
  ~TestClient() { Close(); }

  void MakeSocket() { fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }
  // 0, or the errno.
  int Connect(int port) {
    if (fd_ < 0) MakeSocket();
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) return 0;
    const int error = errno;
    Close();
    return error;
  }
  void Close() {
    tls_.reset();
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  // False if not all of it could be sent.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = tls_ != nullptr
                            ? SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()))
                            : send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(n));
    }
    return true;
  }
  void Get(const std::string& target, const std::string& headers = "") {
    Send("GET " + target + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n");
  }

  // Everything up to and including `end`; what came, if the stream ends before.
  std::string ReadUntil(std::string_view end) {
    size_t at = got_.find(end);
    while (at == std::string::npos && More()) {
      const size_t from = looked_;
      at = got_.find(end, from);
    }
    const size_t size = at == std::string::npos ? got_.size() : at + end.size();
    const std::string out = got_.substr(0, size);
    got_.erase(0, size);
    looked_ = 0;
    return out;
  }
  std::string ReadToEnd() {
    while (More()) {
    }
    looked_ = 0;
    return std::exchange(got_, {});
  }
  // Of the read that ended the stream: 0 for FIN, ECONNRESET for RST.
  int end_error() const { return end_error_; }
  int fd() const { return fd_; }
  bool handshake_done() const { return shaken_; }

 private:
  bool More() {
    looked_ = got_.size() < 64 ? 0 : got_.size() - 64;
    pollfd waits{fd_, POLLIN, 0};
    if ((tls_ == nullptr || SSL_pending(tls_.get()) == 0) && poll(&waits, 1, 10000) != 1) {
      ADD_FAILURE() << "nothing came for ten seconds after: " << got_.substr(0, 2000);
      return false;
    }
    char buffer[65536];
    errno = 0;
    const ssize_t n = tls_ != nullptr ? SSL_read(tls_.get(), buffer, sizeof buffer)
                                      : recv(fd_, buffer, sizeof buffer, 0);
    if (n > 0) got_.append(buffer, static_cast<size_t>(n));
    if (n <= 0) end_error_ = errno;
    return n > 0;
  }
  void StartTls(const std::string& ca_pem) {
    const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context(SSL_CTX_new(TLS_client_method()),
                                                               SSL_CTX_free);
    const std::unique_ptr<BIO, int (*)(BIO*)> text(
        BIO_new_mem_buf(ca_pem.data(), static_cast<int>(ca_pem.size())), BIO_free);
    X509* ca = PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context.get()), ca);
    X509_free(ca);
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    tls_.reset(SSL_new(context.get()));
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls_.get()), "127.0.0.1");
    SSL_set_fd(tls_.get(), fd_);
    const unsigned char protocols[] = "\x02h2\x08http/1.1";
    SSL_set_alpn_protos(tls_.get(), protocols, sizeof protocols - 1);
    shaken_ = SSL_connect(tls_.get()) == 1;
    EXPECT_TRUE(shaken_) << X509_verify_cert_error_string(SSL_get_verify_result(tls_.get()));
    const unsigned char* chosen = nullptr;
    unsigned int size = 0;
    SSL_get0_alpn_selected(tls_.get(), &chosen, &size);
    EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(chosen), size), "http/1.1");
  }

  int fd_ = -1;
  std::unique_ptr<SSL, void (*)(SSL*)> tls_{nullptr, SSL_free};
  std::string got_;
  size_t looked_ = 0;
  int end_error_ = 0;
  bool shaken_ = false;
};

}  // namespace relist::fakeapi
