#include "scenarios/play/sim_network.h"

#include <gmock/gmock.h>

#include "fakeapi/api_server.h"
#include "fakeapi/store/store.h"

namespace relist {
namespace {

class Network : public testing::Test {
 protected:
  fakeapi::ApiServerOptions WithControllers() {
    return {.choices = &choices_, .controllers = fakeapi::kAllControllers};
  }
  std::string Lines() {
    std::string text;
    connection_->Receive(&text);
    return text;
  }
  void RunFor(Duration length) {
    const TimePoint end = port_.Now() + length;
    while (port_.Now() < end) port_.Wait(end);
  }
  void Send(const std::string& head, const std::string& body = "") {
    connection_->Send(head + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" +
                      "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }

  BoringChoices choices_;
  SimPort port_;
  fakeapi::ApiServer server_{WithControllers()};
  SimNetwork network_{port_, server_, nullptr, nullptr};
  std::unique_ptr<Connection> connection_ = network_.Dial();
};

TEST_F(Network, WhatTheServerDoesByItselfComesAfterARequestThatCausedIt) {
  Send("POST /api/v1/namespaces", R"({"metadata":{"name":"team"}})");
  Send("DELETE /api/v1/namespaces/team");
  RunFor(Seconds(1));
  EXPECT_THAT(Lines(), testing::HasSubstr("Terminating"));
  Send("GET /api/v1/namespaces?watch=true&resourceVersion=0");
  RunFor(Seconds(3));
  EXPECT_THAT(Lines(), testing::Not(testing::HasSubstr("DELETED")));
  RunFor(Seconds(2));
  EXPECT_THAT(Lines(), testing::HasSubstr("DELETED"));
}

TEST_F(Network, AndAfterAWriteThatCameAnotherWay) {
  RunFor(Millis(10));
  const TimePoint now = port_.Now();
  server_.Handle({"POST", "/api/v1/namespaces", {}, R"({"metadata":{"name":"team"}})"}, now, now);
  server_.Handle({"DELETE", "/api/v1/namespaces/team", {}, ""}, now, now);
  network_.Changed();
  EXPECT_EQ(server_.NextDeadline(), now + Seconds(5));
  RunFor(Seconds(5));
  EXPECT_EQ(server_.NextDeadline(), now + Seconds(10));  // the last look, which finds nothing
  RunFor(Seconds(5));
  EXPECT_EQ(server_.NextDeadline(), kNever);
}

}  // namespace
}  // namespace relist
