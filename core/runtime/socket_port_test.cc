#include "core/runtime/socket_port.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "core/runtime/resolver.h"
#include "core/runtime/socket_test_support.h"

namespace relist::socket_port_test {

using namespace socket_test_support;
using State = Connection::State;

class SocketPortTest : public testing::Test {
 protected:
  std::unique_ptr<Connection> Dial(SocketPort& port, int number,
                                   const std::string& host = "127.0.0.1") {
    return port.Connect({host, number, nullptr});
  }

  SocketPort port_;
  SocketPort fast_{{.rate = 1000}};
};

// ---- The clock

TEST_F(SocketPortTest, TheClockStartsAtTheWallClocksTimeAndRunsAtItsRate) {
  const Duration wall = std::chrono::system_clock::now().time_since_epoch();
  EXPECT_LT(std::chrono::abs(port_.Now().time_since_epoch() - wall), Seconds(5));
  const TimePoint slow_before = port_.Now();
  const TimePoint fast_before = fast_.Now();
  fast_.Wait(fast_.Now() + Seconds(20));
  EXPECT_GE(fast_.Now() - fast_before, Seconds(20));
  const Duration slow_passed = port_.Now() - slow_before;
  EXPECT_GE(slow_passed, Millis(20));
  EXPECT_LT(slow_passed, Seconds(10)) << "20 fast seconds are 20 ms";
}

TEST_F(SocketPortTest, WaitDoesNotReturnEarlyWithoutAReason) {
  for (const int64_t ms : {0, 1, 7, 30}) {
    const TimePoint until = port_.Now() + Millis(ms);
    EXPECT_TRUE(port_.Wait(until));
    EXPECT_GE(port_.Now(), until) << ms;
  }
}

TEST_F(SocketPortTest, WakeFromAnotherThreadEndsAWait) {
  std::thread other([this] { port_.Wake(); });
  EXPECT_TRUE(port_.Wait(kNever));
  other.join();
  port_.Wake();
  port_.Wake();
  EXPECT_TRUE(port_.Wait(kNever)) << "a wake before the wait counts";
}

// ---- Good connections

TEST_F(SocketPortTest, CarriesBytesBothWaysThenShowsTheEnd) {
  TestServer server([](int fd) { WriteAll(fd, "re: " + ReadAll(fd, 5)); });
  const auto connection = Dial(port_, server.port());
  connection->Send("hel");
  connection->Send("lo");
  ASSERT_TRUE(Settle(port_, *connection));
  EXPECT_TRUE(connection->Ready());
  EXPECT_EQ(ReceiveAll(port_, *connection), "re: hello");
  EXPECT_EQ(connection->state(), State::kPeerDone);
  EXPECT_FALSE(connection->Ready()) << "all was looked at";
  for (int i = 0; i < 3; ++i) {  // the peer answers with RST: no news
    connection->Send("into the void");
    port_.Wait(port_.Now() + Millis(20));
  }
  EXPECT_EQ(connection->state(), State::kPeerDone);
  const TimePoint until = port_.Now() + Millis(20);
  port_.Wait(until);
  EXPECT_GE(port_.Now(), until) << "a connection that is over wakes nobody";
}

TEST_F(SocketPortTest, MegabytesGoBothWaysWithoutBlocking) {
  std::string sent;
  for (int i = 0; i < 4000000; ++i) sent += static_cast<char>(i * 31 % 251);
  TestServer server([&](int fd) {
    const std::string got = ReadAll(fd, sent.size());
    WriteAll(fd, got);
  });
  const auto connection = Dial(port_, server.port());
  connection->Send(sent);
  const std::string got = ReceiveAll(port_, *connection);
  EXPECT_TRUE(got == sent) << got.size();
}

TEST_F(SocketPortTest, AReaderThatDoesNotReadHoldsUpTheWriterNotUs) {
  const size_t size = 64 << 20;
  TestServer server([&](int fd) { WriteAll(fd, std::string(size, 'x')); });
  const auto connection = Dial(port_, server.port());
  std::string bytes;
  // Once nothing more comes in, the writer is blocked.
  for (bool moved = true; moved;) {
    const TimePoint before = port_.Now();
    port_.Wait(before + Millis(200));
    moved = port_.Now() - before < Millis(200);
  }
  EXPECT_LE(connection->Receive(&bytes, SIZE_MAX), size_t{2} << 20);
  bytes += ReceiveAll(port_, *connection);
  EXPECT_EQ(bytes.size(), size) << "reading again lets it go on";
}

TEST_F(SocketPortTest, LocalhostFallsBackToTheAddressThatListens) {
  TestServer server([](int fd) { WriteAll(fd, "hello"); });
  const auto connection = Dial(port_, server.port(), "localhost");
  EXPECT_EQ(ReceiveAll(port_, *connection), "hello");
}

// ---- How connections fail

TEST_F(SocketPortTest, ARefusalIsCalledThat) {
  int number = 0;
  const int bound = BindAnywhere(-1, &number);
  for (const char* host : {"127.0.0.1", "localhost"}) {
    const auto connection = Dial(port_, number, host);
    ASSERT_TRUE(Settle(port_, *connection));
    EXPECT_EQ(connection->state(), State::kFailed);
    EXPECT_TRUE(connection->Ready());
    EXPECT_EQ(connection->error().transport, Transport::kRefused);
    EXPECT_EQ(connection->error().message(),
              "dial tcp 127.0.0.1:" + std::to_string(number) + ": connect: connection refused");
    connection->Send("lost");
    std::string bytes;
    EXPECT_EQ(connection->Receive(&bytes), 0u);
    EXPECT_FALSE(connection->Ready());
  }
  close(bound);
}

TEST_F(SocketPortTest, AResetIsAFailureAndAFinishIsNot) {
  TestServer server([](int fd) {
    if (ReadAll(fd, 1) == "R") ResetOnClose(fd);
  });
  for (const char* how : {"F", "R"}) {
    const auto connection = Dial(port_, server.port());
    connection->Send(how);
    ReceiveAll(port_, *connection);
    if (*how == 'F') {
      EXPECT_EQ(connection->state(), State::kPeerDone);
    } else {
      ASSERT_EQ(connection->state(), State::kFailed);
      EXPECT_EQ(connection->error().transport, Transport::kReset);
      EXPECT_EQ(
          connection->error().message(),
          "read tcp 127.0.0.1:" + std::to_string(server.port()) + ": connection reset by peer");
    }
  }
}

TEST_F(SocketPortTest, WhatWasReceivedBeforeAResetIsKept) {
  TestServer server([](int fd) {
    WriteAll(fd, "kept");
    if (ReadAll(fd, 1) == "R") ResetOnClose(fd);
  });
  const auto connection = Dial(port_, server.port());
  std::string bytes;
  ASSERT_TRUE(WaitFor(port_, [&] { return connection->Receive(&bytes) > 0; }));
  connection->Send("R");
  ReceiveAll(port_, *connection);
  EXPECT_EQ(bytes, "kept");
  EXPECT_EQ(connection->error().transport, Transport::kReset);
}

// Fills the queue of a listener that never accepts, until a connection hangs.
TEST_F(SocketPortTest, AConnectThatHangsTimesOutAtTheClocksRate) {
  int number = 0;
  const int listener = BindAnywhere(0, &number);
  std::vector<std::unique_ptr<Connection>> filling;
  const auto before = std::chrono::steady_clock::now();
  std::unique_ptr<Connection> hung;
  for (int i = 0; i < 64 && !hung; ++i) {
    auto connection = Dial(fast_, number);
    ASSERT_TRUE(Settle(fast_, *connection));
    if (connection->state() == State::kFailed) hung = std::move(connection);
    filling.push_back(std::move(connection));
  }
  if (!hung) GTEST_SKIP() << "this kernel's accept queue never fills";
  EXPECT_EQ(hung->error().transport, Transport::kTimeout);
  EXPECT_EQ(hung->error().message(),
            "dial tcp 127.0.0.1:" + std::to_string(number) + ": i/o timeout");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20))
      << "30 fast seconds are 30 ms";
  close(listener);
}

