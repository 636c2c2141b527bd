#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "fakeapi/front/http_server_fixture.h"

namespace relist::fakeapi {
namespace http_server_test {

using testing::StartsWith;

TEST_F(HttpServerTest, AThousandWatchesOpenAtOnceAndAllHearOfAnEvent) {
  Start();
  std::vector<TestClient> clients = OpenWatches(1000);
  Commit();
  for (TestClient& client : clients) {
    ASSERT_EQ(client.ReadUntil("\n\r\n"), "8\r\n{\"n\":0}\n\r\n");
  }
  server->Run([&] { EXPECT_EQ(handler.open_watches(), 1000u); });
  clients.clear();
  while (true) {  // they are noticed to be gone
    size_t open = 0;
    server->Run([&] { open = handler.open_watches(); });
    if (open == 0) break;
  }
}

// A watch is asked until it has no more: once for each line, if none waited for another.
TEST_F(HttpServerTest, LinesThatComeWhileManyAreServedLeaveTogether) {
  constexpr uint64_t kWatches = 500, kLines = 200;
  Start();
  std::vector<TestClient> clients = OpenWatches(kWatches);
  server->Run([&] { handler.idles = 0; });
  for (uint64_t i = 0; i < kLines; ++i) server->Run([&] { handler.AddLine(std::to_string(i)); });
  for (TestClient& client : clients) client.ReadUntil("199\n");
  server->Run([&] { EXPECT_LT(handler.idles, kWatches * kLines * 3 / 4); });
}

// A real server's watch may be 20 events behind.
TEST_F(HttpServerTest, ManyChangesDoNotWaitForOthers) {
  Start();
  std::vector<TestClient> clients = OpenWatches(1000);
  Commit();  // the pause after it is as long as it can be
  uint64_t before = 0;
  server->Run([&] {
    before = handler.idles;
    for (int i = 0; i < 20; ++i) handler.Commit();
  });
  server->Run([&] { EXPECT_GT(handler.idles, before); });
}

TEST_F(HttpServerTest, ALineThatComesAloneDoesNotWait) {
  Start();
  std::vector<TestClient> clients = OpenWatches(1);
  const Stopwatch watch;
  for (int i = 0; i < 100; ++i) {
    Commit();
    clients[0].ReadUntil("{\"n\":" + std::to_string(i) + "}\n");
  }
  EXPECT_LT(watch.seconds(), 1);
}

TEST_F(HttpServerTest, ASlowReaderHoldsUpNobody) {
  Start();
  std::vector<TestClient> clients = OpenWatches(2);
  const std::string line(100000, 'l');
  std::thread writer([&] {
    for (int i = 0; i < 200; ++i) server->Run([&] { handler.AddLine(line); });
    server->Run([&] { handler.AddLine("done"); });
  });
  EXPECT_GT(clients[1].ReadUntil("done").size(), 20000000u);  // while the other reads nothing
  writer.join();
  EXPECT_GT(clients[0].ReadUntil("done").size(), 20000000u);  // and it loses nothing
}

TEST_F(HttpServerTest, AClientThatDribblesIsCutWhileOthersAreServed) {
  HttpServerOptions options;
  options.connection.head_time = Millis(300);
  Start(options);
  TestClient slow(port);
  TestClient other(port);
  int served = 0;
  const Stopwatch watch;
  char seen = 0;
  while (recv(slow.fd(), &seen, 1, MSG_DONTWAIT | MSG_PEEK) < 0 && watch.seconds() < 5) {
    slow.Send("G");
    other.Get("/text?5");
    if (!other.ReadUntil("xxxxx").empty()) ++served;
  }
  EXPECT_THAT(slow.ReadToEnd(), StartsWith("HTTP/1.1 408 "));
  EXPECT_GE(watch.seconds(), 0.25);
  EXPECT_GT(served, 1);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

size_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

int ThreadsOfThisProcess() {
  std::ifstream status("/proc/self/status");
  std::string word;
  int threads = 0;
  while (status >> word) {
    if (word == "Threads:") status >> threads;
  }
  return threads;
}

TEST_F(HttpServerTest, FiveThousandSilentConnectionsAndAThousandWatchesCostLittle) {
  Start();
  const size_t before = ResidentBytes();
  std::vector<TestClient> silent;
  for (int i = 0; i < 5000; ++i) silent.emplace_back(port);
  std::vector<TestClient> watches = OpenWatches(1000);
  Commit();
  watches.back().ReadUntil("\n\r\n");
  if (!kSanitized) {
    EXPECT_LT(ResidentBytes() - before, 15u << 20);
    EXPECT_LE(ThreadsOfThisProcess(), 3);
  }
  TestClient other(port);
  other.Get("/text?5");
  EXPECT_THAT(other.ReadUntil("xxxxx"), StartsWith("HTTP/1.1 200 OK\r\n"));
}

Duration CpuTimeOfThisThread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return Seconds(time.tv_sec) + Duration(time.tv_nsec);
}

TEST_F(HttpServerTest, OutOfDescriptorsItDoesNotSpinAndNewClientsAreServedLater) {
  Start();
  TestClient client;
  client.MakeSocket();  // the lowest that was free: with a limit just above it there is none for
                        // the server
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit little = before;
  little.rlim_cur = static_cast<rlim_t>(client.fd()) + 1;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &little), 0);
  ASSERT_EQ(client.Connect(port), 0);  // it waits in the backlog
  client.Get("/text?5");
  Duration used_before{}, used{};
  server->Run([&] { used_before = CpuTimeOfThisThread(); });
  pollfd nothing{client.fd(), POLLIN, 0};
  EXPECT_EQ(poll(&nothing, 1, 250), 0);  // a span in which a spin would show
  server->Run([&] { used = CpuTimeOfThisThread() - used_before; });
  EXPECT_LT(used, Millis(50));
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_THAT(client.ReadUntil("xxxxx"), StartsWith("HTTP/1.1 200 OK\r\n"));
}

}  // namespace http_server_test
}  // namespace relist::fakeapi
