#include "core/runtime/sim_pipe.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/check.h"
#include "core/runtime/loop.h"
#include "core/runtime/sim_port.h"

namespace relist::sim_pipe_test {

using Log = std::vector<std::string>;
using State = Connection::State;

class SimPipeTest : public testing::Test {
 protected:
  SimPipeTest() {
    std::tie(client, server) = SimPipe::Make(port, Millis(5));
    Listen();
  }
  void Listen() {
    server->on_bytes = [this](std::string_view bytes) {
      log.push_back("server " + std::string(bytes) + When());
    };
    server->on_client_gone = [this] { log.push_back("gone" + When()); };
  }
  std::string When() {
    return " at " + std::to_string((port.Now() - kSimulationEpoch) / Millis(1));
  }
  void RunAll() {
    while (port.Wait(kNever)) {
    }
  }
  std::string Take() {
    std::string bytes;
    while (client->Receive(&bytes) > 0) {
    }
    return bytes;
  }

  SimPort port;
  Log log;
  std::unique_ptr<Connection> client;
  std::shared_ptr<SimPipe> server;
};

TEST_F(SimPipeTest, OpensThenCarriesBytesBothWays) {
  EXPECT_EQ(client->state(), State::kOpening);
  EXPECT_FALSE(client->Ready());
  server->Open(Millis(1));
  port.Wait(kNever);
  EXPECT_EQ(client->state(), State::kOpen);
  EXPECT_TRUE(client->Ready());
  EXPECT_EQ(Take(), "");
  EXPECT_FALSE(client->Ready()) << "all was looked at";
  client->Send("hello");
  client->Send("");
  client->Send("again");
  RunAll();
  EXPECT_EQ(log, (Log{"server hello at 6", "server again at 6"}));
  server->Deliver("answer", Millis(2));
  RunAll();
  EXPECT_TRUE(client->Ready());
  EXPECT_EQ(Take(), "answer");
  EXPECT_FALSE(client->Ready());
}

TEST_F(SimPipeTest, WhatIsSentWhileOpeningGoesOutWhenItIsOpen) {
  client->Send("early ");
  client->Send("bird");
  server->Open(Millis(10));
  RunAll();
  EXPECT_EQ(log, (Log{"server early bird at 15"}));
}

TEST_F(SimPipeTest, ABytesDeliveryNeverOvertakesAnEarlierOne) {
  server->Open({});
  server->Deliver("slow ", Millis(50));
  server->Deliver("fast", Millis(1));
  server->Finish({});
  port.Wait(kNever);
  port.Wait(kNever);
  EXPECT_EQ(port.Now(), kSimulationEpoch + Millis(50));
  EXPECT_EQ(Take(), "slow fast");
  EXPECT_EQ(client->state(), State::kPeerDone);
}

TEST_F(SimPipeTest, AFinishShowsBehindTheBytesAndLeavesThemReadable) {
  server->Open({});
  server->Deliver("last words", {});
  server->Finish(Millis(1));
  RunAll();
  EXPECT_EQ(client->state(), State::kPeerDone);
  std::string bytes;
  EXPECT_EQ(client->Receive(&bytes, 4), 4u);
  EXPECT_EQ(client->Receive(&bytes, 100), 6u);
  EXPECT_EQ(bytes, "last words");
  EXPECT_TRUE(client->Ready()) << "the end itself was not yet looked at";
  EXPECT_EQ(client->Receive(&bytes, 100), 0u);
  EXPECT_FALSE(client->Ready());
  client->Send("half open");
  RunAll();
  EXPECT_EQ(log, (Log{"server half open at 6"}));
}

TEST_F(SimPipeTest, AResetLosesWhatWasNotReceived) {
  server->Open({});
  server->Deliver("lost", {});
  server->Reset({});
  RunAll();
  EXPECT_EQ(client->state(), State::kFailed);
  EXPECT_EQ(client->error().transport, Transport::kReset);
  EXPECT_EQ(client->error().message(), "connection reset by peer");
  EXPECT_EQ(Take(), "");
  client->Send("lost, too");
  RunAll();
  EXPECT_TRUE(log.empty());
}

TEST_F(SimPipeTest, AResetLeavesWhatWasReceivedBeforeIt) {
  server->Open({});
  server->Deliver("kept", Millis(1));
  server->Reset(Millis(2));
  port.Wait(kSimulationEpoch);
  port.Wait(kSimulationEpoch + Millis(1));
  EXPECT_EQ(Take(), "kept");
  RunAll();
  EXPECT_EQ(client->state(), State::kFailed);
}

TEST_F(SimPipeTest, BytesOnTheirWayToAServerThatResetAreLost) {
  server->Open({});
  RunAll();
  client->Send("on the way");
  server->Reset(Millis(20));
  RunAll();
  EXPECT_TRUE(log.empty());
}

TEST_F(SimPipeTest, ARefusalFailsTheConnection) {
  server->Refuse(Millis(3));
  RunAll();
  EXPECT_EQ(client->state(), State::kFailed);
  EXPECT_EQ(client->error().transport, Transport::kRefused);
  EXPECT_TRUE(client->Ready());
  client->Close();
  RunAll();
  EXPECT_TRUE(log.empty()) << "who refuses does not hear of it again";
}

TEST_F(SimPipeTest, AClientThatClosesIsHeardBehindItsBytes) {
  server->Open({});
  RunAll();
  client->Send("bye");
  client->Close();
  client->Close();
  EXPECT_TRUE(server->client_gone());
  EXPECT_EQ(client->state(), State::kFailed);
  EXPECT_EQ(client->error().transport, Transport::kStopped);
  EXPECT_FALSE(client->Ready());
  RunAll();
  EXPECT_EQ(log, (Log{"server bye at 5", "gone at 5"}));
  server->Deliver("into the void", {});
  server->Finish({});
  RunAll();
}

TEST_F(SimPipeTest, AClientThatIsDestroyedInAnyStateIsGone) {
  client.reset();
  RunAll();
  EXPECT_EQ(log, (Log{"gone at 5"}));
  server->Open({});
  server->Reset({});
  RunAll();
}

TEST_F(SimPipeTest, AServerThatGoesWithoutAWordLeavesSilence) {
  server->Open({});
  server->Deliver("sent before", Millis(1));
  server.reset();
  RunAll();
  EXPECT_EQ(Take(), "sent before");
  EXPECT_EQ(client->state(), State::kOpen);
  client->Send("anybody there?");
  RunAll();
}

TEST_F(SimPipeTest, ACallbackMayDropTheServersEnd) {
  server->Open({});
  server->on_bytes = [this](std::string_view) { server.reset(); };
  RunAll();
  client->Send("x");
  RunAll();
  EXPECT_EQ(server, nullptr);
}

TEST_F(SimPipeTest, MisuseIsABug) {
  EXPECT_THROW(server->Deliver("too early", {}), CheckFailed);
  EXPECT_THROW(server->Finish({}), CheckFailed);
  server->Open({});
  EXPECT_THROW(server->Open({}), CheckFailed);
  EXPECT_THROW(server->Refuse({}), CheckFailed);
  server->Finish({});
  EXPECT_THROW(server->Deliver("too late", {}), CheckFailed);
  server->Reset({});
  EXPECT_THROW(server->Reset({}), CheckFailed);
}

TEST(SimDialer, WithoutOneEveryConnectionIsRefused) {
  SimPort port;
  const std::unique_ptr<Connection> client = port.Connect({"server", 80, nullptr});
  EXPECT_EQ(client->state(), State::kOpening);
  while (port.Wait(kNever)) {
  }
  EXPECT_EQ(client->error().transport, Transport::kRefused);
}

TEST(SimDialer, IsAskedForEveryConnection) {
  SimPort port;
  Log asked;
  std::vector<std::shared_ptr<SimPipe>> servers;
  port.SetDialer([&](const Endpoint& endpoint) {
    asked.push_back(endpoint.host + ":" + std::to_string(endpoint.port));
    auto [client, server] = SimPipe::Make(port);
    servers.push_back(std::move(server));
    return std::move(client);
  });
  const auto a = port.Connect({"a", 1, nullptr});
  const auto b = port.Connect({"b", 2, nullptr});
  EXPECT_EQ(asked, (Log{"a:1", "b:2"}));
  EXPECT_NE(a, b);
}

// A whole request in the loop: the connection as a Source.
Task<void> AskAndAnswer(Loop& loop, Log* log) {
  const std::unique_ptr<Connection> connection = loop.port().Connect({"server", 80, nullptr});
  connection->Send("question");
  std::string answer;
  while (connection->state() == State::kOpening || connection->state() == State::kOpen) {
    Select which(loop, *connection);
    co_await which;
    while (connection->Receive(&answer) > 0) {
    }
  }
  log->push_back(answer);
}

TEST(SimPipeInLoop, WakesTheTaskThatWaitsForIt) {
  SimPort port;
  Loop loop(port);
  Log log;
  std::shared_ptr<SimPipe> server;
  port.SetDialer([&](const Endpoint&) {
    auto [client, other_end] = SimPipe::Make(port, Millis(1));
    server = other_end;
    server->Open(Millis(1));
    server->on_bytes = [&](std::string_view bytes) {
      server->Deliver("re: " + std::string(bytes.substr(0, 4)), Millis(1));
      server->Deliver(std::string(bytes.substr(4)), Millis(2));
      server->Finish(Millis(3));
    };
    return std::move(client);
  });
  TaskScope scope(loop);
  scope.Spawn(AskAndAnswer(loop, &log));
  EXPECT_TRUE(loop.RunUntil([&] { return scope.empty(); }));
  EXPECT_EQ(log, (Log{"re: question"}));
  EXPECT_EQ(loop.Now(), kSimulationEpoch + Millis(5));
  EXPECT_TRUE(server->client_gone());
}

}  // namespace relist::sim_pipe_test