// ---- Close

TEST_F(SocketPortTest, ClosesAtOnceInAnyState) {
  std::promise<void> gone;
  TestServer server([&](int fd) {
    ReadAll(fd);
    gone.set_value();
  });
  const auto connection = Dial(port_, server.port());
  ASSERT_TRUE(Settle(port_, *connection));
  connection->Close();
  EXPECT_EQ(connection->state(), State::kFailed);
  EXPECT_EQ(connection->error().transport, Transport::kStopped);
  EXPECT_FALSE(connection->Ready());
  connection->Close();
  connection->Send("lost");
  gone.get_future().wait();
}

TEST_F(SocketPortTest, IsDestroyedWhileConnectingWithoutATrace) {
  TestServer server([](int fd) { ReadAll(fd); });
  for (int i = 0; i < 20; ++i) Dial(fast_, server.port(), i % 2 ? "127.0.0.1" : "localhost");
  const TimePoint until = fast_.Now() + Seconds(40);
  while (fast_.Now() < until) fast_.Wait(until);  // past every deadline
}

// ---- Names

std::vector<SocketAddress> Addresses(std::initializer_list<std::pair<const char*, int>> list) {
  std::vector<SocketAddress> all;
  for (const auto& [host, number] : list) all.push_back(ResolveAtOnce(host, number)->front());
  return all;
}

TEST_F(SocketPortTest, OtherNamesAreLookedUpBesideTheLoop) {
  TestServer server([](int fd) { WriteAll(fd, "hello"); });
  int dead = 0;
  const int bound = BindAnywhere(-1, &dead);
  std::thread::id where;
  SocketPort port({.look_up = [&](const std::string& host, int number) {
    where = std::this_thread::get_id();
    EXPECT_EQ(host, "api.example");
    return Addresses({{"127.0.0.1", dead}, {"127.0.0.1", number}});
  }});
  const auto connection = Dial(port, server.port(), "api.example");
  EXPECT_EQ(connection->state(), State::kOpening);
  EXPECT_EQ(ReceiveAll(port, *connection), "hello") << "the second address let us";
  EXPECT_NE(where, std::this_thread::get_id());
  close(bound);
}

