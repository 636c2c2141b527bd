#include "fakeapi/front/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "fakeapi/front/http_server_fixture.h"

namespace relist::fakeapi {
namespace http_server_test {

using testing::EndsWith;
using testing::StartsWith;

TEST_F(HttpServerTest, ServesOverTcp) {
  Start();
  TestClient client(port);
  client.Get("/text?5");
  EXPECT_THAT(client.ReadUntil("xxxxx"), StartsWith("HTTP/1.1 200 OK\r\n"));
  client.Get("/chunked?20000000", "Connection: close\r\n");
  EXPECT_GT(client.ReadToEnd().size(), 20000000u);
  EXPECT_EQ(client.end_error(), 0);
}

TEST_F(HttpServerTest, ServesOverTlsWithACertificateThatAClientBelieves) {
  StartTls();
  TestClient client(port, certificate.ca_pem);
  client.Get("/text?5");
  EXPECT_THAT(client.ReadUntil("xxxxx"), StartsWith("HTTP/1.1 200 OK\r\n"));
  client.Send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" +
              std::string(1000000, 'b') + "GET /chunked?5000000 HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_GT(client.ReadUntil("0\r\n\r\n").size(), 6000000u);
  client.Get("/watch");
  client.ReadUntil("\r\n\r\n");
  Commit(3);
  client.ReadUntil("{\"n\":2}\n\r\n");
  server->Stop();
  EXPECT_EQ(client.ReadToEnd(), "0\r\n\r\n");
}

TEST_F(HttpServerTest, TellsAPlainClientThatThePortSpeaksTls) {
  StartTls();
  const std::string large = "Content-Length: 1000000\r\n\r\n" + std::string(1000000, 'b');
  for (const std::string& request :
       {std::string("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), "POST / HTTP/1.1\r\n" + large,
        "PUT / HTTP/1.1\r\n" + large, std::string("HEAD / HTTP/1.1\r\n\r\n"),
        std::string("OPTIONS * HTTP/1.1\r\n\r\n")}) {
    TestClient client(port);
    EXPECT_TRUE(client.Send(request));
    EXPECT_EQ(client.ReadToEnd(),
              "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
    EXPECT_EQ(client.end_error(), 0) << request.substr(0, 7);
  }
  TestClient other(port);
  other.Send("DELETE / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(other.ReadToEnd(), "") << "as Go, which does not know it either";
}

TEST_F(HttpServerTest, StopRefusesAndEndsWatchesWithALastChunkAtOnce) {
  Start();
  TestClient idle(port);
  std::vector<TestClient> clients = OpenWatches(3);
  const Stopwatch watch;
  server->Stop();
  EXPECT_LT(watch.seconds(), 5);
  for (TestClient& client : clients) {
    EXPECT_EQ(client.ReadToEnd(), "0\r\n\r\n");
    EXPECT_EQ(client.end_error(), 0);
  }
  EXPECT_EQ(idle.ReadToEnd(), "");
  TestClient late;
  EXPECT_EQ(late.Connect(port), ECONNREFUSED);
  int ran = 0;
  server->Run([&] { ++ran; });  // still works, on this thread
  EXPECT_EQ(ran, 1);
}

TEST_F(HttpServerTest, WithAGraceWatchesGoOnAfterTheListenerHasClosed) {
  HttpServerOptions options;
  options.rate = 60;
  options.shutdown_grace = Seconds(60);
  Start(options);
  std::vector<TestClient> clients = OpenWatches(1);
  std::thread stopper([&] { server->Stop(); });
  TestClient late;
  while (late.Connect(port) == 0) late.Close();
  Commit();
  EXPECT_EQ(clients[0].ReadUntil("\n\r\n"), "8\r\n{\"n\":0}\n\r\n");
  EXPECT_EQ(clients[0].ReadToEnd(), "0\r\n\r\n");
  stopper.join();
}

TEST_F(HttpServerTest, StopIsNotHeldUpByAHungHandshakeOrASilentPeer) {
  hook.point = FaultPoint::kConnectionAccepted;
  hook.verdict = Verdict::Stall();
  StartTls();
  TestClient hung(port);
  hung.Send("\x16\x03\x01");
  server->Run([] {});
  const Stopwatch watch;
  server->Stop();
  EXPECT_LT(watch.seconds(), 5);
}

TEST_F(HttpServerTest, RefusesConnectionsWhileTheHookSaysSoAndComesBackOnTheSamePort) {
  Start();
  TestClient before(port);
  before.Get("/text?5");
  before.ReadUntil("xxxxx");
  server->Run([&] { hook.accepts = false; });
  server->Run([] {});  // a turn begins with a look at the hook
  TestClient refused;
  EXPECT_EQ(refused.Connect(port), ECONNREFUSED);
  before.Get("/text?5");  // open connections go on
  EXPECT_THAT(before.ReadUntil("xxxxx"), StartsWith("HTTP/1.1 200 OK"));
  server->Run([&] {
    hook.opens_at = server->Now() + Millis(20);
    hook.accepts = true;
  });
  TestClient after;
  const Stopwatch watch;
  while (after.Connect(port) != 0 && watch.seconds() < 5) {
  }
  after.Get("/text?5");
  EXPECT_THAT(after.ReadUntil("xxxxx"), StartsWith("HTTP/1.1 200 OK"));
}

TEST_F(HttpServerTest, AResetReallyArrivesBehindTheBytesBeforeIt) {
  for (const bool tls : {false, true}) {
    hook.verdict = Verdict::Cut(CutHow::kReset, 40);
    tls ? StartTls() : Start();
    TestClient client = tls ? TestClient(port, certificate.ca_pem) : TestClient(port);
    client.Get("/text?5");
    EXPECT_EQ(client.ReadToEnd().size(), 40u);
    EXPECT_EQ(client.end_error(), ECONNRESET);
  }
}

TEST_F(HttpServerTest, AResetWaitsForAReaderWhoseWindowIsFull) {
  constexpr uint64_t kBytes = 8000000;
  hook.verdict = Verdict::Cut(CutHow::kReset, kBytes);
  Start();
  TestClient client(port);
  client.Get("/text?9000000");
  EXPECT_EQ(client.ReadToEnd().size(), kBytes);
  EXPECT_EQ(client.end_error(), ECONNRESET);
}

TEST_F(HttpServerTest, ACutWithFinIsAnEndWithoutAnError) {
  hook.verdict = Verdict::Cut(CutHow::kFin, 40);
  Start();
  TestClient client(port);
  client.Get("/text?5");
  EXPECT_EQ(client.ReadToEnd().size(), 40u);
  EXPECT_EQ(client.end_error(), 0);
}

// What TLS has made of the last bytes may wait for room in the socket, wherever the end falls: it
// does where two sockets hold just less than that, some 4 MB with Linux's defaults.
TEST_F(HttpServerTest, OverTlsAnEndWaitsForAReaderWhoIsLate) {
  StartTls();
  for (uint64_t bytes = 3000000; bytes < 5000000; bytes += 30000) {
    server->Run([&] { hook.verdict = Verdict::Cut(CutHow::kFin, bytes); });
    TestClient client(port, certificate.ca_pem);
    client.Get("/text?9000000");
    server->Run([] {});  // it has gone round: what the sockets hold has left it
    server->Run([] {});
    EXPECT_EQ(client.ReadToEnd().size(), bytes);
  }
}

TEST_F(HttpServerTest, ABodyThatIsTooLongIsAnsweredThoughTheClientSendsAllOfIt) {
  Start();
  TestClient client(port);
  EXPECT_TRUE(client.Send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n\r\n" +
                          std::string(20000000, 'b')));
  EXPECT_THAT(client.ReadToEnd(), StartsWith("HTTP/1.1 413 "));
}

TEST_F(HttpServerTest, AWriteAnswersThoseWhoWaitForIt) {
  Start();
  TestClient client(port);
  client.Get("/wait");
  while (true) {
    bool read = false;
    server->Run([&] { read = !handler.requests.empty(); });
    if (read) break;
  }
  const Stopwatch watch;
  Commit();
  EXPECT_THAT(client.ReadUntil("changed"), EndsWith("changed"));
  EXPECT_LT(watch.seconds(), 2.5);  // not only when its three seconds are over
}

TEST_F(HttpServerTest, WhatTheHandlerDoesByItselfIsDoneWhenItIsDueAndReachesAll) {
  HttpServerOptions options;
  options.rate = 10;
  Start(options);
  TestClient waiter(port);
  std::vector<TestClient> watchers = OpenWatches(1);
  waiter.Get("/wait");  // for three seconds
  const Stopwatch watch;
  server->Run([&] { handler.commits_at = server->Now() + Seconds(1); });
  EXPECT_THAT(watchers[0].ReadUntil("{\"n\":0}\n"), EndsWith("{\"n\":0}\n"));
  EXPECT_GE(watch.seconds(), 0.099);
  EXPECT_LT(watch.seconds(), 5);
  EXPECT_THAT(waiter.ReadUntil("change"), EndsWith("change"));
}

TEST_F(HttpServerTest, NothingIsDoneByItselfWhileItStops) {
  HttpServerOptions options;
  options.shutdown_grace = Millis(300);
  Start(options);
  std::vector<TestClient> watchers = OpenWatches(1);
  server->Run([&] { handler.commits_at = server->Now() + Millis(100); });
  server->Stop();
  EXPECT_EQ(handler.change_count(), 0u);
}

TEST_F(HttpServerTest, AGraceCanBeEndedBeforeAndAfterItBegan) {
  for (const bool before : {true, false}) {
    HttpServerOptions options;
    options.shutdown_grace = Seconds(3600);
    Start(options);
    std::vector<TestClient> watchers = OpenWatches(1);
    if (before) server->EndGrace();
    std::thread stop([&] { server->Stop(); });
    if (!before) server->EndGrace();
    EXPECT_THAT(watchers[0].ReadUntil("0\r\n\r\n"), EndsWith("0\r\n\r\n"));
    stop.join();
  }
}

TEST_F(HttpServerTest, EachReplicaHasAPortOfItsOwn) {
  TestHandler second, third;
  HttpServerOptions options;
  options.replicas = {&second, &third};
  Start(options);
  const std::vector<int> ports = server->ports();
  ASSERT_EQ(ports.size(), 3u);
  EXPECT_EQ(ports[0], port);
  for (size_t i = 0; i < ports.size(); ++i) {
    TestClient client(ports[i]);
    client.Get("/port" + std::to_string(i));
    EXPECT_THAT(client.ReadUntil("GET /port"), testing::HasSubstr("200 OK"));
  }
  server->Stop();
  ASSERT_EQ(second.requests.size(), 1u);
  EXPECT_EQ(second.requests[0].target, "/port1");
  ASSERT_EQ(third.requests.size(), 1u);
  EXPECT_EQ(third.requests[0].target, "/port2");
  std::string replicas;
  for (const HistoryEntry& entry : history.entries()) {
    if (entry.what() == "request") replicas += "[" + entry.Get("replica") + "]";
  }
  EXPECT_EQ(replicas, "[][1][2]");
}

TEST_F(HttpServerTest, OrConnectionsToOnePortAreBalanced) {
  TestHandler second;
  HttpServerOptions options;
  options.replicas = {&second};
  options.balance = {1, 0, 1};
  Start(options);
  EXPECT_EQ(server->ports().size(), 1u);
  for (int i = 0; i < 4; ++i) {
    TestClient client(port);
    client.Get("/" + std::to_string(i));
    client.ReadUntil("GET /");
  }
  server->Stop();
  ASSERT_EQ(handler.requests.size(), 1u);
  EXPECT_EQ(handler.requests[0].target, "/1");
  EXPECT_EQ(second.requests.size(), 3u) << "the fourth, too";
}

TEST_F(HttpServerTest, ARestartOfAReplicaClosesItsIdleConnectionsAndNoOthers) {
  TestHandler second;
  HttpServerOptions options;
  options.replicas = {&second};
  options.balance = {1, 0};
  Start(options);
  TestClient restarted(port), other(port);
  for (TestClient* client : {&restarted, &other}) {
    client->Get("/text?3");
    client->ReadUntil("xxx");
  }
  server->Run([&] { second.Restart(); });
  EXPECT_EQ(restarted.ReadToEnd(), "");
  EXPECT_EQ(restarted.end_error(), 0);
  other.Get("/text?3");
  EXPECT_THAT(other.ReadUntil("xxx"), testing::HasSubstr("200 OK"));
  server->Stop();  // it looks at the replica until then
}

TEST_F(HttpServerTest, ItsClockHasARate) {
  HttpServerOptions options;
  options.rate = 60;
  Start(options);
  TestClient client(port);
  const Stopwatch watch;
  client.Get("/wait");
  EXPECT_THAT(client.ReadUntil("late"), EndsWith("late"));  // three seconds, sixty times as fast
  EXPECT_GE(watch.seconds(), 0.049);
  EXPECT_LT(watch.seconds(), 2.5);
}

TEST(HttpServer, SaysThatAPortIsInUseOrAnAddressIsNone) {
  TestHandler handler;
  HttpServer first(handler, {});
  const Result<int> port = first.Start();
  ASSERT_TRUE(port.ok());
  HttpServerOptions options;
  options.port = *port;
  HttpServer second(handler, options);
  const Result<int> clash = second.Start();
  ASSERT_FALSE(clash.ok());
  EXPECT_EQ(clash.error().message(), "port " + std::to_string(*port) + " on 127.0.0.1 is in use");
  options.address = "nowhere";
  HttpServer third(handler, options);
  EXPECT_EQ(third.Start().error().message(), "\"nowhere\" is not an IP address");
}

TEST(HttpServer, SaysWhatIsWrongWithACertificate) {
  TestHandler handler;
  const ServingCertificate good = *MakeServingCertificate();
  const auto error = [&](const std::string& cert, const std::string& key) {
    HttpServerOptions options;
    options.cert_pem = cert;
    options.key_pem = key;
    HttpServer server(handler, options);
    const Result<int> started = server.Start();
    return started.ok() ? std::string("good") : started.error().message();
  };
  EXPECT_EQ(error(good.cert_pem, good.key_pem), "good");
  EXPECT_THAT(error("junk", good.key_pem), StartsWith("the serving certificate is not"));
  EXPECT_THAT(error(good.cert_pem, "junk"), StartsWith("the serving key is not a PEM key"));
  EXPECT_THAT(error(good.cert_pem, MakeServingCertificate()->key_pem),
              StartsWith("the serving key is not the certificate's"));
}

}  // namespace http_server_test
}  // namespace relist::fakeapi
