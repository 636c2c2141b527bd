// A RestClient on real sockets, and a server with TLS for it, on threads of its own.
//
//   TlsServer server(identity, &client_ca, [](const TlsRequest& request) { return answer; });
//   RealRest world(options);
//   Result<HttpAnswer> answer = world.Get("/x");
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <memory>
#include <mutex>  // tidy: a test's server on threads of its own
#include <optional>
#include <string>
#include <thread>  // tidy: a test's server on threads of its own
#include <vector>

#include "core/check.h"
#include "core/net/tls_test_support.h"
#include "core/runtime/socket_port.h"
#include "core/runtime/socket_test_support.h"
#include "reflector/rest/rest_client.h"
#include "reflector/testing/rest_bench.h"

namespace relist::testing {

struct TlsRequest {
  std::string head;
  std::string client;  // the common name of the client's certificate; "" without one
};

class TlsServer {
 public:
  using Script = std::function<std::string(const TlsRequest& request)>;

  // `client_ca`: clients need a certificate of it; null: none is asked for.
  TlsServer(const tls_test_support::TestIdentity& identity,
            const tls_test_support::TestIdentity* client_ca, Script script)
      : script_(std::move(script)) {
    signal(SIGPIPE, SIG_IGN);
    SetIdentity(identity, client_ca);
    listener_ = socket_test_support::BindAnywhere(/*backlog=*/64, &port_);
    acceptor_ = std::thread([this] { Accept(); });
  }
  ~TlsServer() {
    shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
      std::lock_guard lock(mutex_);
      for (int fd : all_) shutdown(fd, SHUT_RDWR);
    }
    for (std::thread& thread : threads_) thread.join();
    for (int fd : all_) close(fd);
    close(listener_);
  }
  // For connections that come from now on.
  void SetIdentity(const tls_test_support::TestIdentity& identity,
                   const tls_test_support::TestIdentity* client_ca) {
    std::lock_guard lock(mutex_);
    context_ = tls_test_support::ServerContext(identity, client_ca);
  }
  int port() const { return port_; }
  size_t connections() {
    std::lock_guard lock(mutex_);
    return all_.size();
  }

 private:
  void Accept() {
    for (;;) {
      const int fd = accept(listener_, nullptr, nullptr);
      if (fd < 0) return;
      std::lock_guard lock(mutex_);
      all_.push_back(fd);
      threads_.emplace_back([this, fd, context = context_] { Serve(fd, context); });
    }
  }
  void Serve(int fd, const std::shared_ptr<SSL_CTX>& context) {
    const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(context.get()), SSL_free);
    SSL_set_fd(ssl.get(), fd);
    TlsRequest request;
    if (SSL_accept(ssl.get()) == 1) {
      request.client = NameOf(ssl.get());
      char byte;
      while (SSL_read(ssl.get(), &byte, 1) == 1) {
        request.head += byte;
        if (!request.head.ends_with("\r\n\r\n")) continue;
        std::string answer;
        {
          std::lock_guard lock(script_mutex_);
          answer = script_(request);
        }
        request.head.clear();
        if (answer.empty()) break;
        SSL_write(ssl.get(), answer.data(), static_cast<int>(answer.size()));
      }
    }
    shutdown(fd, SHUT_RDWR);
  }
  static std::string NameOf(SSL* ssl) {
    const std::unique_ptr<X509, decltype(&X509_free)> peer(SSL_get1_peer_certificate(ssl),
                                                           X509_free);
    char name[256] = "";
    if (peer) {
      X509_NAME_get_text_by_NID(X509_get_subject_name(peer.get()), NID_commonName, name,
                                sizeof name);
    }
    return name;
  }

  Script script_;
  std::shared_ptr<SSL_CTX> context_;
  int listener_ = -1;
  int port_ = 0;
  std::thread acceptor_;
  std::mutex mutex_, script_mutex_;
  std::vector<int> all_;
  std::vector<std::thread> threads_;
};

// Five minutes of its clock are a second; so its limits are far away.
struct RealRest {
  explicit RealRest(RestClientOptions options)
      : port({.rate = 300,
              .connect_timeout = Seconds(9000),
              .handshake_timeout = Seconds(9000),
              .proxy_timeout = Seconds(9000)}),
        loop(port),
        rest(loop, Patient(std::move(options))),
        scope(loop) {}
  static RestClientOptions Patient(RestClientOptions options) {
    options.connect_timeout = Seconds(9000);
    options.list_deadline = Seconds(9000);
    options.qps = 0;
    return options;
  }
  Result<HttpAnswer> Get(const std::string& target = "/x") {
    std::optional<Result<HttpAnswer>> result;
    scope.Spawn(GetInto(rest, target, nullptr, stop, &result));
    CHECK(Until([&] { return result.has_value(); }), "it never came back");
    return std::move(*result);
  }
  Result<std::unique_ptr<WatchStream>> Watch() {
    std::optional<Result<std::unique_ptr<WatchStream>>> result;
    scope.Spawn(WatchInto(rest, "/w?watch=true", std::nullopt, stop, &result));
    CHECK(Until([&] { return result.has_value(); }), "it never came back");
    return std::move(*result);
  }
  bool Until(const std::function<bool()>& done) {
    return loop.RunUntil(done, loop.Now() + Seconds(9000));
  }
  void RunFor(Duration d) {
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }

  SocketPort port;
  Loop loop;
  RestClient rest;
  Signal stop;
  TaskScope scope;
};

}  // namespace relist::testing
