// One request and its answer on one connection: a pump that never waits.
//
//   HttpExchange exchange(std::move(connection), bytes, /*reused=*/false);
//   while (exchange.Pump()) body += exchange.TakeBody();
//   if (exchange.done()) ...
//   else wait for exchange.source()
//
// Belongs to the loop's thread.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/net/http_response_decoder.h"
#include "core/runtime/port.h"
#include "reflector/rest/rest_connections.h"

namespace relist {

class HttpExchange {
 public:
  // Sends the request at once, or when the connection opens. The lease ends with the exchange.
  HttpExchange(std::unique_ptr<Connection> connection, std::string request, bool reused,
               ConnectionLease lease = {});

  // Takes some of what has come; false if nothing has. Call it until then before waiting.
  bool Pump();
  const HttpResponseHead* head() const { return decoder_.head(); }
  std::string TakeBody() { return decoder_.TakeBody(); }
  // The same, into memory that is used again and again.
  void TakeBody(std::string* into) { decoder_.TakeBody(into); }
  // The answer is over: whole, or broken (`error`).
  bool done() const { return over_; }
  bool failed() const { return over_ && !whole_; }
  const Error& error() const { return error_; }
  bool opening() const;
  // A kept connection that died before the first byte of an answer: it says nothing about the
  // server.
  bool stale() const { return reused_ && !heard_ && failed(); }
  // Until the connection was taken.
  Source& source();
  // The connection, if it can carry another request; else null.
  std::unique_ptr<Connection> TakeReusable();
  ConnectionLease TakeLease() { return std::move(lease_); }
  void Close();

 private:
  void Fail(Error error);
  void FeedSlice();

  std::unique_ptr<Connection> connection_;
  ConnectionLease lease_;  // goes before the connection does
  HttpResponseDecoder decoder_;
  std::string buffer_;  // received ...
  size_t fed_ = 0;      // ... and so much of it given to decoder_
  bool reused_;
  bool heard_ = false;
  bool over_ = false, whole_ = false;
  Error error_;
};

}  // namespace relist
