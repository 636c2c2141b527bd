#include "reflector/rest/rest_connections.h"

#include <gmock/gmock.h>

#include "core/runtime/sim_port.h"

namespace relist {
namespace rest_connections_test {

class RestConnectionsTest : public ::testing::Test {
 protected:
  std::unique_ptr<Connection> Open() {
    auto [client, pipe] = SimPipe::Make(port_);
    pipe->Open({});
    pipes_.push_back(std::move(pipe));
    port_.Wait(port_.Now());
    return std::move(client);
  }
  // A connection that was used and given back.
  Connection* Use() {
    std::unique_ptr<Connection> connection = Open();
    Connection* raw = connection.get();
    ConnectionLease lease = connections_.Lend(*connection);
    connections_.GiveBack(std::move(connection), std::move(lease));
    return raw;
  }

  SimPort port_;
  Loop loop_{port_};
  RestConnections connections_{loop_, /*keep_alive=*/true, Seconds(90)};
  std::vector<std::shared_ptr<SimPipe>> pipes_;
};

const Error kGone = Error::Net(Transport::kEof, "gone");

TEST_F(RestConnectionsTest, GivesTheOneThatWasUsedLast) {
  Use();
  const Connection* last = Use();
  EXPECT_EQ(connections_.TakeIdle().get(), last);
  EXPECT_EQ(connections_.idle(), 1u);
}

TEST_F(RestConnectionsTest, KeepsNothingThatWasLentBeforeItsCredentialsChanged) {
  Use();
  std::unique_ptr<Connection> lent = Open();
  ConnectionLease lease = connections_.Lend(*lent);
  connections_.Renew();
  EXPECT_EQ(connections_.idle(), 0u);
  EXPECT_EQ(lent->state(), Connection::State::kOpen) << "who uses it goes on";
  connections_.GiveBack(std::move(lent), std::move(lease));
  EXPECT_EQ(connections_.idle(), 0u);
  Use();
  EXPECT_EQ(connections_.idle(), 1u);
}

TEST_F(RestConnectionsTest, EndsAllThatAreInUseAndNoOthers) {
  std::unique_ptr<Connection> lent = Open(), returned = Open(), moved = Open();
  ConnectionLease lease = connections_.Lend(*lent);
  {
    const ConnectionLease over = connections_.Lend(*returned);
  }
  ConnectionLease first = connections_.Lend(*moved);
  ConnectionLease second = std::move(first);
  connections_.AbortAll(kGone);
  EXPECT_EQ(lent->error(), kGone);
  EXPECT_TRUE(lent->Ready()) << "who waits for it is woken";
  EXPECT_EQ(moved->error(), kGone);
  EXPECT_EQ(returned->state(), Connection::State::kOpen);
  EXPECT_TRUE(pipes_[0]->client_gone());
}

TEST_F(RestConnectionsTest, KeepsNothingOnceItIsClosed) {
  Use();
  connections_.Close();
  Use();
  EXPECT_EQ(connections_.idle(), 0u);
}

}  // namespace rest_connections_test
}  // namespace relist
