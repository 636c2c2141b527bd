// How a peer that is gone without a word is noticed, and a connection that is given up from above.
#include "core/runtime/socket_connection.h"

#include <gtest/gtest.h>
#include <netinet/tcp.h>

#include <future>

#include "core/runtime/socket_test_support.h"

namespace relist::socket_connection_test {

using namespace socket_test_support;
using State = Connection::State;

int OptionOf(int fd, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  getsockopt(fd, level, name, &value, &size);
  return value;
}

TEST(SocketConnection, IsProbedByTcpAsGosDialerHasIt) {
  int seen = -1;
  SocketPort port({.on_socket = [&](int fd) { seen = dup(fd); }});
  TestServer server([](int fd) { ReadAll(fd); });
  const auto connection = port.Connect({"127.0.0.1", server.port(), nullptr});
  ASSERT_TRUE(Settle(port, *connection));
  EXPECT_EQ(OptionOf(seen, SOL_SOCKET, SO_KEEPALIVE), 1);
  EXPECT_EQ(OptionOf(seen, IPPROTO_TCP, TCP_KEEPIDLE), 30);
  EXPECT_EQ(OptionOf(seen, IPPROTO_TCP, TCP_KEEPINTVL), 15);
  EXPECT_EQ(OptionOf(seen, IPPROTO_TCP, TCP_KEEPCNT), 9);
  EXPECT_EQ(OptionOf(seen, IPPROTO_TCP, TCP_USER_TIMEOUT), 0);
  EXPECT_EQ(OptionOf(seen, IPPROTO_TCP, TCP_NODELAY), 1);
  close(seen);
}

TEST(SocketConnection, IsProbedAsItIsToldAtTheClocksRate) {
  int seen = -1;
  SocketPortOptions options{.rate = 2,
                            .keep_alive = {.idle = Seconds(20), .interval = Seconds(1), .count = 3},
                            .user_timeout = Seconds(5),
                            .on_socket = [&](int fd) { seen = dup(fd); }};
  TestServer server([](int fd) { ReadAll(fd); });
  {
    SocketPort port(options);
    const auto connection = port.Connect({"127.0.0.1", server.port(), nullptr});
    EXPECT_EQ(OptionOf(seen, IPPROTO_TCP, TCP_KEEPIDLE), 10);
    EXPECT_EQ(OptionOf(seen, IPPROTO_TCP, TCP_KEEPINTVL), 1) << "a second at least";
    EXPECT_EQ(OptionOf(seen, IPPROTO_TCP, TCP_KEEPCNT), 3);
    EXPECT_EQ(OptionOf(seen, IPPROTO_TCP, TCP_USER_TIMEOUT), 2500);
    close(seen);
  }
  options.keep_alive.on = false;
  SocketPort port(options);
  const auto connection = port.Connect({"127.0.0.1", server.port(), nullptr});
  EXPECT_EQ(OptionOf(seen, SOL_SOCKET, SO_KEEPALIVE), 0);
  close(seen);
}

// A peer whose window stays shut acknowledges nothing that is sent: as if it had lost its wire.
TEST(SocketConnection, FailsWhereNothingIsAcknowledgedForItsUserTimeout) {
  std::promise<void> release;
  TestServer server([&](int) { release.get_future().wait(); });
  SocketPort port({.user_timeout = Millis(300)});
  const auto connection = port.Connect({"127.0.0.1", server.port(), nullptr});
  connection->Send(std::string(32 << 20, 'x'));
  EXPECT_TRUE(WaitFor(port, [&] { return connection->state() == State::kFailed; }));
  EXPECT_EQ(connection->error().transport, Transport::kTimeout);
  EXPECT_TRUE(connection->error().message().ends_with("connection timed out"))
      << connection->error().message();
  release.set_value();
}

TEST(SocketConnection, IsGivenUpFromAboveWithAWordToWhoWaits) {
  TestServer server([](int fd) {
    WriteAll(fd, "x");
    ReadAll(fd);
  });
  SocketPort port;
  const auto connection = port.Connect({"127.0.0.1", server.port(), nullptr});
  ASSERT_TRUE(WaitFor(port, [&] { return connection->Ready(); }));
  ASSERT_TRUE(WaitFor(port, [&] {
    std::string bytes;
    return connection->Receive(&bytes) > 0;
  }));
  std::string nothing;
  connection->Receive(&nothing);
  EXPECT_FALSE(connection->Ready());
  connection->Abort(Error::Net(Transport::kEof, "given up"));
  EXPECT_TRUE(connection->Ready());
  EXPECT_EQ(connection->state(), State::kFailed);
  EXPECT_EQ(connection->error().message(), "given up");
  connection->Abort(Error::Net(Transport::kEof, "again"));
  connection->Close();
  EXPECT_EQ(connection->error().message(), "given up");
}

}  // namespace relist::socket_connection_test