TEST_F(SocketPortTest, ANameThatIsUnknownFailsTheConnection) {
  SocketPort port(
      {.look_up = [](const std::string& host, int) -> Result<std::vector<SocketAddress>> {
        if (host == "empty.example") return std::vector<SocketAddress>();
        return Error::Net(Transport::kOther, "dial tcp: lookup " + host + ": no such host");
      }});
  for (const std::string host : {"empty.example", "unknown.example"}) {
    const auto connection = Dial(port, 80, host);
    ASSERT_TRUE(Settle(port, *connection));
    EXPECT_EQ(connection->error().transport, Transport::kOther);
    EXPECT_EQ(connection->error().message(), "dial tcp: lookup " + host + ": no such host");
  }
}

TEST_F(SocketPortTest, ALookupThatHangsHoldsUpNobody) {
  auto release = std::make_shared<std::promise<void>>();
  const auto released = release->get_future().share();
  {
    SocketPort port({.rate = 1000, .look_up = [released](const std::string&, int) {
                       released.wait();
                       return Addresses({{"127.0.0.1", 1}});
                     }});
    const auto closed = Dial(port, 80, "hangs.example");
    closed->Close();
    const auto destroyed_later = Dial(port, 80, "hangs.example");
    const auto timed_out = Dial(port, 80, "hangs.example");
    ASSERT_TRUE(Settle(port, *timed_out));
    EXPECT_EQ(timed_out->error().transport, Transport::kTimeout);
    EXPECT_EQ(timed_out->error().message(), "dial tcp hangs.example:80: i/o timeout");
  }
  release->set_value();  // the threads' answers now find nobody
}

TEST_F(SocketPortTest, AnAnswerForAConnectionThatWasClosedIsForNobodyElse) {
  TestServer server([](int fd) { ReadAll(fd); });
  int dead = 0;
  const int bound = BindAnywhere(-1, &dead);
  std::promise<void> first, second;
  SocketPort port({.look_up = [&](const std::string& host, int) {
    const bool is_first = host == "first.example";
    (is_first ? first : second).get_future().wait();
    return Addresses({{"127.0.0.1", is_first ? server.port() : dead}});
  }});
  auto closed = Dial(port, 80, "first.example");
  const auto open = Dial(port, 80, "second.example");
  closed.reset();
  first.set_value();
  EXPECT_TRUE(port.Wait(kNever)) << "the answer came";
  second.set_value();
  EXPECT_TRUE(Settle(port, *open));
  EXPECT_EQ(open->error().transport, Transport::kRefused);
  close(bound);
}

TEST_F(SocketPortTest, AnAddressWithoutARouteDoesNotHideThatAnotherRefused) {
  int dead = 0;
  const int bound = BindAnywhere(-1, &dead);
  for (const bool refused_first : {true, false}) {
    SocketPort port({.look_up = [&](const std::string&, int) {
      return refused_first ? Addresses({{"127.0.0.1", dead}, {"255.255.255.255", 1}})
                           : Addresses({{"255.255.255.255", 1}, {"127.0.0.1", dead}});
    }});
    const auto connection = Dial(port, 80, "api.example");
    ASSERT_TRUE(Settle(port, *connection));
    EXPECT_EQ(connection->error().transport, Transport::kRefused) << connection->error().message();
  }
  close(bound);
}

TEST(Resolver, KnowsNumbersAndLocalhostAtOnce) {
  EXPECT_EQ(ResolveAtOnce("127.0.0.1", 80)->at(0).ToString(), "127.0.0.1:80");
  EXPECT_EQ(ResolveAtOnce("::1", 80)->at(0).ToString(), "[::1]:80");
  const auto localhost = ResolveAtOnce("localhost", 443);
  ASSERT_EQ(localhost->size(), 2u);
  EXPECT_EQ(localhost->at(0).ToString(), "[::1]:443");
  EXPECT_EQ(localhost->at(1).ToString(), "127.0.0.1:443");
  EXPECT_FALSE(ResolveAtOnce("example.com", 80));
  EXPECT_FALSE(ResolveAtOnce("", 80));
}

TEST(Resolver, LooksUpNumbersToo) {
  const Result<std::vector<SocketAddress>> found = LookUp("127.0.0.1", 80);
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->at(0).ToString(), "127.0.0.1:80");
  const Result<std::vector<SocketAddress>> bad = LookUp("not a name", 80);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().transport, Transport::kOther);
  EXPECT_TRUE(bad.error().message().starts_with("dial tcp: lookup not a name: "))
      << bad.error().message();
}

}  // namespace relist::socket_port_test
