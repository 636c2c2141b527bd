// A running HttpServer over a test handler, for http_server*_test.cc.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/history.h"
#include "fakeapi/front/http_server.h"
#include "fakeapi/front/http_server_test_client.h"
#include "fakeapi/http/test_handler.h"

namespace relist::fakeapi {
namespace http_server_test {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Used on the loop's thread alone, but for `accepts`.
class Hook : public FaultHook {
 public:
  Verdict At(const FaultPlace& place) override {
    return place.point == point ? verdict : Verdict::Pass();
  }
  bool AcceptsConnections(TimePoint now) override { return accepts && now >= opens_at; }
  TimePoint NextChange() const override { return opens_at; }
  FaultPoint point = FaultPoint::kRequestRead;
  Verdict verdict;
  std::atomic<bool> accepts = true;
  TimePoint opens_at = TimePoint::min();
};

class HttpServerTest : public testing::Test {
 protected:
  void Start(HttpServerOptions options = {}) {
    options.faults = &hook;
    options.history = &history;
    server = std::make_unique<HttpServer>(handler, options);
    const Result<int> started = server->Start();
    ASSERT_TRUE(started.ok()) << started.error().message();
    port = *started;
  }
  void StartTls(HttpServerOptions options = {}) {
    certificate = *MakeServingCertificate();
    options.cert_pem = certificate.cert_pem;
    options.key_pem = certificate.key_pem;
    Start(options);
  }
  void Commit(int n = 1) {
    server->Run([&] {
      for (int i = 0; i < n; ++i) handler.Commit();
    });
  }
  // Watches whose heads have come.
  std::vector<TestClient> OpenWatches(int n) {
    std::vector<TestClient> clients;
    for (int i = 0; i < n; ++i) clients.emplace_back(port).Get("/watch");
    for (TestClient& client : clients) client.ReadUntil("\r\n\r\n");
    return clients;
  }

  TestHandler handler;
  Hook hook;
  History history;
  ServingCertificate certificate;
  std::unique_ptr<HttpServer> server;
  int port = 0;
};

}  // namespace http_server_test
}  // namespace relist::fakeapi
