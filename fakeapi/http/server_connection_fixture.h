// A ServerConnection with a test handler, a scripted fault hook and a clock of its own, for
// server_connection*_test.cc.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/history.h"
#include "fakeapi/http/server_connection.h"
#include "fakeapi/http/test_handler.h"

namespace relist::fakeapi {
namespace server_connection_test {

using Fate = ServerConnection::Fate;

// Answers every place from a function.
class Hook : public FaultHook {
 public:
  Verdict At(const FaultPlace& place) override { return at ? at(place) : Verdict::Pass(); }
  bool AcceptsConnections(TimePoint) override { return true; }
  bool MayStrike() const override { return may_strike; }
  // The verdict at a point; everything else passes.
  void Set(FaultPoint point, Verdict verdict) {
    at = [=](const FaultPlace& place) { return place.point == point ? verdict : Verdict::Pass(); };
  }
  void Struck(int tag, TimePoint) override { struck.push_back(tag); }
  std::function<Verdict(const FaultPlace&)> at;
  std::vector<int> struck;  // tags
  bool may_strike = true;
};

class ServerConnectionTest : public testing::Test {
 protected:
  void Open() { connection = Make(); }
  std::unique_ptr<ServerConnection> Make() {
    return std::make_unique<ServerConnection>(handler, &hook, &history, counters, now, options);
  }
  // What may go out now, in one string; `pieces` gets each gather's share.
  std::string Take(std::vector<std::string>* pieces = nullptr) {
    std::string all;
    while (connection->HasOutput()) {
      iovec iov[16];
      const int n = connection->Gather(iov, 16);
      std::string piece;
      for (int i = 0; i < n; ++i) piece.append(static_cast<char*>(iov[i].iov_base), iov[i].iov_len);
      if (pieces != nullptr) pieces->push_back(piece);
      all += piece;
      connection->Sent(now, piece.size());
    }
    return all;
  }
  void Send(std::string_view bytes) { connection->Receive(now, bytes); }
  void Get(const std::string& target) { Send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n"); }
  std::string Ask(const std::string& target) {
    Get(target);
    return Take();
  }
  void Pass(Duration d) {
    now += d;
    connection->Pump(now);
  }
  // "request 1, answer 1 200, ...": the history's words.
  std::string Story() {
    std::string story;
    for (const HistoryEntry& entry : history.entries()) {
      if (!story.empty()) story += ", ";
      story += entry.what();
      for (const char* field :
           {"conn", "type", "key", "code", "point", "verdict", "status", "how"}) {
        if (field == std::string("conn") && entry.what() == "request") continue;
        if (!entry.Get(field).empty()) story += " " + entry.Get(field);
      }
    }
    return story;
  }

  TimePoint now = kSimulationEpoch;
  TestHandler handler;
  Hook hook;
  History history;
  ServerCounters counters;
  ServerConnectionOptions options;
  std::unique_ptr<ServerConnection> connection;
};

inline constexpr char kWatchHead[] =
    "HTTP/1.1 200 OK\r\nCache-Control: no-cache, private\r\nContent-Type: application/json\r\n"
    "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\nTransfer-Encoding: chunked\r\n\r\n";
inline constexpr char kText5[] =
    "HTTP/1.1 200 OK\r\nCache-Control: no-cache, private\r\nContent-Type: text/plain\r\n"
    "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: 5\r\n\r\nxxxxx";
inline constexpr char kLine0[] = "8\r\n{\"n\":0}\n\r\n";  // 13 bytes
inline constexpr char kLine1[] = "8\r\n{\"n\":1}\n\r\n";

}  // namespace server_connection_test
}  // namespace relist::fakeapi
