// A fake apiserver on virtual time, spoken to in the wire's bytes: requests in, text out that the
// model's can be compared with.
//
//   ServerBench bench({.replicas = 2});
//   bench.Ask(0, "GET", "/api/v1/configmaps", "");   // the answer; nothing: it waits
//   bench.PassTo(now + Seconds(3));
//
// Each request has a connection of its own. A history is kept of everything. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/history.h"
#include "core/net/http_response_decoder.h"
#include "fakeapi/api_server.h"
#include "fakeapi/http/server_connection.h"
#include "property_tests/search/asks.h"

namespace relist::search {

class ServerBench {
 public:
  struct Knobs {
    size_t replicas = 1, window = 6, buffer = 4;
    fakeapi::ServerBug bug = fakeapi::ServerBug::kNone;
  };
  explicit ServerBench(const Knobs& knobs);
  ~ServerBench();

  // A watch, as its client has it so far.
  struct Stream {
    std::vector<std::string> lines;  // as the model writes them; no plain bookmarks
    size_t bookmarks = 0;            // plain ones
    bool reads = true;               // as it comes; else when told to
    bool ended = false;              // cleanly

    std::unique_ptr<fakeapi::ServerConnection> connection;
    HttpResponseDecoder decoder;
    std::string rest;  // of a line
  };

  fakeapi::ApiServer& server() { return server_; }
  const History& history() const { return history_; }
  TimePoint now() const { return now_; }

  // Whatever was written before is asked again by Again().
  std::optional<std::string> Ask(size_t replica, const std::string& method,
                                 const std::string& target, const std::string& body = "");
  std::optional<std::string> Again();
  // For a watch, "200": then it is the last of streams().
  std::vector<std::unique_ptr<Stream>>& streams() { return streams_; }

  // Time passes, and all that comes with it.
  void PassTo(TimePoint time);
  // All that is due now: streams are filled, and read where their clients do.
  void Settle();
  void Read(Stream& stream);
  void Close(size_t stream);

 private:
  struct Pending {
    std::unique_ptr<fakeapi::ServerConnection> connection;
    HttpResponseDecoder decoder;
    bool is_watch = false;
  };
  std::optional<std::string> Answer();
  static void Drain(fakeapi::ServerConnection& connection, TimePoint now,
                    HttpResponseDecoder* decoder);
  void TakeLines(Stream& stream);

  History history_;
  SeededChoices choices_;
  fakeapi::ApiServer server_;
  fakeapi::ServerCounters counters_;
  TimePoint now_ = kSimulationEpoch;
  std::unique_ptr<Pending> pending_;
  std::vector<std::unique_ptr<Stream>> streams_;
};

// What an answer says, as the model writes it.
std::string TextOf(int status, const std::string& body);
// Of a list's answer: its continue token as it came; "" without.
std::string TokenOf(const std::string& body);
// What it means.
Token ReadToken(const std::string& text);

}  // namespace relist::search
